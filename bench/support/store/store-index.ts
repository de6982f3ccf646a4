import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from '../../../src/core/sketch/modulus.ts';
import { wholeSample } from '../../../src/core/sketch/narrow.ts';
import { createIndexKeyFile } from '../../../src/identity/index-key.ts';
import type { MatchOptions } from '../../../src/service/api.ts';
import type { ServiceContext } from '../../../src/service/context.ts';
import { printEstimated } from '../../../src/service/document/pair.ts';
import type { Query } from '../../../src/service/document/query.ts';
import { DEFAULT_MATCH_OPTIONS, SERVICE_LIMITS } from '../../../src/service/limits.ts';
import { gatherCandidates, rankCandidates } from '../../../src/service/similar/candidates.ts';
import { withDeadline } from '../../../src/sharing/deadline.ts';
import { EventLoop } from '../../../src/sharing/turns.ts';
import { openLevel } from '../../../src/store/level/database/level-handle.ts';
import { prepareFolder } from '../../../src/store/level/folder/folder.ts';
import { DB_FOLDER } from '../../../src/store/level/folder/folder-parts.ts';
import { openLevelStore } from '../../../src/store/level/open.ts';
import type { ApplyOptions, Content, PutPlan, Store } from '../../../src/store/port.ts';
import { RETENTION_DEFAULT } from '../../../src/store/settings.ts';

export const IDENTITY = {
  keyId: '00000000',
  fingerprintId: '1.0000',
  olderFingerprintIds: [],
  shingleSize: 7,
  indexModulusMax: 8,
  recordModulusMax: 4,
} as const;
export const STORE_SETTINGS = { rankKey: [1, 2], retention: RETENTION_DEFAULT } as const;

const MATCHES = 10;
const UNDER_WAY_MAX = 1024;

/** Opens the index of a folder, or creates it there. @param storeMemoryMb STORE_MEMORY_MB */
export async function openIndex(dataDir: string, storeMemoryMb?: number): Promise<Store> {
  const folder = await prepareFolder({ dataDir, mustExist: false, pid: process.pid });
  if (folder.isNew) createIndexKeyFile(folder.keyFile);
  const memory = storeMemoryMb === undefined ? {} : { storeMemoryMb };
  return openLevelStore({ folder, ...IDENTITY, ...STORE_SETTINGS, ...memory, now: 1_700_000_000_000 });
}

export interface Rate {
  readonly perSecond: number;
  /** Of all threads of this process, a document or query, µs: where others use the machine too, the figure to trust. */
  readonly cpuUs: number;
}

/** A share of one core. */
const IDLE_SHARE = 0.03;
/** Longer than merging waits after the last write (segments/posting-index.ts). */
const IDLE_SAMPLE_MS = 7000;

/**
 * Resolves when a process has nothing left to do: segments are merged. At once where the system does not say.
 *
 * @returns seconds
 */
export async function untilIdle(pid: number | 'self' = 'self'): Promise<number> {
  const started = performance.now();
  for (let share = 1; share > IDLE_SHARE; ) {
    const before = cpuMs(pid);
    await sleep(IDLE_SAMPLE_MS);
    share = (cpuMs(pid) - before) / IDLE_SAMPLE_MS;
  }
  return (performance.now() - started) / 1000;
}

/** CPU time of all threads so far. */
export function cpuMs(pid: number | 'self'): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // in hundredths of a second
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return Number.NaN;
  }
}

/** Begins to measure the rate of something; the function that is returned ends it. */
function measureRate(): (count: number) => Rate {
  const cpu = process.cpuUsage();
  const started = performance.now();
  return (count) => {
    const { user, system } = process.cpuUsage(cpu);
    return { perSecond: (count / (performance.now() - started)) * 1000, cpuUs: (user + system) / count };
  };
}

/** Applies the plans from..to-1 with so many under way. */
export async function ingest(
  store: Store,
  plan: (index: number) => PutPlan,
  { from = 0, to, clients, relaxed = false }: { from?: number; to: number; clients: number; relaxed?: boolean },
): Promise<Rate> {
  const options: ApplyOptions = { roomWaitMs: 600_000, relaxed };
  let next = from;
  const rate = measureRate();
  const client = async () => {
    while (next < to) await store.apply(plan(next++), options);
  };
  await Promise.all(Array.from({ length: clients }, client));
  if (relaxed) await store.sync();
  return rate(to - from);
}

