import { makeRecord } from '../../../src/core/coding/made-record.ts';
import { createIndexKeyFile } from '../../../src/identity/index-key.ts';
import { prepareFolder } from '../../../src/store/level/folder/folder.ts';
import type { LoadedPlan } from '../../../src/store/level/load/intake.ts';
import { Load, type LoadOptions } from '../../../src/store/level/load/load.ts';
import type { LoadRun } from '../../../src/store/level/load/load-run.ts';
import type { Store, WriteOutcome, WritePlan } from '../../../src/store/port.ts';
import { RETENTION_DEFAULT } from '../../../src/store/settings.ts';
import { TEST_IDENTITY, TEST_RANK_KEY } from '../store/level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from '../store/level-plans.ts';
import { keysOf, withLevel } from '../store/level-rows.ts';

export type PutOnly = WritePlan & { readonly kind: 'put' };
export type LoadTestOptions = Partial<Omit<LoadOptions, 'folder'>>;

/** What a plan came to, or the code of its error. */
export type Told = WriteOutcome | string;

/** Puts of one source each, of contents that share some of their fingerprints with the next ones. */
export const manyPuts = (count: number): PutOnly[] =>
  Array.from(
    { length: count },
    (_, i) => putPlan(`https://many.example/${i}`, contentOf(i, fingerprintsOf(7 * i, 40)), 1000 + i) as PutOnly,
  );

/** Begins a load into a folder; null where there is something in its index. */
export async function beginLoad(dataDir: string, options: LoadTestOptions = {}): Promise<Load | null> {
  const folder = await prepareFolder({ dataDir, mustExist: false, pid: process.pid, isForLoad: true });
  if (folder.lacksKey) createIndexKeyFile(folder.keyFile);
  return Load.begin({
    ...{ ...TEST_IDENTITY, rankKey: TEST_RANK_KEY, retention: RETENTION_DEFAULT, now: 1_700_000_000_000, folder },
    ...{ storeMemoryMb: 1, chunkEntries: 16, ...options },
  });
}

/** Loads plans in batches of so many, and says what each came to. */
export async function loadPlans(
  dataDir: string,
  plans: readonly PutOnly[],
  options: LoadTestOptions = {},
  run: LoadRun & { readonly batch?: number } = {},
): Promise<Told[]> {
  const told: Told[] = [];
  const load = await beginLoad(dataDir, options);
  if (load === null) throw new Error('The index holds documents');
  await load.run(inBatches(plans, told, run.batch ?? 100), run);
  return told;
}

const recordOf = ({ content }: PutOnly) => makeRecord(content, TEST_IDENTITY.indexModulusMax);

export async function* inBatches(
  plans: Iterable<PutOnly>,
  told: Told[],
  size: number,
): AsyncGenerator<LoadedPlan[], void, undefined> {
  let batch: LoadedPlan[] = [];
  let next = 0;
  for (const request of plans) {
    const at = next++;
    const tell = (what: Told) => {
      told[at] = what;
    };
    batch.push({
      request,
      // every other one was made by whoever read the document
      record: at % 2 === 0 ? null : recordOf(request),
      resolve: tell,
      reject: (error) => tell((error as { code: string }).code),
    });
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Applies plans one after the other, as a service does, and says what each came to. */
export async function applyPlans(store: Store, plans: readonly WritePlan[]): Promise<Told[]> {
  const told: Told[] = [];
  for (const plan of plans) {
    await store.apply(plan, { relaxed: true }).then(
      (outcome) => void told.push(outcome),
      (error: unknown) => void told.push((error as { code: string }).code),
    );
  }
  return told;
}

/** The rows of a closed index that say what it holds, however its postings are laid out: key and value in hex. */
export function statementsOf(dataDir: string): Promise<Record<string, string>> {
  return withLevel(dataDir, async (level) => {
    const rows: Record<string, string> = {};
    for (const table of ['s', 'h', 'c', 'r', 'l', 'x']) {
      for (const key of await keysOf(level, table)) rows[key] = (await level.get(key))!.toString('hex');
    }
    return rows;
  });
}
