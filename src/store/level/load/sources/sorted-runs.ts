import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFile, syncFolder } from '../../files/file-system.ts';
import type { Entry } from '../../files/log-file.ts';
import { mergedEntries } from '../../files/merged-rows.ts';
import { TableFile } from '../../files/table-file.ts';
import { isOfSystem, rowFailure, TableWriter } from '../../files/table-writer.ts';
import { ABOVE, Table } from '../../format/keys.ts';
import { unreadable } from '../../format/value-bytes.ts';
import { storageFull } from '../../outage/failures.ts';
import type { RunsMark } from '../checkpoint/checkpoint-file.ts';
import { GrownFile } from '../checkpoint/grown-file.ts';
import { RowArena } from './row-arena.ts';

/*
 * Rows that come in any order, sorted outside memory (Broder 1997, §4: divide, compute, merge):
 *
 *   rows ─► memory ─ full: sorted ─► run 0, run 1, …      table files of temporary use ─┐
 *                  ─ at the end: sorted ──────────────────────────────────────────────┴─ merged
 *
 * Who keeps the number of a row's run may ask for the row again. Cost: where all rows fit in memory none is written to a file,
 * else each is once, and read once. What is in memory when a mark is set is written once more, as it lies there:
 *
 *   0.run 1.run   whole      2.log   rows of run 2, which is in memory still; gone with the first mark after its end
 */

/** More would save a few files. Places in memory have 32 bits (row-arena.ts). */
const RUN_BYTES_MAX = 2 ** 30;

export class SortedRuns {
  /** Of rows that are in no file yet. */
  readonly memoryBytes: number;
  private readonly folder: string;
  private readonly arena = new RowArena();
  private readonly runs: TableWriter[] = [];
  private readonly runBytes: number[] = [];
  /** Of the run in memory, once there was a mark; its first bytes are in it. */
  private log: GrownFile | null = null;
  private loggedBytes = 0;
  /** Runs that have ended, whose logs the last mark may need. */
  private readonly logsOver: number[] = [];
  /** Runs that have ended since the last mark. */
  private readonly ended: string[] = [];
  /** Files of the last mark that no mark before had. */
  private unsynced: readonly string[] = [];

  /** @param folder an empty one @param memoryBytes for rows that are in no file yet; more than 1 GiB is not used */
  constructor(folder: string, memoryBytes: number) {
    this.folder = folder;
    this.memoryBytes = Math.min(RUN_BYTES_MAX, memoryBytes);
  }

