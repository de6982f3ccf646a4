import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, isDeepStrictEqual } from 'node:util';
import type { Sample } from '../../../src/core/sketch/modulus.ts';
import { prepareRestore } from '../../../src/store/level/backups/restore.ts';
import { takeBackup } from '../../../src/store/level/backups/take.ts';
import { checkAt } from '../../../src/store/level/check/check-process.ts';
import { prepareFolder } from '../../../src/store/level/folder/folder.ts';
import { readHighWater } from '../../../src/store/level/folder/high-water.ts';
import type { Content, Store } from '../../../src/store/port.ts';
import { MemoryStore } from '../memory-store/memory-store.ts';
import { randomQuestion } from '../model/random-plans.ts';
import { openFolder, TEST_DESCRIPTION, TEST_IDENTITY, TEST_RANK_KEY } from '../store/level-folder.ts';
import { ANY_OVERLAP, contentOf, putPlan, randomFrom, withoutLocator } from '../store/level-plans.ts';
import { problemsOf } from '../store/level-rows.ts';
import { type History, historyOf, type Life, live, namesIn, openHistory } from './backup-history.ts';

/*
 * Lives a history (backup-history.ts) beside a store in memory, and holds every backup against that: it restores, is sound,
 * answers as the memory did when it was taken, and can be written. Whatever a kill leaves is sound, too.
 */

const CHILD = fileURLToPath(new URL('./history-child.ts', import.meta.url));
const QUESTIONS = 24;
const NAMES = 12;
/** Of so many backups one is proven as the command does it: in a process of its own. */
const IN_CHILD = 25;

export interface BackupTally {
  rounds: number;
  steps: number;
  kills: number;
  backups: number;
  /** Of them, those of an index without segments. */
  withoutSegments: number;
  /** Of them, those that were taken of a closed index. */
  closed: number;
}

export const newBackupTally = (): BackupTally => ({
  ...{ rounds: 0, steps: 0, kills: 0, backups: 0, withoutSegments: 0, closed: 0 },
});

interface Expected {
  readonly name: string;
  readonly answers: readonly unknown[];
}

/** @throws Error naming the seed, and what does not hold */
export async function backupRound(folder: string, seed: number, tally: BackupTally): Promise<void> {
  const history = historyOf(seed);
  const dataDir = join(folder, 'index');
  const backups = join(folder, 'backups');
  await mkdir(backups);
  const memory = new MemoryStore(TEST_DESCRIPTION, history.settings);
  const questions = questionsOn(history, seed);
  const expected: Expected[] = [];
  const remember = async (name: string) => void expected.push({ name, answers: await answersOf(memory, questions) });
  for (const [number, life] of history.lives.entries()) {
    await (life.end === 'killed'
      ? liveAndDie(dataDir, seed, number, backups)
      : liveOn(dataDir, history, life, backups));
    await live(memory, life.steps, remember);
    tally.steps += life.steps.length;
    tally.kills += Number(life.end === 'killed');
    if (life.backupAfter === null) continue;
    await backupClosed(dataDir, join(backups, life.backupAfter));
    await remember(life.backupAfter);
    tally.closed++;
  }
  expectNothing(`seed ${seed}: the index`, await problemsOf(dataDir));
  if (readdirSync(backups).length !== expected.length) throw new Error(`seed ${seed}: not all backups are there`);
  for (const backup of expected) {
    tally.backups++;
    const isProvenApart = tally.backups % IN_CHILD === 0;
    tally.withoutSegments += Number(await prove(folder, backup, { history, seed, questions, isProvenApart }));
  }
  tally.rounds++;
}

async function liveOn(dataDir: string, history: History, { steps }: Life, backups: string): Promise<void> {
  const store = await openHistory(dataDir, history, backups);
  await live(store, steps, (name) => store.backup(name));
  await store.close();
}

/** In a process that is killed when all is acknowledged. */
async function liveAndDie(dataDir: string, seed: number, life: number, backups: string): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, CHILD, dataDir, String(seed), String(life), backups], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (said.includes('done')) child.kill('SIGKILL');
  });
  await new Promise((resolve) => child.once('close', resolve));
  if (!said.includes('done')) throw new Error(`seed ${seed}: the process of life ${life} has ended by itself`);
}

