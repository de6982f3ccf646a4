import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Unreadable } from '../format/byte-reader.ts';
import { type Entry, readBatch, readLog } from './log-file.ts';
import { isLiveLog, type LiveFiles, logNumber, readManifest, tableName, tableNumber } from './manifest-file.ts';
import { type LostRange, TableFile } from './table-file.ts';

/*
 * A LevelDB folder read without LevelDB and without changing a byte of it: the newest state of every row that can be read.
 *
 *   table file ─┐
 *   table file ─┼─ merged by key, of equal keys the one with the highest sequence number
 *   log ────────┘
 *
 * The MANIFEST says which files count. Those that came after it was last written count too. Where it was cut they are
 * its missing part; what a killed process left unfinished repeats rows that others have. Without the MANIFEST all that
 * are there are read, among them such as LevelDB had left behind: a row that was deleted may come back then.
 *
 * Cost: each file that meets the range is read once; memory for those that overlap at one key, and for the logs.
 */

/** What could not be read. */
export interface Losses {
  /** Whether the MANIFEST says which files count. */
  manifest: boolean;
  /** Files that it names and that are not there. */
  readonly missing: string[];
  /** Table files of which nothing could be read. */
  readonly unreadable: string[];
  /** Blocks of table files. */
  readonly blocks: Set<string>;
  /** Parts of logs. */
  logPlaces: number;
}

export class MergedRows {
  readonly losses: Losses = { manifest: true, missing: [], unreadable: [], blocks: new Set(), logPlaces: 0 };
  private readonly tables: TableFile[] = [];
  /** Of all logs, sorted by key, the newest of a key first. */
  private readonly logged: Entry[] = [];

  /** @param folder the folder of the database; it must not be in use */
  constructor(folder: string) {
    const names = readdirSync(folder);
    const live = liveFiles(folder);
    this.losses.manifest = live !== undefined;
    this.openTables(folder, names, live);
    const logs = numbered(names, logNumber).filter(([, name]) => live === undefined || isLiveLog(live, name));
    if (live !== undefined && logs.length === 0) this.losses.missing.push(`${live.firstLog}.log or a later one`);
    for (const [, name] of logs.sort(([a], [b]) => a - b)) this.readLog(join(folder, name));
    this.logged.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : b.sequence - a.sequence));
  }

  /** The rows that there are with keys in gte..lt, in order. */
  *rows(gte: string, lt: string): Generator<[key: string, value: Buffer]> {
    const onLost = (path: string) => (range: LostRange) =>
      void this.losses.blocks.add(`${path}\n${range.from}\n${range.to}`);
    const sources = this.tables.map((table): Iterator<Entry> => table.rows(gte, lt, onLost(table.path)));
    sources.push(this.logged.filter(({ key }) => key >= gte && key < lt).values());
    let last: string | undefined;
    for (const entry of mergedEntries(sources)) {
      if (entry.key === last) continue;
      last = entry.key;
      if (entry.value !== null) yield [entry.key, entry.value];
    }
  }

  private openTables(folder: string, names: readonly string[], live: LiveFiles | undefined): void {
    const found = new Map(numbered(names, tableNumber));
    const isRead = (number: number) => live === undefined || live.tables.has(number) || number >= live.nextFile;
    const numbers = new Set([...(live?.tables.keys() ?? []), ...found.keys().filter(isRead)]);
    for (const number of numbers) {
      const name = found.get(number);
      if (name === undefined) {
        this.losses.missing.push(tableName(number));
        continue;
      }
      try {
        this.tables.push(TableFile.open(join(folder, name)));
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        this.losses.unreadable.push(name);
      }
    }
  }

  private readLog(path: string): void {
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.losses.logPlaces++;
      return;
    }
    const { records, damaged } = readLog(bytes);
    this.losses.logPlaces += damaged;
    for (const record of records) {
      try {
        this.logged.push(...readBatch(record));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        this.losses.logPlaces++;
      }
    }
  }
}

/** What the MANIFEST that CURRENT names says; undefined where either cannot be read to its end. */
export function liveFiles(folder: string): LiveFiles | undefined {
  try {
    const manifest = readFileSync(join(folder, 'CURRENT'), 'latin1').trim();
    const path = join(folder, manifest);
    if (!/^MANIFEST-\d+$/.test(manifest) || !statSync(path).isFile()) return undefined;
    const live = readManifest(readFileSync(path));
    return live.whole ? live : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

/** The names that have a number, with it. */
const numbered = (names: readonly string[], numberOf: (name: string) => number | undefined) =>
  names.flatMap((name) => {
    const number = numberOf(name);
    return number === undefined ? [] : [[number, name] as const];
  });

/** A file whose bytes make no sense, or that the disk does not give. */
const isUnreadable = (error: unknown) => error instanceof Unreadable || (error instanceof Error && 'code' in error);

interface Waiting {
  readonly source: Iterator<Entry>;
  readonly head: Entry;
}

/** Several sorted sources as one: by key, of equal keys the newest first. However it ends, they have come to their end. */
export function* mergedEntries(sources: readonly Iterator<Entry>[]): Generator<Entry, void, undefined> {
  const queue = new Queue();
  try {
    for (const source of sources) queue.add(source);
    for (let entry = queue.take(); entry !== undefined; entry = queue.take()) yield entry;
  } finally {
    for (const source of sources) source.return?.();
  }
}

class Queue {
  /** Sorted by their heads, the next one last. */
  private readonly waiting: Waiting[] = [];

  add(source: Iterator<Entry>): void {
    const { done, value: head } = source.next();
    if (done === true) return;
    // most often the source whose entry was taken comes next again
    let [low, high] = [0, this.waiting.length];
    for (let at = high - 1; low < high; at = (low + high) >> 1) {
      if (isBefore(head, this.waiting[at]!.head)) low = at + 1;
      else high = at;
    }
    this.waiting.splice(low, 0, { source, head });
  }

  take(): Entry | undefined {
    const next = this.waiting.pop();
    if (next !== undefined) this.add(next.source);
    return next?.head;
  }
}

const isBefore = (a: Entry, b: Entry) => a.key < b.key || (a.key === b.key && a.sequence > b.sequence);
