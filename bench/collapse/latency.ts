/*
 * What a search page feels: POST /collapse of the whole service over HTTP, in a process of its own on this machine.
 *
 *     npm run bench:collapse [-- FOLDER-OF-PAGES] [--json]
 *
 * The load generator shares the cores with the service. A page of results is 100 documents next to one another: generated
 * ones of 5 KB, of which four in ten have near-copies among them; or those of FOLDER-OF-PAGES (a docs.tsv, as npm run accuracy
 * takes) in the order of their names, so that the releases of a manual's page are together.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CollapseAnswer } from '../../src/service/api.ts';
import { corpusDocuments } from '../support/corpus.ts';
import { bulk, call, inParallel, type ServiceProcess, startService } from '../support/service-process.ts';
import { printRows, quantile, type Row } from '../support/table.ts';
import { documentText } from '../support/texts.ts';

const RESULTS = 100;
const INDEXED = 4_600;
const TEXT_BYTES = 5_000;
const CALLS = 400;
const OVERLOAD_S = 8;

interface Document {
  readonly url: string;
  readonly text?: string;
  readonly html?: string;
}

const folder = process.argv[2]?.startsWith('--') === false ? process.argv[2] : undefined;
const documents = folder === undefined ? generated() : pagesOf(folder);
const service = await startService();
const rows: Row[] = [];
try {
  await bulk(service.client, documents);
  const known = pages().map((page) => json(page.map(({ url }) => ({ url }))));
  const given = pages().map((page) => json(page));
  await callsInTurn(known.slice(0, 100));
  rows.push(...(await latency(`${RESULTS} known URLs`, known, CALLS, '<= 2.5')));
  const { row, perSecond } = await throughput(known);
  rows.push(row);
  rows.push(...(await latency(`${RESULTS} bodies`, given, 100, '<= 25')));
  rows.push(...(await overload(known, perSecond)));
  printRows('POST /collapse over HTTP', rows);
} finally {
  await service.stop();
}

function generated(): Document[] {
  return Array.from({ length: INDEXED }, (_, i) => ({
    url: `https://bench.example/${i}`,
    text: documentText(i, TEXT_BYTES),
  }));
}

function pagesOf(of: string): Document[] {
  const nameOf = (url: string) => url.slice(url.lastIndexOf('/'));
  return corpusDocuments(of)
    .slice(0, INDEXED)
    .sort((a, b) => (nameOf(a.url) < nameOf(b.url) ? -1 : 1))
    .map(({ url, path }) => ({ url, html: readFileSync(path, 'utf8') }));
}

/** Pages of results, each the documents from another place on. */
function pages(): Document[][] {
  const count = Math.floor(documents.length / RESULTS);
  return Array.from({ length: count }, (_, i) => documents.slice(i * RESULTS, (i + 1) * RESULTS));
}

function json(results: readonly object[]): { type: string; data: string } {
  // a page of bodies is read whole
  return { type: 'application/json', data: JSON.stringify({ results, deadlineMs: 1000 }) };
}

type Body = ReturnType<typeof json>;

async function collapse(body: Body): Promise<CollapseAnswer> {
  const answer = await call<CollapseAnswer>(service.client, 'POST', '/collapse', body);
  if (!answer.complete) throw new Error(`an answer is not complete: ${JSON.stringify(answer.limits)}`);
  return answer;
}

/** The ms that each call takes, one after the other. */
async function callsInTurn(bodies: readonly Body[]): Promise<number[]> {
  const took: number[] = [];
  for (const body of bodies) {
    const started = performance.now();
    await collapse(body);
    took.push(performance.now() - started);
  }
  return took;
}

async function latency(what: string, bodies: readonly Body[], calls: number, target: string): Promise<Row[]> {
  const cpuBefore = cpuMs(service);
  const took = await callsInTurn(Array.from({ length: calls }, (_, i) => bodies[i % bodies.length]!));
  const cpu = (cpuMs(service) - cpuBefore) / calls;
  const row = (q: number) => ({ row: `${what}, one client, p${q * 100}`, value: quantile(took, q), unit: 'ms' });
  return [
    { ...row(0.5), target, note: `N = ${calls}` },
    row(0.99),
    { row: `${what}, CPU time of the service`, value: cpu, unit: 'ms' },
  ];
}

async function throughput(bodies: readonly Body[]): Promise<{ row: Row; perSecond: number }> {
  const rates: number[] = [];
  for (let round = 0; round < 5; round++) {
    const started = performance.now();
    await inParallel(
      Array.from({ length: CALLS }, (_, i) => bodies[(round + i) % bodies.length]!),
      8,
      async (body) => {
        await collapse(body);
      },
    );
    rates.push((CALLS / (performance.now() - started)) * 1000);
  }
  const perSecond = quantile(rates, 0.5);
  const spread = { minimum: Math.min(...rates), maximum: Math.max(...rates) };
  const row = {
    row: `${RESULTS} known URLs, 8 clients`,
    value: perSecond,
    unit: 'calls/s',
    target: '>= 500',
    ...spread,
  };
  return { row, perSecond };
}

/** Calls at four times the rate that the service can answer, whether or not it has answered those before. */
async function overload(bodies: readonly Body[], perSecond: number): Promise<Row[]> {
  const seen = { answered: 0, refused: 0, empty: 0, withoutRetryAfter: 0, other: 0 };
  const took: number[] = [];
  const under: Promise<void>[] = [];
  const ask = async (body: Body): Promise<void> => {
    const started = performance.now();
    const {
      statusCode,
      headers,
      body: answer,
    } = await service.client.request({
      method: 'POST',
      path: '/collapse',
      headers: { 'content-type': body.type },
      body: body.data.replace('"deadlineMs":1000', '"deadlineMs":200'),
    });
    const text = await answer.text();
    if (statusCode === 200) {
      const { groups } = JSON.parse(text) as CollapseAnswer;
      took.push(performance.now() - started);
      if (groups.every(({ representative }) => representative.from === null)) seen.empty++;
      else seen.answered++;
    } else if (statusCode === 503) {
      seen.refused++;
      if (headers['retry-after'] === undefined) seen.withoutRetryAfter++;
    } else seen.other++;
  };
  const from = performance.now();
  const until = from + OVERLOAD_S * 1000;
  for (let sent = 0; performance.now() < until; sent++) {
    under.push(ask(bodies[sent % bodies.length]!));
    const ahead = from + ((sent + 1) / (4 * perSecond)) * 1000 - performance.now();
    if (ahead > 1) await sleep(ahead);
  }
  await Promise.all(under);
  // the last answers come long after the last call: 64 connections take one call each
  const elapsedS = (performance.now() - from) / 1000;
  const at = 'at four times that rate';
  return [
    {
      row: `${at}, answered`,
      value: seen.answered / elapsedS,
      unit: 'calls/s',
      note: `p99 ${quantile(took, 0.99).toFixed(0)} ms, with the wait for a connection`,
    },
    { row: `${at}, 503`, value: seen.refused / elapsedS, unit: 'calls/s' },
    { row: `${at}, 503 without Retry-After`, value: seen.withoutRetryAfter, unit: 'calls', target: '<= 0' },
    { row: `${at}, 200 with nothing in it`, value: seen.empty, unit: 'calls', target: '<= 0' },
    { row: `${at}, anything else`, value: seen.other, unit: 'calls', target: '<= 0' },
  ];
}

/** CPU time of a process so far, its threads together, user and system. */
function cpuMs({ pid }: ServiceProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const TICK_MS = 10;
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
