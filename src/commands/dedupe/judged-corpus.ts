import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../cluster/durable-files.ts';
import type { Corpus, CorpusReading, CorpusSink, RecordsTold } from '../../cluster/port.ts';
import { ShingledError } from '../../errors.ts';
import type { BulkOperation } from '../../service/api.ts';
import type { FilesWatch, RecordRange } from '../corpus-lines.ts';
import { rankOf } from './field-rank.ts';

/*
 * What a result does not say, and removing copies needs: kept beside it, so that a run which was ended goes on.
 *
 *   judged.json       how many records the inputs have, and how many documents of the other corpus come first
 *   ranks             of each document the number by which it stays, where a field says so
 *   revisits.ndjson   records that say: as it was there then
 */

const VERSION = 2;
const JUDGED_FILE = 'judged.json';
const RANKS_FILE = 'ranks';
const REVISITS_FILE = 'revisits.ndjson';
const FILES = [JUDGED_FILE, RANKS_FILE, REVISITS_FILE] as const;
const TEXT_CHARACTERS = 2 ** 16;

/** Another corpus, whose documents stay. */
export interface FixedPart {
  readonly names: readonly string[];
  /** Of each of its files which records it has; none of what is no files. */
  readonly ranges: readonly RecordRange[];
  readonly documents: number;
}

type CorpusMaker = (watch: FilesWatch) => Corpus;

export interface Judged {
  /** Of each input which records it has. */
  readonly ranges: readonly RecordRange[];
  /** null: there is none. */
  readonly fixed: FixedPart | null;
  /** Of the inputs alone. */
  readonly reading: CorpusReading;
  readonly documents: number;
}

interface JudgedJson extends Judged {
  readonly shingledDedupe: number;
  readonly fingerprint: string;
}

/** A record that says that what was at a URL is at this one, too. */
export interface Revisit {
  readonly record: number;
  readonly url: string;
  readonly as: string;
  /** It was there by then, ms since 1970; or, where it names the time of that record, just then. */
  readonly at: number;
  readonly isExact: boolean;
}

/** Both corpora as one, of which is written down what a result does not say. */
export class JudgedCorpus implements Corpus {
  readonly names: readonly string[];
  readonly fingerprint: string;
  readonly inputBytes: number | null;
  readonly readingBytes: number;
  private readonly folder: string;
  private readonly fixed: Corpus | null;
  private readonly files: Corpus;
  private readonly field: string | null;
  private ranges: RecordRange[] = [];
  private fixedRanges: RecordRange[] = [];
  private ranks: number[] = [];
  private revisits: TextFile | null = null;

  /**
   * @param fixedOf makes the corpus that stays
   * @param filesOf makes that of the inputs
   * @param field by which documents stay
   */
  constructor(folder: string, fixedOf: CorpusMaker | null, filesOf: CorpusMaker, field: string | null) {
    this.folder = folder;
    const nothing = () => undefined;
    this.fixed =
      fixedOf?.({ input: (range) => this.fixedRanges.push(range), record: nothing, document: nothing }) ?? null;
    this.files = filesOf({
      input: (range) => this.ranges.push(range),
      record: (operation, record) => this.note(operation, record),
      document: (operation) => this.rank(operation),
    });
    this.field = field;
    this.names = [...(this.fixed?.names ?? []), ...this.files.names];
    this.fingerprint = JSON.stringify([this.fixed?.fingerprint ?? null, this.files.fingerprint, field]);
    const parts = this.fixed === null ? [this.files] : [this.fixed, this.files];
    const sizes = parts.map(({ inputBytes }) => inputBytes);
    this.inputBytes = sizes.reduce((sum, size) => (sum === null || size === null ? null : sum + size), 0);
    this.readingBytes = Math.max(...parts.map(({ readingBytes }) => readingBytes));
  }

