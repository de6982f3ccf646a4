import { join } from 'node:path';
import { ShingledError } from '../../errors.ts';
import { postedFingerprints } from '../contents.ts';
import type { IndexDescription } from '../port.ts';
import { Database } from './database/database.ts';
import { type LevelDatabase, pagesOf } from './database/level-handle.ts';
import { broughtUp, compare, type ExpectedIdentity, pipelineOf, readDescription } from './folder/description.ts';
import { startError } from './folder/folder.ts';
import { DB_FOLDER } from './folder/folder-parts.ts';
import { openContent } from './format/content-values.ts';
import { HolderTally } from './format/holder-tally.ts';
import { hostSampleOf, sealHostSample } from './format/host-sample-rows.ts';
import { ABOVE, descriptionKey, Table, under } from './format/keys.ts';
import type { RowChange } from './format/rows.ts';
import { FORMAT_VERSION, openSource, openTotals, sealDescription, sealTotals } from './format/values.ts';
import { newIndexRow } from './segments/restored-segments.ts';

/*
 * An index of an older format or pipeline brought to the present ones, in place:
 *
 *   format 4 ── step 4 ── "format 5" ── step 5 ── "format 6" ── step 6 ── "format 7" ── step 7 ── "format 8" ── step 8 ──
 *   "format 9" ── "pipeline 3"
 *
 * Each number is written when its step is on disk. That of the pipeline is all that its step writes.
 *
 * A process that is killed on the way has left an index of one of these formats, and its step is done again. So every step may
 * be done twice, and a build of the older format may have written in between.
 */

const ROWS_A_WRITE = 2000;

type RankKey = readonly [number, number];

type Step = (database: Database, rankKey: RankKey, description: IndexDescription) => Promise<void>;

const STEPS: Readonly<Record<number, Step>> = {
  // a row of format 4 is one of format 5 that knows of no change between versions
  4: async () => undefined,
  // one of format 5 is one of format 6 whose versions have no sketches
  5: async () => undefined,
  // one of format 6 does not say how many hold a content
  6: async (database) => {
    await clear(database, Table.holderCounts);
    const tally = new HolderTally();
    await database.read(async (level) => {
      for await (const [key, value] of rowsOf(level, Table.source)) tally.add(openSource(key, value));
    });
    await writeRows(database, tally.rows());
  },
  // one of format 7 is one of format 8 that does not know what is main text, and has no rows by which hosts are sampled
  7: async (database, rankKey) => {
    await clear(database, Table.hostSample);
    await database.read((level) => writeRows(database, hostSamples(level, rankKey)));
  },
  // one of format 8 has other postings: those of format 9 are made from the records when the index is opened, as after a repair
  8: async (database, _rankKey, { indexModulusMax }) => {
    let postings = 0;
    let last: [string, Buffer] | undefined;
    await database.read(async (level) => {
      for await (const [key, value] of rowsOf(level, Table.content)) {
        postings += postedFingerprints(openContent(key, value), indexModulusMax).length;
      }
      for await (const row of rowsOf(level, Table.totals)) last = row;
    });
    if (last === undefined) throw new ShingledError('index-damaged', 'The index does not say how far it has got.');
    const [key, value] = last as [string, Buffer];
    await writeRows(database, [newIndexRow(), [key, sealTotals(key, { ...openTotals(key, value), postings })]]);
    for (const table of [Table.bucket, Table.overflow, Table.shingleCounts, Table.tombstone])
      await clear(database, table);
    await database.syncAll();
  },
};

/** Rows of a migration that was killed may be out of date. */
async function clear(database: Database, table: string): Promise<void> {
  const [left] = await database.keys(under(table, 1));
  if (left !== undefined) await database.delete({ gte: table, lte: table + ABOVE });
}

async function* hostSamples(level: LevelDatabase, rankKey: RankKey): AsyncGenerator<RowChange, void, undefined> {
  for await (const [key, value] of rowsOf(level, Table.source)) {
    const row = hostSampleOf(key, () => openSource(key, value), rankKey);
    if (row !== null) yield sealHostSample(row);
  }
}

async function* rowsOf(level: LevelDatabase, table: string): AsyncGenerator<[string, Buffer], void, undefined> {
  const { gte, lt } = under(table, 0);
  for await (const page of pagesOf(level, { gte, lt })) yield* page;
}

/** What follows is written only once these are on disk. */
async function writeRows(database: Database, rows: Iterable<RowChange> | AsyncIterable<RowChange>): Promise<void> {
  let some: RowChange[] = [];
  for await (const row of rows) {
    if (some.push(row) < ROWS_A_WRITE) continue;
    await database.write('rows', some, false);
    some = [];
  }
  if (some.length > 0) await database.write('rows', some, false);
  await database.syncAll();
}

export interface Migrated {
  readonly from: number;
  readonly to: number;
  /** Versions of the pipeline. Records of the older one stay as they are. */
  readonly pipeline: { readonly from: number; readonly to: number };
}

/**
 * Brings an index to the present format and pipeline; one that has both stays as it is.
 *
 * @param path its folder, which this process owns
 * @throws ShingledError `index-mismatch`, `index-damaged`, `index-locked`, `storage-full`
 */
export async function migrate(
  path: string,
  identity: ExpectedIdentity & { readonly rankKey: RankKey },
): Promise<Migrated> {
  let database: Database | undefined;
  try {
    database = await Database.open(join(path, DB_FOLDER), false);
    let description = await readDescription(database);
    compare(description, identity);
    const before = description;
    const present = broughtUp(description, identity);
    const write = async (next: IndexDescription) => {
      description = next;
      await database?.write('documents', [[descriptionKey, sealDescription(descriptionKey, next)]]);
    };
    while (description.formatVersion < FORMAT_VERSION) {
      await STEPS[description.formatVersion]!(database, identity.rankKey, description);
      await write({ ...description, formatVersion: description.formatVersion + 1 });
    }
    if (description.fingerprintId !== present.fingerprintId) await write(present);
    const pipeline = { from: pipelineOf(before), to: pipelineOf(present) };
    return { from: before.formatVersion, to: FORMAT_VERSION, pipeline };
  } catch (error) {
    throw startError(error);
  } finally {
    await database?.close();
  }
}