  /** Goes on from a mark. @throws Unreadable where a file is not what it was; the file system's error */
  static reopen(folder: string, memoryBytes: number, { runBytes, log }: RunsMark): SortedRuns {
    const sorted = new SortedRuns(folder, memoryBytes);
    for (const [run, bytes] of runBytes.entries()) {
      sorted.runs.push(TableWriter.whole(sorted.fileOf(run, 'run'), bytes));
      sorted.runBytes.push(bytes);
    }
    const known = new Set(runBytes.map((_, run) => sorted.fileOf(run, 'run')));
    if (log !== null) known.add(sorted.fileOf(sorted.run, 'log'));
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (!known.has(path)) rmSync(path);
    }
    if (log === null) return sorted;
    sorted.log = GrownFile.reopen(sorted.fileOf(sorted.run, 'log'), log);
    sorted.arena.restore(sorted.log.bytes());
    sorted.loggedBytes = log.bytes;
    return sorted;
  }

  /** Of temporary files. */
  get fileBytes(): number {
    return this.runBytes.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Writes what is in memory only. @throws ShingledError `storage-full` */
  mark(): RunsMark {
    const tail = this.arena.tail(this.loggedBytes);
    try {
      if (tail.length > 0) {
        this.log ??= GrownFile.create(this.fileOf(this.run, 'log'));
        this.log.append(tail);
        this.loggedBytes += tail.length;
      }
      this.unsynced = [...this.ended.splice(0), ...(this.log === null ? [] : [this.log.path])];
      return { runBytes: [...this.runBytes], log: this.log?.mark() ?? null };
    } catch (cause) {
      throw refused(cause);
    }
  }

  /** Brings what the last mark names to the disk. @throws ShingledError `storage-full` */
  async sync(): Promise<void> {
    try {
      for (const path of this.unsynced) await syncFile(path);
      await syncFolder(this.folder);
    } catch (cause) {
      throw refused(cause);
    }
  }

  /** The last mark is on the disk: what only those before it need is removed. @param run of that mark */
  forgetBefore(run: number): void {
    for (let at = 0; at < this.logsOver.length; ) {
      if (this.logsOver[at]! < run) rmSync(this.fileOf(this.logsOver.splice(at, 1)[0]!, 'log'), { force: true });
      else at++;
    }
  }

  /** Of all rows. */
  get bytes(): number {
    return this.fileBytes + this.arena.size;
  }

  /** The run that rows come into, until {@link endRunIfFull} ends it. */
  get run(): number {
    return this.runs.length;
  }

  /** Ends the run where memory is full, to be asked every few hundred rows. @throws ShingledError `storage-full` */
  endRunIfFull(): void {
    if (this.arena.size < this.memoryBytes) return;
    let run: TableWriter | undefined;
    try {
      run = TableWriter.create(this.fileOf(this.run, 'run'));
      for (const [key, value] of this.arena.rows()) run.add(key, value);
      this.runBytes.push(run.finish().bytes);
    } catch (cause) {
      run?.close();
      throw refused(cause);
    }
    this.endLog();
    this.ended.push(run.path);
    this.runs.push(run);
    this.arena.clear();
  }

  close(): void {
    this.log?.close();
    this.log = null;
  }

  /** @param key that of no other row, one byte a character, and no 0 at its end */
  add(key: string, value: Uint8Array): void {
    this.arena.add(key, value);
  }

  /** A row of a run; undefined where none has the key. @throws ShingledError `index-unreadable`, `overloaded` */
  get(key: string, run: number): Buffer | undefined {
    try {
      return run === this.run ? this.arena.get(key) : this.runs[run]!.get(key);
    } catch (cause) {
      throw rowFailure(key, cause);
    }
  }

  /** All rows in the order of their keys. @throws ShingledError `index-unreadable`, `overloaded` */
  rows(): Generator<readonly [key: string, value: Buffer], void, undefined> {
    return this.runs.length === 0 ? this.arena.rows() : this.mergedRuns();
  }

  /** All keys of runs and of memory, with their runs. @throws ShingledError `index-unreadable`, `overloaded` */
  *keys(): Generator<readonly [key: string, run: number], void, undefined> {
    for (const [run, table] of this.runs.entries()) {
      try {
        for (const [key] of table.rows()) yield [key, run];
      } catch (cause) {
        throw rowFailure(Table.source, cause);
      }
    }
    for (const key of this.arena.keys()) yield [key, this.run];
  }

  private fileOf(run: number, kind: 'run' | 'log'): string {
    return join(this.folder, `${run}.${kind}`);
  }

  private endLog(): void {
    if (this.log === null) return;
    this.logsOver.push(this.run);
    this.close();
    this.loggedBytes = 0;
  }

  private *mergedRuns(): Generator<readonly [key: string, value: Buffer], void, undefined> {
    const lost = () => {
      throw unreadable(Table.source);
    };
    try {
      const files = this.runs.map(({ path }) => TableFile.open(path).rows('', ABOVE, lost));
      for (const { key, value } of mergedEntries([...files, entriesOf(this.arena)])) yield [key, value!];
    } catch (cause) {
      throw rowFailure(Table.source, cause);
    }
  }
}

const refused = (cause: unknown) =>
  isOfSystem(cause) ? storageFull('The disk refused rows that are to be sorted.', { cause }) : cause;

function* entriesOf(arena: RowArena): Generator<Entry> {
  for (const [key, value] of arena.rows()) yield { key, sequence: 0, value };
}
