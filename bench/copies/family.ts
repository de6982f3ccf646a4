/*
 * Every copy of a document, over HTTP: a family of planted copies among other documents, listed to the last.
 *
 *     npm run bench:copies [-- --documents 100000] [--data-dir FOLDER] [--family 5000] [--bytes 870] [--limits 1000,250]
 *                          [--rounds 5] [--threads 1] [--json]
 *
 * The other documents are made, or are those of the index in FOLDER, to which the family is added: use a copy. Of the family
 * there are two kinds:
 *
 *   changed   copies of one text, in each of which 1 word in 200 is another: as many contents, one URL each
 *   exact     the text itself at as many URLs: one content
 *
 * A list is all pages of POST /similar with `thorough` of so many matches each. It is right where every planted URL is on one
 * page, and on one only, the last page counts them all by host, and no limit bit. CPU is that of the whole service.
 */

import { parseArgs } from 'node:util';
import type { SimilarAnswer } from '../../src/service/api.ts';
import { createTextMaker } from '../../test/support/core/make-documents.ts';
import { bulk, type ServiceProcess, startService } from '../support/service-process.ts';
import { cpuMs, untilIdle } from '../support/store/store-index.ts';
import { fillIndex } from '../support/store/store-queries.ts';
import { printRows, type Row, spreadOf } from '../support/table.ts';
import { temporaryDataDir } from './temporary-data-dir.ts';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    'data-dir': { type: 'string' },
    family: { type: 'string', default: '5000' },
    bytes: { type: 'string', default: '870' },
    limits: { type: 'string', default: '1000,250' },
    rounds: { type: 'string', default: '5' },
    threads: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
});
const size = Number(values.family);
const bytes = Number(values.bytes);
const rounds = Number(values.rounds);
/** A word of the maker with the space behind it has 7 to 8 letters. */
const words = Math.round(bytes / 7.7);
const CHANGED = 0.005;
const HOSTS = 50;
const TARGET = '<= 500';

const given = values['data-dir'];
const temporary = given === undefined ? temporaryDataDir() : null;
const dataDir = given ?? temporary!.path;
const rows: Row[] = [];
try {
  if (given === undefined) await fillIndex({ dataDir, documents: Number(values.documents), bytes }, 0);
  const service = await startService({ DATA_DIR: dataDir, QUERY_THREADS: values.threads });
  try {
    const maker = createTextMaker(Date.now() % 2 ** 31);
    const run = maker.prng.below(2 ** 31);
    const kinds: Readonly<Record<string, (base: string, i: number) => string>> = {
      changed: (base, i) => `${maker.changed(base, CHANGED)} copy${i}`,
      exact: (base) => base,
    };
    for (const [kind, make] of Object.entries(kinds)) {
      const base = maker.text(words);
      const urlOf = (i: number) => `https://h${i % HOSTS}.${kind}.example/${run}/${i}`;
      await bulk(
        service.client,
        Array.from({ length: size }, (_, i) => ({ url: urlOf(i), text: make(base, i) })),
      );
      await untilIdle(service.pid);
      const planted = new Set(Array.from({ length: size }, (_, i) => urlOf(i)));
      for (const limit of values.limits.split(',').map(Number)) {
        rows.push(...(await listRows(service, `${size.toLocaleString('en-US')} ${kind} copies`, base, planted, limit)));
      }
    }
    rows.push({
      row: 'anonymous memory of the service',
      value: Math.round(service.anonymousBytes() / 2 ** 20),
      unit: 'MiB',
    });
  } finally {
    await service.stop();
  }
} finally {
  temporary?.remove();
}
printRows('Every copy, over HTTP', rows);

async function listRows(
  service: ServiceProcess,
  name: string,
  text: string,
  planted: ReadonlySet<string>,
  limit: number,
): Promise<Row[]> {
  const times: number[] = [];
  const cpu: number[] = [];
  const firstPages: number[] = [];
  const notes: string[] = [];
  let pageCount = 0;
  for (let round = 0; round <= rounds; round++) {
    const cpuBefore = cpuMs(service.pid);
    const begun = performance.now();
    const pages: SimilarAnswer[] = [];
    let firstMs = 0;
    for (let cursor: string | null = null; pages.length === 0 || cursor !== null; cursor = pages.at(-1)!.cursor) {
      pages.push(await ask(service, text, limit, cursor));
      if (pages.length === 1) firstMs = performance.now() - begun;
    }
    const took = performance.now() - begun;
    notes.push(check(pages, planted));
    pageCount = pages.length;
    // the first reads from disk, and compiles
    if (round === 0) continue;
    times.push(took);
    firstPages.push(firstMs);
    cpu.push(cpuMs(service.pid) - cpuBefore);
  }
  const wrong = notes.filter((note) => note !== '');
  const note = wrong.length === 0 ? `all found, none twice, in ${notes.length} lists` : `WRONG: ${wrong[0]}`;
  const row = `${name}, ${pageCount} pages of ${limit}`;
  return [
    { row, ...spreadOf(cpu), unit: 'ms of CPU', target: TARGET, wall: spreadOf(times), note },
    { row: `${row}: the first page`, ...spreadOf(firstPages), unit: 'ms' },
  ];
}

async function ask({ client }: ServiceProcess, text: string, limit: number, cursor: string | null) {
  const question = { document: { text }, thorough: true, limit, cursor, sourcesPerMatch: 10_000, deadlineMs: 30_000 };
  const headers = { 'content-type': 'application/json' };
  const answer = await client.request({ path: '/similar', method: 'POST', headers, body: JSON.stringify(question) });
  const body = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(body);
  return JSON.parse(body) as SimilarAnswer;
}

/** What is wrong with a list; nothing: ''. */
function check(pages: readonly SimilarAnswer[], planted: ReadonlySet<string>): string {
  const urls = pages.flatMap(({ matches }) => matches.flatMap(({ sources }) => sources.map(({ url }) => url)));
  const distinct = new Set(urls);
  const missing = planted.difference(distinct).size;
  const { hosts = [], matchCount } = pages.at(-1)!;
  const counted = hosts.reduce((sum, { sourceCount }) => sum + sourceCount, 0);
  const matches = pages.reduce((sum, page) => sum + page.matches.length, 0);
  const incomplete = pages.flatMap(({ limits }) => limits.map(({ code, affected }) => `${code} ${affected}`));
  const wrong = [
    [missing, 'missing'],
    [urls.length - distinct.size, 'twice'],
    [counted - urls.length, 'counted by host, and not shown'],
    [(matchCount ?? 0) - matches, 'matches counted, and not shown'],
  ].filter(([count]) => count !== 0);
  return [...wrong.map((words) => words.join(' ')), ...incomplete].join(', ');
}
