import type { KeptSample } from '../../../core/sketch/narrow.ts';
import { postedFingerprints } from '../../contents.ts';
import type { Content, IndexDescription } from '../../port.ts';
import { urlOfSourceKey } from '../../source-key.ts';
import { VersionRows } from '../check/row-walks.ts';
import type { Database } from '../database/database.ts';
import type { MergedRows } from '../files/merged-rows.ts';
import { descriptionIn, type ExpectedIdentity, madeUp } from '../folder/description.ts';
import { locatorOf, openContent, ownerOf, sealContent } from '../format/content-values.ts';
import { HolderTally } from '../format/holder-tally.ts';
import { hostSampleOf, sealHostSample } from '../format/host-sample-rows.ts';
import {
  ABOVE,
  contentKey,
  contentOfDeathKey,
  descriptionKey,
  holderKey,
  lexicalKey,
  numberOfContentKey,
  pastKey,
  readPastKey,
  seqOfTotalsKey,
  Table,
  timeOfVersionKey,
  totalsKey,
  urlOfHolderKey,
} from '../format/keys.ts';
import {
  openSource,
  openTotals,
  type PastHold,
  type SourceRow,
  sealDescription,
  sealNumber,
  sealSource,
  sealTotals,
  type Totals,
} from '../format/values.ts';
import { openVersion } from '../format/version-values.ts';
import { newIndexRow } from '../segments/restored-segments.ts';
import { RebuiltContents } from './rebuild-contents.ts';
import { RebuildOutput } from './rebuild-output.ts';

/*
 * A new index from what can be read of a damaged one. Two tables are believed, records (c) and sources (s) with their past
 * versions (h); all that the others say follows from them.
 *
 *   c ── which contents there are ──┐
 *   s ── who has which ─────────────┴── s h x t of sources whose content is there
 *                                       r of holders that are not the owner, u of how many there are
 *   c ── c l of contents that a source has; an owner that is gone is replaced by another holder
 *
 * No postings are written: opening the new index makes them from its records, as after any kill. Nothing is invented: a
 * source whose content is lost is lost.
 */

export type Rebuilt = Awaited<ReturnType<Rebuild['run']>>;

/** Rows that were there and could not be used; `unheld` are records that no source was left for. */
const NONE_LOST = { records: 0, sources: 0, versions: 0, pastContents: 0, unheld: 0, description: false };
export type RowsLost = Readonly<typeof NONE_LOST>;

const URLS_AT_ONCE = 2000;

export class Rebuild {
  private readonly old: MergedRows;
  private readonly output: RebuildOutput;
  private readonly rankKey: readonly [number, number];
  private readonly progress: (line: string) => void;
  private readonly contents = new RebuiltContents();
  private readonly tally = new HolderTally();
  private readonly lost = { ...NONE_LOST };
  private readonly totals = { nextContent: 0, sources: 0, contents: 0, postings: 0 };

  /** @param database new and empty @param rankKey of the identity */
  constructor(
    old: MergedRows,
    database: Database,
    rankKey: readonly [number, number],
    progress: (line: string) => void,
  ) {
    this.old = old;
    this.rankKey = rankKey;
    this.output = new RebuildOutput(database);
    this.progress = progress;
  }

  /**
   * @param highWater how far the old index had got at least
   * @returns `totals` of the new index, and what the old one said of itself last (`before`). `seq`: the last batch of writes
   *   that the new one claims. `batchesLost`: how many at the end are not there, by the high-water mark
   */
  async run(description: IndexDescription, highWater: number) {
    const { seq, totals: before } = this.lastBatch();
    this.progress('Reading records ...');
    this.readContents();
    this.progress('Rebuilding sources ...');
    await this.writeSources();
    this.progress('Rebuilding records ...');
    await this.writeContents(description.indexModulusMax);
    for (const counts of this.tally.rows()) await this.output.put(...counts);
    await this.findStrayHolders();
    const end = Math.max(seq, highWater);
    this.totals.nextContent = Math.max(this.contents.end, before?.nextContent ?? 0);
    const last = totalsKey(end);
    await this.output.put(descriptionKey, sealDescription(descriptionKey, description));
    await this.output.put(...newIndexRow());
    await this.output.put(last, sealTotals(last, this.totals));
    await this.output.end();
    const { totals, lost } = this;
    return { totals, before, seq: end, batchesLost: end - seq, lost, lostUrls: this.output.lostUrls };
  }

  /** What the old index was made with; what is given where that cannot be read. @throws ShingledError as {@link madeUp} */
  describe(given: ExpectedIdentity, now: number): IndexDescription {
    const description = descriptionIn(this.old);
    this.lost.description = description === null;
    return description ?? madeUp(given, now);
  }

