import { join } from 'node:path';
import type { Entry } from '../../files/log-file.ts';
import { mergedEntries } from '../../files/merged-rows.ts';
import { TableFile } from '../../files/table-file.ts';
import { isOfSystem, rowFailure, TableWriter } from '../../files/table-writer.ts';
import { ABOVE, Table } from '../../format/keys.ts';
import { unreadable } from '../../format/value-bytes.ts';
import { storageFull } from '../../outage/failures.ts';
import { RowArena } from './row-arena.ts';

/*
 * Rows that come in any order, sorted outside memory (Broder 1997, §4: divide, compute, merge):
 *
 *   rows ─► memory ─ full: sorted ─► run 0, run 1, …      table files of temporary use ─┐
 *                  ─ at the end: sorted ──────────────────────────────────────────────┴─ merged
 *
 * Who keeps the number of a row's run may ask for the row again. Cost: where all rows fit in memory none is written to a file,
 * else each is once, and read once.
 */

/** More would save a few files. Places in memory have 32 bits (row-arena.ts). */
const RUN_BYTES_MAX = 2 ** 30;

export class SortedRuns {
  /** Of rows that are in no file yet. */
  readonly memoryBytes: number;
  private readonly folder: string;
  private readonly arena = new RowArena();
  private readonly runs: TableWriter[] = [];
  /** Of temporary files. */
  fileBytes = 0;

  /** @param folder an empty one @param memoryBytes for rows that are in no file yet; more than 1 GiB is not used */
  constructor(folder: string, memoryBytes: number) {
    this.folder = folder;
    this.memoryBytes = Math.min(RUN_BYTES_MAX, memoryBytes);
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
      run = new TableWriter(join(this.folder, `${this.run}.run`));
      for (const [key, value] of this.arena.rows()) run.add(key, value);
      this.fileBytes += run.finish().bytes;
    } catch (cause) {
      run?.close();
      throw isOfSystem(cause) ? storageFull('The disk refused rows that are to be sorted.', { cause }) : cause;
    }
    this.runs.push(run);
    this.arena.clear();
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

function* entriesOf(arena: RowArena): Generator<Entry> {
  for (const [key, value] of arena.rows()) yield { key, sequence: 0, value };
}
