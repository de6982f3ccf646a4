import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { firstLoad } from '../../src/commands/first-load.ts';
import { openDocuments } from '../../src/commands/open-documents.ts';
import { readConfig } from '../../src/config.ts';
import { createIndexKeyFile } from '../../src/identity/index-key.ts';
import { createLogger } from '../../src/logger.ts';
import { openIndex as openConfigured } from '../../src/open-index.ts';
import { SERVICE_LIMITS } from '../../src/service/limits.ts';
import { createService } from '../../src/service/service.ts';
import { EventLoop } from '../../src/sharing/turns.ts';
import { prepareFolder } from '../../src/store/level/folder/folder.ts';
import type { LoadedPlan } from '../../src/store/level/load/intake.ts';
import { Load } from '../../src/store/level/load/load.ts';
import type { NewContent } from '../../src/store/port.ts';
import { IDENTITY, ingest, openIndex, residentMiB, STORE_SETTINGS } from '../support/store/store-index.ts';
import { planOf, Sketches } from '../support/store/store-sketches.ts';
import { readSketches } from './load-sketches.ts';
import { readTexts } from './load-texts.ts';

export interface LoadFound {
  readonly documents: number;
  readonly wallMs: number;
  /** Of all threads. */
  readonly cpuUs: number;
  /** Of the main thread, which has its part while all others have theirs. */
  readonly mainUs: number;
  /** At the most, looked at four times a second. */
  readonly anonymousMiB: number;
  readonly temporaryBytes: number | null;
}

const SHINGLES = 130;
const BATCH = 256;
const CLIENTS = 1024;
const LOOK_EVERY_MS = 250;
const NOW = 1_700_000_000_000;

/** By name: each loads so many documents into an index in a folder of its own, inside the given one. */
export const JOBS: Readonly<Record<string, (folder: string, count: number) => Promise<LoadFound>>> = {
  texts: measured(async (dataDir, count, folder) => {
    const { loaded } = await firstLoad(configOf(dataDir), process.pid, readTexts(folder, count), {
      onAnswer: () => {},
      note: noNote,
    });
    return loaded!.temporaryBytes;
  }),
  'online-texts': measured(async (dataDir, count, folder) => {
    const config = configOf(dataDir);
    const { store, identity } = await openConfigured(config, process.pid, await createLogger('silent', false));
    const documents = openDocuments(config, identity);
    const loop = new EventLoop(SERVICE_LIMITS.sliceMs);
    const parts = { store, documents, identity, limits: SERVICE_LIMITS, loop, fetcher: null as never };
    const service = createService({ ...parts, now: Date.now, version: 'bench' });
    const access = { caller: 'bench', mayFetch: false };
    for await (const _ of service.bulk(readTexts(folder, count), access, { relaxed: true }));
    await documents.close();
    await store.close();
    return null;
  }),
  sketches: measured((dataDir, count, folder) => loadBatches(dataDir, readSketches(folder, count, BATCH))),
  'online-sketches': measured(async (dataDir, count) => {
    const sketches = new Sketches(SHINGLES);
    const store = await openIndex(dataDir);
    await ingest(store, (index) => sketches.plan(index), { to: count, clients: CLIENTS, relaxed: true });
    await store.close();
    return null;
  }),
};

/** Sketches that a first load is measured with. */
export const loadedSketches = () => new Sketches(SHINGLES);

/** Makes sketches and loads them into a new folder. @returns bytes of temporary files */
export function loadSketches(dataDir: string, count: number): Promise<number> {
  return loadBatches(dataDir, madeSketches(count));
}

async function loadBatches(dataDir: string, batches: AsyncIterable<NewContent[]>): Promise<number> {
  const folder = await prepareFolder({ dataDir, mustExist: false, pid: process.pid, isForLoad: true });
  createIndexKeyFile(folder.keyFile);
  const load = await Load.begin({ folder, ...IDENTITY, ...STORE_SETTINGS, now: NOW });
  return (await load!.run(plansOf(batches), { note: noNote })).temporaryBytes;
}

/** Checkpoints are set as by the command line, which keeps more with them. */
const noNote = async () => '';

const configOf = (DATA_DIR: string) => readConfig({ DATA_DIR }).config;

async function* madeSketches(count: number): AsyncGenerator<NewContent[], void, undefined> {
  const sketches = loadedSketches();
  for (let from = 0; from < count; from += BATCH) {
    yield Array.from({ length: Math.min(BATCH, count - from) }, (_, i) => sketches.content(from + i));
  }
}

async function* plansOf(batches: AsyncIterable<NewContent[]>): AsyncGenerator<LoadedPlan[], void, undefined> {
  const reject = (error: unknown) => {
    throw error;
  };
  let at = 0;
  for await (const contents of batches) {
    yield contents.map((content) => ({ request: planOf(at++, content), resolve: () => {}, reject }));
  }
}

function measured(work: (dataDir: string, count: number, folder: string) => Promise<number | null>) {
  return async (folder: string, documents: number): Promise<LoadFound> => {
    const dataDir = mkdtempSync(join(folder, 'index-'));
    let anonymousMiB = 0;
    const look = setInterval(() => {
      anonymousMiB = Math.max(anonymousMiB, residentMiB().anonymous);
    }, LOOK_EVERY_MS);
    const before = process.cpuUsage();
    const mainBefore = process.threadCpuUsage();
    const startedAt = performance.now();
    try {
      const temporaryBytes = await work(dataDir, documents, folder);
      const { user, system } = process.cpuUsage(before);
      const wallMs = performance.now() - startedAt;
      const main = process.threadCpuUsage(mainBefore);
      const mainUs = main.user + main.system;
      return { documents, wallMs, cpuUs: user + system, mainUs, anonymousMiB, temporaryBytes };
    } finally {
      clearInterval(look);
      rmSync(dataDir, { recursive: true, force: true });
    }
  };
}
