import { copyFile, type FileHandle, link, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeFailure, cutFailed, readCurrent } from '../files/current.ts';
import { isAbsent, syncFolder } from '../files/file-system.ts';
import { readBatch, readLog } from '../files/log-file.ts';
import { isLiveLog, logNumber } from '../files/manifest-file.ts';
import { Table } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { openFailure } from '../outage/failures.ts';
import { type LevelDatabase, logsIn, type OpenLevel, writeBatch } from './level-handle.ts';

/*
 * The logs of a folder while LevelDB opens it. Where LevelDB cannot read on, it takes that for the end of a log. Where
 * it cannot open a log, since the system has no descriptor to give for the moment, it passes it over. Either way it
 * opens, and deletes the log with all that it did not see. So
 *
 *   before    every log that the MANIFEST counts is opened here, and read to its end: what fails, fails the opening, and is
 *             tried again. The rows of older ones, which LevelDB could not delete, are in tables, and maybe others since
 *   between   each has a second name, which LevelDB does not know. So nothing is gone with a process that ends here: the next
 *             opening finds the log by that name. Nothing else is written before the name is gone
 *   after     of each the totals of the first and of the last batch must be there; where neither is, the log was passed
 *             over: it and all after it are written once more, in one batch. To open it here keeps its bytes, though its
 *             name is gone by then
 *
 * A log of which LevelDB has read a part is left as it is. Of what breaks off in it, or is behind damage, the trail of
 * batches judges. Cost: reading the logs once more; parsing some 2 MB of each.
 */

/** Read at a time, and parsed at either end of a log: whole blocks of the format. */
const PART_BYTES = 1024 * 1024;

/** Behind the name of a log: its second name. */
const KEPT = '.kept';

interface KeptLog {
  readonly name: string;
  readonly handle: FileHandle;
  readonly bytes: number;
}

export class KeptLogs {
  private readonly location: string;
  /** Oldest first. */
  private readonly logs: KeptLog[] = [];

  private constructor(location: string) {
    this.location = location;
  }

  /**
   * Opens all logs of a folder that count, and reads them to their ends.
   *
   * @throws the file system's error, FileError where CURRENT or its MANIFEST cannot be read
   */
  static async open(location: string): Promise<KeptLogs> {
    const kept = new KeptLogs(location);
    const current = await readCurrent(location);
    const live = (await beforeFailure(location, current)) ?? current.live;
    try {
      const names = (await logsIn(location)).filter((name) => isLiveLog(live, name));
      for (const name of await secondNamesIn(location)) if (!names.includes(firstName(name))) names.push(name);
      for (const name of names.sort((one, other) => numberOf(one) - numberOf(other))) {
        const handle = await open(join(location, name));
        const log = { name, handle, bytes: 0 };
        kept.logs.push(log);
        const part = Buffer.allocUnsafe(PART_BYTES);
        for (let read = -1; read !== 0; log.bytes += read) read = (await handle.read(part, 0, PART_BYTES)).bytesRead;
      }
      return kept;
    } catch (error) {
      await kept.close();
      throw error;
    }
  }

  /**
   * Opens the database of the folder with all that its logs hold.
   *
   * @throws what `open` throws, or LevelDB's error
   */
  async openWhole(open: OpenLevel): Promise<LevelDatabase> {
    await this.prepare().catch((error: unknown) => Promise.reject(openFailure(error)));
    const level = await open(this.location, false);
    try {
      await this.giveBack(level);
      await this.forgetSecondNames();
      return level;
    } catch (error) {
      await level.close();
      throw error;
    }
  }

  /**
   * Opens it anew, its handle closed before, and has it looked at.
   *
   * @throws what `open` and `prepare` throw; Error where somebody has kept it open
   */
  async openAnew(open: OpenLevel, prepare: (level: LevelDatabase) => Promise<void>): Promise<LevelDatabase> {
    const before = await this.manifest();
    const level = await this.openWhole(open);
    try {
      // LevelDB begins another with every opening: else it has what it had come to
      if ((await this.manifest()) === before) throw new Error('LevelDB was kept open.');
      await prepare(level);
      return level;
    } catch (error) {
      await level.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const { handle } of this.logs.splice(0)) await handle.close();
  }

