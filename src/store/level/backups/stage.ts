import { linkSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import type { Deadline } from '../../../sharing/deadline.ts';
import { rest } from '../../../sharing/waiting.ts';
import { type CurrentFiles, FileError, readCurrent } from '../files/current.ts';
import { isAbsent } from '../files/file-system.ts';
import { isLiveLog, tableName, tableNumber } from '../files/manifest-file.ts';
import { Unreadable } from '../format/byte-reader.ts';
import { nextTurn } from '../next-turn.ts';

/*
 * The files of a LevelDB at one moment, while it is open and nobody writes. Table files never change once they are
 * listed, so a hard link keeps them. The MANIFEST and the logs, which grow, are copied.
 *
 *   read CURRENT, MANIFEST ── link what it lists ── copy the logs ── is the MANIFEST still the same?
 *          ▲                                                             │ no: LevelDB has compacted meanwhile
 *          └─────────────────────────────────────────────────────────────┘
 */

const LINKS_A_SLICE = 64;
const RETRY_MS = 20;

/** Thrown inside where LevelDB has changed its files meanwhile. */
class Changed extends Error {}

/**
 * Brings the live files of a database into an empty folder.
 *
 * @throws ShingledError `overloaded` where its time was over first, `index-damaged` where a file is missing or cut
 */
export async function stageFiles(database: string, staging: string, until: Deadline): Promise<void> {
  for (;;) {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    try {
      await stageOnce(database, staging, until);
      return;
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
      if (until.passed) throw await whyNever(database);
      await rest(RETRY_MS, { ref: true });
    }
  }
}

async function stageOnce(database: string, staging: string, until: Deadline): Promise<void> {
  const before = await readState(database);
  const { tables } = before.live;
  if (before.live.damaged) throw new Changed();
  const names = await readdir(database);
  const tableNames = names.filter((name) => tables.has(tableNumber(name) ?? -1));
  const logNames = names.filter((name) => isLiveLog(before.live, name));
  if (tableNames.length < tables.size) throw new Changed();
  let slice = 0;
  for (const name of tableNames) {
    await keep(join(database, name), join(staging, name));
    if (++slice % LINKS_A_SLICE !== 0) continue;
    await nextTurn();
    if (until.passed) throw tooSlow();
  }
  for (const name of tableNames) await expectBytes(join(staging, name), tables.get(tableNumber(name)!)!, name);
  for (const name of logNames) await copy(join(database, name), join(staging, name));
  await writeFile(join(staging, before.manifest), before.bytes, { mode: 0o600 });
  await writeFile(join(staging, 'CURRENT'), `${before.manifest}\n`, { mode: 0o600 });
  const after = await readState(database);
  if (after.manifest !== before.manifest || !after.bytes.equals(before.bytes)) throw new Changed();
}

async function readState(database: string): Promise<CurrentFiles> {
  try {
    return await readCurrent(database);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw error.cause instanceof Unreadable ? new Changed() : changedOr(error.cause);
  }
}

/** A hard link; a copy where the file system has none. */
async function keep(from: string, to: string): Promise<void> {
  try {
    linkSync(from, to);
  } catch (error) {
    if (changedOr(error) instanceof Changed) throw new Changed();
    await copy(from, to);
  }
}

const copy = (from: string, to: string) =>
  copyFile(from, to).catch((error: unknown) => Promise.reject(changedOr(error)));

async function expectBytes(path: string, bytes: number, name: string): Promise<void> {
  const { size } = await stat(path);
  if (size === bytes) return;
  throw damaged(`${name} has ${size} bytes; LevelDB wrote ${bytes}.`);
}

const changedOr = (error: unknown): unknown => (isAbsent(error) ? new Changed() : error);

/** Files kept changing, or one is not there at all. */
async function whyNever(database: string): Promise<ShingledError> {
  try {
    const { live } = await readCurrent(database);
    const names = new Set((await readdir(database)).map(tableNumber));
    if (live.damaged) return damaged('The MANIFEST of the index is damaged.');
    const missing = [...live.tables.keys()].find((number) => !names.has(number));
    if (missing === undefined) return tooSlow();
    return damaged(`The index lacks its file ${tableName(missing)}.`);
  } catch (cause) {
    return damaged('The index lacks CURRENT or its MANIFEST.', cause);
  }
}

const damaged = (detail: string, cause?: unknown) =>
  new ShingledError('index-damaged', `${detail} Run "shingled check".`, { cause });

const tooSlow = () =>
  new ShingledError('overloaded', 'Writes would have waited too long for the backup; they go on without it.', {
    retryAfterS: 30,
  });
