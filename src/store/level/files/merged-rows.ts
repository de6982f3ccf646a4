import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Unreadable } from '../format/byte-reader.ts';
import { type Entry, readBatch, readLog } from './log-file.ts';
import { type LiveFiles, logNumber, readManifest, tableName, tableNumber } from './manifest-file.ts';
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
    const logs = names
      .flatMap((name) => ({ name, number: logNumber(name) ?? -1 }))
      .filter(({ number }) => number >= 0)
      .filter(({ number }) => live === undefined || number >= live.firstLog || number === live.previousLog);
    if (live !== undefined && logs.length === 0) this.losses.missing.push(`${live.firstLog}.log or a later one`);
    for (const { name } of logs.sort((a, b) => a.number - b.number)) this.readLog(join(folder, name));
    this.logged.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : b.sequence - a.sequence));
  }

  /** The rows that there are with keys in gte..lt, in order. */
  *rows(gte: string, lt: string): Generator<[key: string, value: Buffer]> {
    const onLost = (path: string) => (range: LostRange) =>
      void this.losses.blocks.add(`${path}\n${range.from}\n${range.to}`);
    const queue = new Queue();
    for (const table of this.tables) if (table.meets(gte, lt)) queue.add(table.rows(gte, lt, onLost(table.path)));
    queue.add(this.logged.filter(({ key }) => key >= gte && key < lt).values());
    let last: string | undefined;
    for (let entry = queue.take(); entry !== undefined; entry = queue.take()) {
      if (entry.key === last) continue;
      last = entry.key;
      if (entry.value !== null) yield [entry.key, entry.value];
    }
  }

  private openTables(folder: string, names: readonly string[], live: LiveFiles | undefined): void {
    const found = new Map(
      names.flatMap((name) => ((n) => (n === undefined ? [] : [[n, name] as const]))(tableNumber(name))),
    );
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

/** A file whose bytes make no sense, or that the disk does not give. */
const isUnreadable = (error: unknown) => error instanceof Unreadable || (error instanceof Error && 'code' in error);

interface Waiting {
  readonly source: Iterator<Entry>;
  head: Entry;
}

/** Several sorted sources as one: by key, of equal keys the newest first. A binary heap. */
class Queue {
  private readonly heap: Waiting[] = [];

  add(source: Iterator<Entry>): void {
    const first = source.next();
    if (first.done === true) return;
    this.heap.push({ source, head: first.value });
    for (let at = this.heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(this.heap[at]!, this.heap[parent]!)) break;
      this.swap(at, parent);
      at = parent;
    }
  }

  take(): Entry | undefined {
    const first = this.heap[0];
    if (first === undefined) return undefined;
    const { head } = first;
    const next = first.source.next();
    if (next.done !== true) first.head = next.value;
    else {
      const last = this.heap.pop()!;
      if (this.heap.length > 0) this.heap[0] = last;
    }
    this.sink();
    return head;
  }

  private sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= this.heap.length) return;
      const right = left + 1;
      const child = right < this.heap.length && isBefore(this.heap[right]!, this.heap[left]!) ? right : left;
      if (!isBefore(this.heap[child]!, this.heap[at]!)) return;
      this.swap(at, child);
      at = child;
    }
  }

  private swap(a: number, b: number): void {
    const other = this.heap[a]!;
    this.heap[a] = this.heap[b]!;
    this.heap[b] = other;
  }
}

function isBefore({ head: a }: Waiting, { head: b }: Waiting): boolean {
  return a.key < b.key || (a.key === b.key && a.sequence > b.sequence);
}
