import type { KeptSample } from '../../../core/sketch/narrow.ts';
import { comparedSteps } from '../../contents.ts';
import type { Content, HolderCounts } from '../../port.ts';
import { openContent, openContentSteps, sealContent } from '../format/content-values.ts';
import { openCounts, sealCounts } from '../format/holder-counts.ts';
import { sourceRowKey } from '../format/keys.ts';
import { LoadedRows, type RowReader } from '../format/loaded-rows.ts';
import { type Codec, type RowChange, TableRows, Undo } from '../format/rows.ts';
import { openNothing, sealNothing } from '../format/value-bytes.ts';
import { openNumber, openSource, type SourceRow, sealNumber, sealSource } from '../format/values.ts';
import { openVersion, sealVersion, type VersionRow } from '../format/version-values.ts';
import { HeldCounts } from './held-counts.ts';
import { HostSamples } from './host-samples.ts';

/** The value of rows whose key says it all. */
export type Nothing = true;

const SOURCES: Codec<SourceRow> = { seal: sealSource, open: openSource };
const VERSIONS: Codec<VersionRow> = { seal: sealVersion, open: openVersion };
const CONTENTS: Codec<Content<KeptSample>> = {
  ...{ seal: sealContent, open: openContent, openSteps: openAhead },
};
const NUMBERS: Codec<number> = { seal: sealNumber, open: openNumber };
const COUNTS: Codec<HolderCounts> = { seal: sealCounts, open: openCounts };
const NOTHINGS: Codec<Nothing> = {
  seal: sealNothing,
  open: (key, value) => {
    openNothing(key, value);
    return true;
  },
};

/** A content of megabytes, ready to be compared with the one that takes its place. */
function* openAhead(key: string, value: Buffer): Generator<undefined, Content<KeptSample>> {
  const content = yield* openContentSteps(key, value);
  yield* comparedSteps(content.sample);
  return content;
}

/** What it takes to write what follows from all sources. */
interface KeyedBatch {
  /** The number of the next new content. */
  readonly firstContent: number;
  readonly rankKey: readonly [number, number];
}

/** All that one batch changes, over what the batch before it changes, over what was read for it. */
export class BatchRows {
  readonly loaded: LoadedRows;
  readonly undo = new Undo();
  readonly sources: TableRows<SourceRow>;
  readonly versions: TableRows<VersionRow>;
  readonly contents: TableRows<Content<KeptSample>>;
  readonly numbers: TableRows<number>;
  readonly holders: TableRows<Nothing>;
  readonly counts: TableRows<HolderCounts>;
  /** null where how many hold each content is counted later, from all that was written. */
  readonly held: HeldCounts | null;
  /** null where they are made later, from all sources. */
  readonly samples: HostSamples | null;
  private readonly sampleRows: TableRows<number>;
  readonly pasts: TableRows<Nothing>;
  readonly tombstones: TableRows<Nothing>;
  private readonly sourceKeys = new Map<string, string>();

  /**
   * @param keyed null where what follows from all sources is made later
   * @param before the batch that is being written while this one is resolved
   */
  constructor(reader: RowReader, keyed: KeyedBatch | null, before?: BatchRows) {
    const loaded = new LoadedRows(reader);
    this.loaded = loaded;
    const { undo } = this;
    this.sources = new TableRows(SOURCES, loaded, undo, before?.sources);
    this.versions = new TableRows(VERSIONS, loaded, undo, before?.versions);
    this.contents = new TableRows(CONTENTS, loaded, undo, before?.contents);
    this.numbers = new TableRows(NUMBERS, loaded, undo, before?.numbers);
    this.holders = new TableRows(NOTHINGS, loaded, undo, before?.holders);
    this.counts = new TableRows(COUNTS, loaded, undo, before?.counts);
    this.held = keyed && new HeldCounts(this.counts, loaded, keyed.firstContent, before?.held ?? null);
    this.sampleRows = new TableRows(NUMBERS, loaded, undo, before?.sampleRows);
    this.samples = keyed && new HostSamples(this.sampleRows, keyed.rankKey);
    this.pasts = new TableRows(NOTHINGS, loaded, undo, before?.pasts);
    this.tombstones = new TableRows(NOTHINGS, loaded, undo, before?.tombstones);
  }

  /** The row key of a source, made once for all that is asked of it. */
  keyOfSource(url: string): string {
    let key = this.sourceKeys.get(url);
    if (key === undefined) {
      key = sourceRowKey(url);
      this.sourceKeys.set(url, key);
    }
    return key;
  }

  /** The rows as they are to be written. */
  sealed(): RowChange[] {
    const changes: RowChange[] = [];
    for (const table of this.tables()) table.seal(changes);
    return changes;
  }

  /** The batch before is on disk: what is resolved over this one need not know it. */
  forgetBefore(): void {
    for (const table of this.tables()) table.forgetBefore();
  }

  private tables() {
    const { sources, versions, contents, numbers, holders, counts, sampleRows, pasts, tombstones } = this;
    return [sources, versions, contents, numbers, holders, counts, sampleRows, pasts, tombstones] as const;
  }
}