/** As the command does. */
async function backupClosed(dataDir: string, target: string): Promise<void> {
  const folder = await prepareFolder({ dataDir, mustExist: true, pid: process.pid });
  try {
    const batch = await readHighWater(join(folder.path, 'high-water'));
    const source = { folder: folder.path, keyFile: folder.keyFile, description: null, totals: () => null };
    await takeBackup({ ...source, alone: (work) => work(batch) }, target);
  } finally {
    await folder.release();
  }
}

interface Proof {
  readonly history: History;
  readonly seed: number;
  readonly questions: readonly Question[];
  readonly isProvenApart: boolean;
}

/** @returns whether the index has no segments */
async function prove(folder: string, { name, answers }: Expected, proof: Proof): Promise<boolean> {
  const { history, seed, questions, isProvenApart } = proof;
  const [backup, dataDir, what] = [join(folder, 'backups', name), join(folder, name), `seed ${seed}: backup ${name}`];
  const pid = process.pid;
  const restore = await prepareRestore({ backup, dataDir, indexKeyFile: undefined, pid, progress: () => undefined });
  try {
    const input = { path: restore.path, ...TEST_IDENTITY, rankKey: TEST_RANK_KEY };
    expectNothing(what, isProvenApart ? (await checkAt(input)).problems : await problemsOf(restore.path));
    await restore.finish();
  } finally {
    await restore.release();
  }
  const store = await openFolder(dataDir, { ...history.options, mustExist: true });
  const hasSegments = ((await store.stats()).index?.segments ?? 0) > 0;
  for (const [i, answer] of (await answersOf(store, questions)).entries()) {
    if (isDeepStrictEqual(answer, answers[i])) continue;
    throw new Error(`${what}: ${questions[i]}\n${inspect(answer)}\nwas answered, not\n${inspect(answers[i])}`);
  }
  await store.apply(putPlan('https://after.example/', contentOf(7, [1, 2, 3]), 1_000_000));
  await store.close();
  expectNothing(`${what}, written to`, await problemsOf(dataDir));
  return !hasSegments;
}

type Question = (store: Store) => Promise<unknown>;

/** The same ones whenever they are asked. */
function questionsOn(history: History, seed: number): Question[] {
  const random = randomFrom(seed + 1);
  const { urls, contents } = namesIn(history);
  const uncut = neverCut(history, contents);
  const some = <T>(all: readonly T[]) => Array.from({ length: Math.min(NAMES, all.length) }, (_, i) => all.at(-1 - i)!);
  const page = { limit: 9 };
  return [
    ...some(urls).flatMap((url): Question[] => [(store) => store.source(url), (store) => store.versions(url, page)]),
    ...some(contents).flatMap(({ id, sample, shingleDigest }): Question[] => [
      async (store) => withoutLocator(await store.content(id)),
      (store) => store.holders({ id }, page),
      async (store) => {
        const keys = sample.fingerprints.filter(uncut);
        const query = { ...ANY_OVERLAP, keys, candidatesMax: 20, shingleDigest };
        const { candidates, ...set } = await store.candidates(query);
        return { ...set, candidates: candidates.map(({ record, ...counts }) => ({ id: record.id, ...counts })) };
      },
    ]),
    ...Array.from({ length: QUESTIONS }, (): Question => {
      const { ask } = randomQuestion(random, 2000);
      return ask;
    }),
    async (store) => {
      const { sources, contents: distinct, postings } = await store.stats();
      return { sources, distinct, postings };
    },
  ];
}

/** Whether merges keep all of a fingerprint's postings. Of what they have cut, an index knows an estimate, and memory all. */
function neverCut({ options }: History, contents: readonly Content<Sample>[]): (fingerprint: number) => boolean {
  const keptPostingsMax = options.segments?.keptPostingsMax;
  if (keptPostingsMax === undefined) return () => true;
  const held = new Map<number, number>();
  for (const { sample } of contents) {
    for (const fingerprint of sample.fingerprints) held.set(fingerprint, (held.get(fingerprint) ?? 0) + 1);
  }
  return (fingerprint) => held.get(fingerprint)! <= keptPostingsMax;
}

const answersOf = (store: Store, questions: readonly Question[]): Promise<unknown[]> =>
  Promise.all(questions.map((ask) => ask(store)));

function expectNothing(what: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${what} is damaged: ${problems.slice(0, 5).join(' ')}`);
}