/** What asks as the service does, without HTTP and without reading a text: look up, count, compare, estimate. */
export class Asker {
  private readonly context: ServiceContext;

  constructor(store: Store) {
    // looking for candidates needs no more of it
    this.context = {
      store,
      limits: SERVICE_LIMITS,
      turns: new EventLoop(SERVICE_LIMITS.sliceMs).turnsOf('bench'),
    } as ServiceContext;
  }

  /** The resemblances of the ten nearest, as printed in an answer. */
  ask(content: Content<Sample>): Promise<number[]> {
    const query = queryOf(content);
    const { context } = this;
    return withDeadline(Number.POSITIVE_INFINITY, undefined, async (deadline) => {
      const { records } = await gatherCandidates({ ...context, deadline }, query, OPTIONS);
      const { ranked } = await rankCandidates({ ...context, deadline }, query, records, OPTIONS);
      return ranked.slice(0, MATCHES).map(({ pair }) => printEstimated(pair, OPTIONS.thresholds).resemblance.estimate);
    });
  }
}

const OPTIONS: MatchOptions = { ...DEFAULT_MATCH_OPTIONS, limit: MATCHES, deadlineMs: 60_000 };

function queryOf({ id, shingleDigest, tokenCount, shingleCount, sample }: Content<Sample>): Query {
  return {
    from: 'body',
    url: null,
    bytesDigest: id,
    id,
    main: null,
    shingleDigest,
    tokenCount,
    shingleCount,
    sample: wholeSample(sample),
    whole: null,
    version: null,
    document: null,
  };
}

/** Milliseconds of each query, with so many under way. */
export async function timeQueries(
  asker: Asker,
  queries: readonly Content<Sample>[],
  inFlight: number,
): Promise<Rate & { times: number[]; matches: number[][] }> {
  const times: number[] = [];
  const matches: number[][] = [];
  let next = 0;
  const rate = measureRate();
  const lane = async () => {
    while (next < queries.length) {
      const at = next++;
      const begun = performance.now();
      matches[at] = await asker.ask(queries[at]!);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return { times, matches, ...rate(queries.length) };
}

/**
 * Applies plans at a steady rate until told to stop, or at the rate that the store can keep, which is what is returned, a
 * second.
 */
export async function ingestSteadily(
  store: Store,
  plan: (index: number) => PutPlan,
  perSecond: number,
  until: Promise<unknown>,
): Promise<number> {
  let stopped = false;
  void until.then(() => {
    stopped = true;
  });
  const started = performance.now();
  const underWay = new Set<Promise<unknown>>();
  let sent = 0;
  while (!stopped) {
    const due = ((performance.now() - started) / 1000) * perSecond;
    while (sent < due && underWay.size < UNDER_WAY_MAX) {
      const applied: Promise<unknown> = store.apply(plan(sent++)).then(() => underWay.delete(applied));
      underWay.add(applied);
    }
    await sleep(1);
  }
  await Promise.all(underWay);
  return (sent / (performance.now() - started)) * 1000;
}

/** Bytes in LevelDB's table files of the tables whose keys begin with these letters. The index must be closed. */
export async function bytesOf(dataDir: string, tables: string): Promise<number> {
  const level = await openLevel(join(dataDir, DB_FOLDER), false);
  try {
    let bytes = 0;
    for (const table of tables) bytes += await level.approximateSize(table, `${table}\u007f`);
    return bytes;
  } finally {
    await level.close();
  }
}

/** Resident memory of a process, MiB: what is its own, and mapped files. NaN where the system does not say. */
export function residentMiB(pid: number | 'self' = 'self'): { anonymous: number; mapped: number } {
  const status = readStatus(pid);
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return { anonymous: of('RssAnon'), mapped: of('RssFile') };
}

function readStatus(pid: number | 'self'): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
