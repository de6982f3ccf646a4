import { describe, expect, it } from 'vitest';
import { documentText } from '../../bench/support/texts.ts';
import { serveHere } from '../support/process/run-here.ts';
import { type SpawnedService, spawnService } from '../support/process/spawn-service.ts';
import { put } from '../support/process/started-service.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const BYTES = 900;
const DOCUMENTS = 150;
const urlOf = (index: number) => `https://known.example/${index}`;

interface Similar {
  readonly matches: readonly { readonly equivalence: string; readonly sources: readonly { readonly url: string }[] }[];
  readonly complete: boolean;
}

async function similar(service: Pick<SpawnedService, 'url'>, text: string, options = ''): Promise<Similar> {
  const headers = { 'content-type': 'text/plain; charset=utf-8' };
  // dozens at once on a busy machine take longer than a question usually may
  const response = await fetch(`${service.url}/similar?deadlineMs=60000&${options}`, {
    method: 'POST',
    headers,
    body: text,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return (await response.json()) as Similar;
}

const urlsOf = ({ matches }: Similar) => matches.flatMap(({ sources }) => sources.map(({ url }) => url));

/** Questions that threads have answered, and given back. */
async function done(service: SpawnedService): Promise<{ answered: number; givenBack: number }> {
  const page = await (await fetch(`${service.url}/metrics`)).text();
  const sum = (result: string) => {
    const lines = page.matchAll(new RegExp(`^shingled_query_thread_questions_total\\{.*"${result}"\\} (\\d+)`, 'gm'));
    return [...lines].reduce((total, [, count]) => total + Number(count), 0);
  };
  return { answered: sum('answered'), givenBack: sum('given back') };
}

const sameButTime = ({ elapsedMs: _, ...answer }: Similar & { elapsedMs?: number }) => answer;

async function stopped(service: SpawnedService): Promise<void> {
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  expect(service.stderr()).toBe('');
}

/** One that a thread hands over as bytes. */
async function expectLongAnswer(service: SpawnedService): Promise<void> {
  const copies = Array.from({ length: 600 }, (_, copy) => `https://copies.example/${'a'.repeat(300)}/${copy}`).sort();
  const text = documentText(90_000_000, BYTES);
  const lines = copies.map((url) => JSON.stringify({ op: 'put', url, text }));
  const headers = { 'content-type': 'application/x-ndjson' };
  const written = await fetch(`${service.url}/documents`, { method: 'POST', headers, body: lines.join('\n') });
  expect(await written.text()).toContain('"failed":0');
  const before = await done(service);
  // the main thread answers a question that comes alone
  const answers = await Promise.all(Array.from({ length: 20 }, () => similar(service, text, 'sourcesPerMatch=1000')));
  for (const answer of answers) expect(urlsOf(answer).toSorted()).toEqual(copies);
  const after = await done(service);
  expect([after.answered, after.givenBack]).toEqual([expect.toSatisfy((n) => n > before.answered), before.givenBack]);
}

/** Lanes write, forget and ask beside one another, while one compacts. */
async function expectOnlyWhatIsKnown(service: SpawnedService): Promise<void> {
  const until = performance.now() + 1000;
  const before = await done(service);
  const failures: string[] = [];
  let turns = 0;
  // on a machine that others load, too, there are as many turns
  const isOver = () => performance.now() >= until && turns > 20;
  const writer = async (lane: number) => {
    for (let i = 0; !isOver(); i++, turns++) {
      const url = `https://lane${lane}.example/${i}`;
      const text = documentText(1_000_000 * (lane + 1) + i, BYTES);
      expect((await put(service, url, text)).status).toBe(201);
      const found = await Promise.all([similar(service, text), similar(service, text)]);
      for (const answer of found) if (!urlsOf(answer).includes(url)) failures.push(`${url} was not found`);
      const gone = await fetch(`${service.url}/documents?url=${encodeURIComponent(url)}`, { method: 'DELETE' });
      expect(gone.status).toBe(200);
      const after = await Promise.all([similar(service, text), similar(service, text)]);
      for (const answer of after) if (urlsOf(answer).includes(url)) failures.push(`${url} was found again`);
      if (found.concat(after).some(({ complete }) => !complete)) failures.push(`an answer of ${url} is not complete`);
    }
  };
  const compactor = async () => {
    while (!isOver()) await fetch(`${service.url}/admin/compact`, { method: 'POST' });
  };
  await Promise.all([...Array.from({ length: 6 }, (_, lane) => writer(lane)), compactor()]);
  expect(failures).toEqual([]);
  expect(turns).toBeGreaterThan(20);
  expect((await done(service)).answered - before.answered).toBeGreaterThan(20);
  expect(await (await fetch(`${service.url}/health/ready`)).text()).toContain('"undamaged":true');
}

describe('a service with query threads', { timeout: 120_000 }, () => {
  it('gives from its threads, field by field, the answers of the main thread, and while others write, forget and compact, finds what was acknowledged and nothing that was forgotten', async () => {
    const folder = temporaryFolder();
    const main = await serveHere({ DATA_DIR: folder, QUERY_THREADS: '0' });
    for (let i = 0; i < DOCUMENTS; i++) expect((await put(main, urlOf(i), documentText(i, BYTES))).status).toBe(201);
    const texts = Array.from({ length: 40 }, (_, i) => documentText(3 * i, BYTES));
    const options = [
      '',
      'passages=true',
      'limit=2&groupBy=host',
      'resemblance=0.2&undecided=include',
      'thorough=true&limit=3',
    ];
    const asked = texts.flatMap((text, i) => [{ text, options: options[i % options.length]! }]);
    const alone: Similar[] = [];
    for (const one of asked) alone.push(await similar(main, one.text, one.options));
    await main.stop();

    // a busy machine is late, and the service turns calls away for that
    const service = await spawnService({ DATA_DIR: folder, QUERY_THREADS: '2', EVENT_LOOP_DELAY_MS_MAX: '0' });
    for (let round = 0; round < 50 && (await done(service)).answered < 2 * asked.length; round++) {
      const together = await Promise.all(asked.map((one) => similar(service, one.text, one.options)));
      expect(together.map(sameButTime)).toEqual(alone.map(sameButTime));
    }
    const { answered, givenBack } = await done(service);
    expect(answered).toBeGreaterThanOrEqual(2 * asked.length);
    expect(givenBack).toBe(0);

    const byUrl = (index: number) => fetch(`${service.url}/similar?fetch=never&url=${urlOf(index)}`);
    const known = await Promise.all(Array.from({ length: 20 }, (_, i) => byUrl(i)));
    expect(known.map(({ status }) => status)).toEqual(known.map(() => 200));
    // what is wrong is met by the main thread, which says so
    const unknown = await Promise.all(Array.from({ length: 10 }, (_, i) => byUrl(DOCUMENTS + i)));
    expect(unknown.map(({ status }) => status)).toEqual(unknown.map(() => 404));
    await expectLongAnswer(service);
    await expectOnlyWhatIsKnown(service);
    await stopped(service);
  });
});
