import { writeFileSync } from 'node:fs';
import { deriveIdentity, readIndexKeyFile } from '../../../src/identity/index-key.ts';
import { prepareFolder } from '../../../src/store/level/folder/folder.ts';
import { openLevelStore } from '../../../src/store/level/open.ts';
import type { Store } from '../../../src/store/port.ts';
import { RETENTION_DEFAULT } from '../../../src/store/settings.ts';
import { leaveAsKilled, text, URLS } from './level-damage.ts';
import { TEST_IDENTITY } from './level-folder.ts';
import { ANY_OVERLAP, deletePlan, gonePlan, putPlan } from './level-plans.ts';

/* An index with rows in every table and bytes in every kind of file, opened by its key as a service opens it. */

const TWIN = 'https://twin.example/';
/** What is asked is answered alike, or with this code; or the index does not open. */
const UNREADABLE = 'index-unreadable';

/** More than all take. */
const FILTER_BYTES_MAX = 2 ** 20;

/** Always the same, so that a seed says which bytes are damaged. */
const KEY_LINE = `shingled-index-key 1 ${'5a'.repeat(32)}\n`;

async function openKeyed(
  dataDir: string,
  mustExist: boolean,
  filterBytesMax: number,
  onVerified?: () => void,
): Promise<Store> {
  const folder = await prepareFolder({ dataDir, mustExist, pid: process.pid });
  try {
    if (folder.isNew) writeFileSync(folder.keyFile, KEY_LINE);
    const { keyId, fingerprintId, rankKey } = deriveIdentity(
      readIndexKeyFile(folder.keyFile),
      TEST_IDENTITY.shingleSize,
    );
    const retention = RETENTION_DEFAULT;
    const identity = { ...TEST_IDENTITY, keyId, fingerprintId };
    // of the memory for postings only what they fill: it is got anew for each damage
    const segments = { flushPostings: 20_000, filterBytesMax };
    const whole = { folder, ...identity, rankKey, retention, segments, listPostingsMax: 2, now: 1 };
    return await openLevelStore({ ...whole, ...(onVerified === undefined ? {} : { onVerified }) });
  } catch (error) {
    await folder.release();
    throw error;
  }
}

/** Three lives of a process, the last of them ended by a kill, so that some of it lies in tables and some in the log. */
export async function fillKeyed(dataDir: string): Promise<void> {
  const lives = [
    URLS.map((url, i) => putPlan(url, text(i), 1000)),
    [
      ...URLS.slice(0, 5).map((url, i) => putPlan(url, text(i + 50), 2000)),
      putPlan(TWIN, text(3), 3000),
      gonePlan(URLS[7]!, 2000),
    ],
    [
      ...URLS.slice(8, 12).map((url, i) => putPlan(url, text(i + 70), 4000)),
      deletePlan(URLS[19]!, 3000),
      putPlan(URLS[6]!, text(6), 4000),
    ],
  ];
  for (const [life, plans] of lives.entries()) {
    const store = await openKeyed(dataDir, false, FILTER_BYTES_MAX);
    for (const plan of plans) await store.apply(plan);
    await (life < 2 ? store.close() : leaveAsKilled(dataDir, store));
  }
}

/**
 * All that can be asked of the index, each answer as text.
 *
 * @param filterBytesMax 0: no thread is started to make filters, which takes longer than all the answers
 * @throws what opening throws
 */
export async function answersOf(dataDir: string, filterBytesMax = FILTER_BYTES_MAX): Promise<string[]> {
  const verified = Promise.withResolvers<void>();
  const store = await openKeyed(dataDir, true, filterBytesMax, verified.resolve);
  const answers: string[] = [];
  const ask = async (question: Promise<unknown>) => {
    answers.push(await question.then(printed, ({ code }: { code?: string }) => code ?? 'unknown error'));
  };
  try {
    for (const url of [...URLS, TWIN]) {
      await ask(store.source(url));
      await ask(store.versions(url, { limit: 9 }));
    }
    for (const i of [...URLS.keys(), 50, 51, 52, 53, 54, 70, 71, 72, 73]) {
      const { id, sample, shingleDigest } = text(i);
      await ask(store.content(id));
      await ask(store.holders({ id }, { limit: 9 }));
      const query = { keys: sample.fingerprints, candidatesMax: 100, ...ANY_OVERLAP, shingleDigest };
      const whole = (found: Awaited<ReturnType<Store['candidates']>>) => (found.unreadable > 0 ? UNREADABLE : found);
      await ask(store.candidates(query).then(whole));
    }
    for (const known of await store.getMany([...URLS, TWIN])) {
      answers.push(known === 'unreadable' ? UNREADABLE : printed(known));
    }
    await ask(store.stats().then(({ sources, contents, postings }) => ({ sources, contents, postings })));
    await verified.promise;
    // /health/ready says so
    answers.push(store.damaged ? UNREADABLE : 'sound');
  } finally {
    await store.close();
  }
  return answers;
}

export type Verdict =
  | { readonly verdict: 'harmless' | 'reported' }
  | { readonly verdict: 'silent'; readonly detail: string };

/** Whether what an index answers is what it answered when it was sound, or says that it cannot tell. */
export async function judge(dataDir: string, sound: readonly string[], filterBytesMax?: number): Promise<Verdict> {
  let answers: string[];
  try {
    answers = await answersOf(dataDir, filterBytesMax);
  } catch (error) {
    const { code } = error as { code?: string };
    if (LOUD.has(code)) return { verdict: 'reported' };
    return { verdict: 'silent', detail: `opening: ${String(error)}` };
  }
  if (answers.includes(UNREADABLE)) return { verdict: 'reported' };
  const wrong = answers.findIndex((answer, i) => answer !== sound[i]);
  if (wrong >= 0) return { verdict: 'silent', detail: `question ${wrong}: ${answers[wrong]}, not ${sound[wrong]}` };
  return { verdict: 'harmless' };
}

const LOUD = new Set<string | undefined>([
  ...['index-damaged', 'index-missing', 'index-mismatch', UNREADABLE],
  ...['invalid-config', 'storage-full'],
]);

function printed(answer: unknown): string {
  if (answer === UNREADABLE) return UNREADABLE;
  return JSON.stringify(answer ?? null, (_, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Float64Array) : value,
  );
}