  private manifest(): Promise<string> {
    return readFile(join(this.location, 'CURRENT'), 'latin1');
  }

  /** What LevelDB may find and lose is made ready for it. */
  private async prepare(): Promise<void> {
    await cutFailed(this.location, await readCurrent(this.location));
    for (const { name } of this.logs) if (!name.endsWith(KEPT)) await giveSecondName(join(this.location, name));
    if (this.logs.length > 0) await syncFolder(this.location);
  }

  /** A name that came back after a power cut would name rows that are older by then. */
  private async forgetSecondNames(): Promise<void> {
    const names = await secondNamesIn(this.location);
    for (const name of names) await rm(join(this.location, name));
    if (names.length > 0) await syncFolder(this.location);
  }

  /** Writes what LevelDB has passed over, durably. */
  private async giveBack(level: LevelDatabase): Promise<void> {
    const isMissing = await Promise.all(this.logs.map((log) => isPassedOver(level, log)));
    const from = isMissing.indexOf(true);
    if (from < 0) return;
    const changes: RowChange[] = [];
    for (const log of this.logs.slice(from)) {
      for (const record of readLog(await bytesOf(log, 0, log.bytes)).records) {
        for (const change of changesOf(record)) changes.push(change);
      }
    }
    // at once: of batches that were there, some written again and not all would take back what came after them
    await writeBatch(level, changes, false);
    await level.syncLogs();
  }
}

const firstName = (name: string) => name.slice(0, -KEPT.length);
const numberOf = (name: string) => logNumber(name.endsWith(KEPT) ? firstName(name) : name) ?? -1;

async function secondNamesIn(location: string): Promise<string[]> {
  return (await readdir(location)).filter((name) => name.endsWith(KEPT));
}

/** By a hard link, or a copy where the file system has none. A log that is gone by now has its rows in a table. */
async function giveSecondName(path: string): Promise<void> {
  await rm(path + KEPT, { force: true });
  await link(path, path + KEPT).catch((error) => (isAbsent(error) ? undefined : copyFile(path, path + KEPT)));
}

async function isPassedOver(level: LevelDatabase, log: KeptLog): Promise<boolean> {
  const lastPart = Math.floor(Math.max(0, log.bytes - 1) / PART_BYTES) * PART_BYTES;
  const first = (await totalsIn(log, 0, PART_BYTES)).at(0);
  const last = (await totalsIn(log, lastPart, log.bytes)).at(-1);
  // rows of segments alone: nothing that was acknowledged
  if (first === undefined || last === undefined) return false;
  const rows = await Promise.all([first, last].map((key) => level.get(key)));
  return rows.every((row) => row === undefined);
}

/** The keys of totals in a part, each batch puts one (batch-log.ts); in the whole log where the part has none by itself. */
async function totalsIn(log: KeptLog, from: number, to: number): Promise<readonly string[]> {
  const totals = totalsOf(await bytesOf(log, from, Math.min(to, log.bytes)));
  return totals.length > 0 ? totals : totalsOf(await bytesOf(log, 0, log.bytes));
}

function totalsOf(bytes: Buffer): string[] {
  return readLog(bytes).records.flatMap((record) =>
    readBatch(record).flatMap(({ key, value }) => (value !== null && key.startsWith(Table.totals) ? key : [])),
  );
}

function changesOf(record: Buffer): RowChange[] {
  return readBatch(record).map(({ key, value }) => [key, value]);
}

async function bytesOf({ handle }: KeptLog, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, at, Math.min(PART_BYTES, bytes.length - at), from + at);
    if (bytesRead === 0) return bytes.subarray(0, at);
    at += bytesRead;
  }
  return bytes;
}