  async readInto(sink: CorpusSink, told: RecordsTold, signal: AbortSignal | undefined): Promise<CorpusReading> {
    for (const name of FILES) rmSync(join(this.folder, name), { force: true });
    this.ranges = [];
    this.fixedRanges = [];
    this.ranks = [];
    this.revisits = new TextFile(join(this.folder, REVISITS_FILE));
    let documents = 0;
    const counted: CorpusSink = {
      contents: (contents) => sink.contents(contents),
      document: (document) => {
        documents++;
        sink.document(document);
      },
      room: () => sink.room(),
    };
    try {
      const first = await this.fixed?.readInto(counted, told, signal);
      const fixed = first === undefined ? null : { names: this.fixed!.names, ranges: this.fixedRanges, documents };
      const before = first?.records ?? 0;
      const reading = await this.files.readInto(counted, (records, share) => told(before + records, share), signal);
      this.revisits.write();
      if (this.field !== null) this.writeRanks(documents - this.ranks.length);
      const { fingerprint, ranges } = this;
      const judged = { ranges, fixed, reading, documents: documents - (fixed?.documents ?? 0) };
      const json: JudgedJson = { shingledDedupe: VERSION, fingerprint, ...judged };
      writeWhole(join(this.folder, JUDGED_FILE), [Buffer.from(`${JSON.stringify(json)}\n`)]);
      return { ...reading, records: before + reading.records };
    } finally {
      this.revisits.close();
    }
  }

  private note(operation: BulkOperation, record: number): void {
    if (operation.op !== 'same') return;
    const { url, as, asAt, observedAt } = operation;
    const revisit: Revisit = {
      record,
      url,
      as,
      at: asAt ?? observedAt ?? Number.MAX_SAFE_INTEGER,
      isExact: asAt !== null,
    };
    this.revisits!.add(`${JSON.stringify(revisit)}\n`);
  }

  private rank(operation: BulkOperation): void {
    if (this.field === null || operation.op !== 'put') return;
    this.ranks.push(rankOf(operation.meta?.[this.field]));
  }

  private writeRanks(fixedCount: number): void {
    if (this.ranks.length > 0 && this.ranks.every(Number.isNaN)) {
      const detail = `No record has a number or a time in ${this.field}, by which documents were to be kept.`;
      throw new ShingledError('invalid-request', detail, { field: 'keep' });
    }
    const all = new Float64Array(fixedCount + this.ranks.length).fill(Number.NaN);
    all.set(this.ranks, fixedCount);
    writeWhole(join(this.folder, RANKS_FILE), [new Uint8Array(all.buffer)]);
  }
}

/** What was written down of a corpus; null where nothing was, or of another one. */
export function judgedIn(folder: string, fingerprint: string): Judged | null {
  try {
    const json = JSON.parse(readFileSync(join(folder, JUDGED_FILE), 'utf8')) as JudgedJson;
    return json.shingledDedupe === VERSION && json.fingerprint === fingerprint ? json : null;
  } catch {
    return null;
  }
}

/** Of each document, the fixed ones too; null where no field was asked for. */
export function ranksIn(folder: string): Float64Array | null {
  const path = join(folder, RANKS_FILE);
  return existsSync(path) ? new Float64Array(Uint8Array.from(readFileSync(path)).buffer) : null;
}

export const revisitsPath = (folder: string) => join(folder, REVISITS_FILE);

/** Lines that are gathered. */
class TextFile {
  private readonly path: string;
  private readonly file: number;
  private text = '';

  constructor(path: string) {
    this.path = path;
    this.file = openSync(path, 'w', 0o600);
  }

  add(line: string): void {
    this.text += line;
    if (this.text.length >= TEXT_CHARACTERS) this.write();
  }

  /** @throws ShingledError `storage-full` */
  write(): void {
    const bytes = Buffer.from(this.text);
    this.text = '';
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(this.file, bytes, at);
    } catch (cause) {
      throw new ShingledError('storage-full', `The disk refused ${this.path}.`, { cause });
    }
  }

  close(): void {
    closeSync(this.file);
  }
}
