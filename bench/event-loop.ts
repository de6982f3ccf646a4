/*
 * How long one input can hold the event loop, during which nobody is answered, health checks neither.
 *
 *     npm run bench:event-loop [-- PATTERN-OF-NAMES] [--json]
 *
 * The whole service in its own process, over an index with long lists to answer with; a module in that process looks each ms
 * (loop-probe.ts). Each input is sent three times: the row is the longest of all by CPU time of the loop's thread, which
 * counts nothing that other processes took; beside it by the clock on the wall, which on a quiet machine says the same.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  FAMILY,
  familyMeta,
  familyText,
  SHORT_FAMILY,
  SOURCES,
  SOURCES_TEXT,
  shortText,
  shortUrl,
  sourceUrl,
  VERSIONED,
} from './support/loop/loop-index.ts';
import { LOOP_INPUTS, type LoopInput } from './support/loop/loop-inputs.ts';
import type { LoopHeld } from './support/loop/loop-probe.ts';
import { call, type ServiceProcess, startService } from './support/service-process.ts';
import { printRows, type Row, spreadOf } from './support/table.ts';

const ROUNDS = 3;
const HELD_MS_MAX = 50;
const LINES = 3000;
/** Where other work takes the cores, a request may be refused for that: it is sent again. */
const [BUSY, BUSY_MS] = [503, 1000];

const wanted = new RegExp(process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '');
const service = await startService(
  // where other work runs beside it, a worker may take longer than a document is given
  { RATE_LIMIT_PER_MINUTE: '0', WORKERS_TIMEOUT_MS: '60000' },
  new URL('support/loop/loop-probe.ts', import.meta.url),
);
const rows: Row[] = [];
try {
  await fill(service);
  for (const input of LOOP_INPUTS.filter(({ name }) => wanted.test(name))) rows.push(await measured(service, input));
  rows.sort((a, b) => b.value - a.value);
  printRows(`The longest that the event loop is held, ${rows.length} kinds of input`, rows);
} finally {
  await service.stop();
}

async function fill({ client }: ServiceProcess): Promise<void> {
  const documents = [
    ...Array.from({ length: SOURCES }, (_, i) => ({ url: sourceUrl(i), text: SOURCES_TEXT })),
    ...Array.from({ length: FAMILY }, (_, i) => ({
      ...{ url: `https://family.example/${i}`, text: familyText(i), meta: familyMeta() },
    })),
    ...Array.from({ length: SHORT_FAMILY }, (_, i) => ({ url: shortUrl(i), text: shortText(i) })),
    ...Array.from({ length: 1000 }, (_, i) => ({
      url: VERSIONED,
      text: `version ${i} of a page that changes each day`,
    })),
  ];
  for (let from = 0; from < documents.length; from += LINES) {
    const lines = documents.slice(from, from + LINES).map((document) => JSON.stringify({ op: 'put', ...document }));
    const { statusCode, body } = await client.request({
      ...{ method: 'POST', path: '/documents?durability=relaxed', headers: { 'content-type': 'application/x-ndjson' } },
      body: lines.join('\n'),
    });
    const [summary] = (await body.text()).trim().split('\n').slice(-1);
    if (statusCode !== 200 || !summary!.includes('"failed":0')) throw new Error(`the index: ${statusCode} ${summary}`);
  }
  await call(service.client, 'GET', '/stats');
}

async function measured({ client, child }: ServiceProcess, input: LoopInput): Promise<Row> {
  const { name, method, path, headers = {}, statuses, times = 1 } = input;
  const body = input.body?.() ?? null;
  const seen = new Map<number, number>();
  const held: LoopHeld[] = [];
  const ask = async (): Promise<void> => {
    const answer = await client.request({ method, path, headers, body });
    await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
    if (answer.statusCode === BUSY && !statuses.includes(BUSY)) {
      await sleep(BUSY_MS);
      return ask();
    }
    if (!statuses.includes(answer.statusCode)) throw new Error(`${name} was answered ${answer.statusCode}`);
    seen.set(answer.statusCode, (seen.get(answer.statusCode) ?? 0) + 1);
  };
  for (let round = 0; round < ROUNDS; round++) {
    await take(child);
    await Promise.all(Array.from({ length: times }, ask));
    held.push(await take(child));
  }
  const answered = [...seen].map(([status, count]) => `${count} × ${status}`).join(', ');
  const cpu = held.map(({ cpuMs }) => cpuMs);
  const wall = held.map(({ wallMs }) => wallMs);
  return {
    ...{ row: name, value: Math.max(...cpu), unit: 'ms', target: `<= ${HELD_MS_MAX}`, note: answered },
    wall: { ...spreadOf(wall), value: Math.max(...wall) },
  };
}

/** What was seen since it was last asked. */
async function take(child: ServiceProcess['child']): Promise<LoopHeld> {
  child.send('take');
  const [held] = (await once(child, 'message')) as [LoopHeld];
  return held;
}