  private lastBatch(): { seq: number; totals: Totals | null } {
    let [seq, totals]: [number, Totals | null] = [0, null];
    for (const [key, value] of this.rowsOf(Table.totals)) {
      const read = attempt(() => openTotals(key, value));
      if (read !== undefined) [seq, totals] = [seqOfTotalsKey(key), read];
    }
    return { seq, totals };
  }

  private readContents(): void {
    const dead = new Set<number>();
    for (const [key] of this.rowsOf(Table.tombstone)) dead.add(contentOfDeathKey(key));
    for (const [key, value] of this.rowsOf(Table.content)) {
      const number = numberOfContentKey(key);
      if (dead.has(number)) continue;
      const content = attempt(() => openContent(key, value));
      if (content === undefined) this.lost.records++;
      else this.contents.add(number, content.id, ownerOf(content));
    }
  }

  private async writeSources(): Promise<void> {
    const versions = new VersionRows(this.rowsOf(Table.version), (sourceRow) =>
      this.output.lose(urlOfSourceKey(sourceRow)),
    );
    for (const [key, value] of this.rowsOf(Table.source)) {
      const url = urlOfSourceKey(key);
      const past = await versions.of(key);
      const row = attempt(() => openSource(key, value));
      const present = row && this.contents.findNamed(row.present.content, row.contentId);
      if (row === undefined || present === undefined) {
        if (row === undefined) this.lost.sources++;
        this.output.lose(url);
        continue;
      }
      const kept = past.filter(([name, bytes]) => isVersion(name, bytes, row.since));
      this.lost.versions += Math.max(0, row.versionCount - 1 - kept.length);
      for (const [name, bytes] of kept) await this.output.put(name, bytes);
      await this.writeSource(key, url, { ...row, versionCount: 1 + kept.length }, present);
    }
    // what is left is of none
    await versions.of(ABOVE);
  }

  private async writeSource(key: string, url: string, row: SourceRow, present: number): Promise<void> {
    const past: PastHold[] = [];
    for (const hold of row.past) {
      const content = this.contents.find(hold.content);
      const isTwice = content === present || past.some((other) => other.content === content);
      if (content === undefined || isTwice) this.lost.pastContents++;
      else past.push({ ...hold, content });
    }
    const rebuilt = { ...row, present: { ...row.present, content: present }, past };
    this.tally.add(rebuilt);
    await this.output.put(key, sealSource(key, rebuilt));
    const sample = hostSampleOf(key, () => rebuilt, this.rankKey);
    if (sample !== null) await this.output.put(...sealHostSample(sample));
    for (const { pastSince, content } of past) await this.output.putNothing(pastKey(pastSince, content, url));
    for (const content of [present, ...past.map((hold) => hold.content)]) {
      if (!this.contents.hold(content, url)) await this.output.putNothing(holderKey(content, url));
    }
    this.totals.sources++;
  }

  private async writeContents(indexModulusMax: number): Promise<void> {
    // what was put of table r is looked at
    await this.output.write();
    for (const [key, value] of this.rowsOf(Table.content)) {
      const number = numberOfContentKey(key);
      if (this.contents.find(number) !== number) continue;
      const content = openContent(key, value);
      if (this.contents.hasOwner(number)) await this.writeContent(number, content, indexModulusMax);
      else {
        await this.output.loseUnlessThere([ownerOf(content)]);
        if (!this.contents.hasOtherHolders(number)) this.lost.unheld++;
        else {
          const locator = locatorOf(number, await this.output.takeHolder(number));
          await this.writeContent(number, { ...content, locator }, indexModulusMax);
        }
      }
    }
  }

  private async writeContent(number: number, content: Content<KeptSample>, indexModulusMax: number): Promise<void> {
    const key = contentKey(number);
    await this.output.put(key, sealContent(key, content));
    const name = lexicalKey(content.id);
    await this.output.put(name, sealNumber(name, number));
    this.totals.contents++;
    this.totals.postings += postedFingerprints(content, indexModulusMax).length;
  }

  /** Names sources that are gone, from what is left of their holdings. */
  private async findStrayHolders(): Promise<void> {
    await this.output.write();
    let urls: string[] = [];
    const look = async () => {
      await this.output.loseUnlessThere(urls);
      urls = [];
    };
    for (const [key] of this.rowsOf(Table.holder)) if (urls.push(urlOfHolderKey(key)) >= URLS_AT_ONCE) await look();
    for (const [key] of this.rowsOf(Table.past)) if (urls.push(readPastKey(key).url) >= URLS_AT_ONCE) await look();
    await look();
  }

  private rowsOf(table: string): Generator<[key: string, value: Buffer]> {
    return this.old.rows(table, table + ABOVE);
  }
}

const isVersion = (key: string, value: Buffer, since: number) =>
  timeOfVersionKey(key) < since && attempt(() => openVersion(key, value)) !== undefined;

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
