import { setTimeout as sleep } from 'node:timers/promises';
import { compareSamples } from '../../src/core/compare/sample-comparer.ts';
import type { SimilarAnswer } from '../../src/service/api.ts';
import { type ServiceProcess, startService } from '../support/service-process.ts';
import type { Row } from '../support/table.ts';
import { type ReadPage, setPages } from './framed-set.ts';

/* The same sets through the service: all pages are put, then each is asked for. */

const LINES = 50;
const BUSY = 503;
const WISHES = ['page', 'main', 'auto'] as const;

export interface Question {
  readonly url: string;
  readonly content: (typeof WISHES)[number];
  readonly resemblance: number;
  readonly queryInMatch?: number;
}

async function putAll(service: ServiceProcess, pages: AsyncIterable<{ url: string; html: string }>): Promise<void> {
  let lines: string[] = [];
  const flush = async () => {
    if (lines.length > 0) await ndjson(service, '/documents', lines);
    lines = [];
  };
  for await (const { url, html } of pages) {
    lines.push(JSON.stringify({ op: 'put', url, html }));
    if (lines.length === LINES) await flush();
  }
  await flush();
}

export async function askAll(service: ServiceProcess, questions: readonly Question[]): Promise<SimilarAnswer[]> {
  const answers: SimilarAnswer[] = [];
  for (let from = 0; from < questions.length; from += LINES) {
    const lines = questions.slice(from, from + LINES).map(({ url, content, resemblance, queryInMatch = null }) =>
      JSON.stringify({
        ...{ document: { url }, content, limit: 100, fetch: 'never', deadlineMs: 60_000 },
        thresholds: { resemblance, queryInMatch, matchInQuery: null },
      }),
    );
    for (const line of await ndjson(service, '/similar', lines))
      answers.push((line as { answer: SimilarAnswer }).answer);
  }
  return answers;
}

async function ndjson(service: ServiceProcess, path: string, lines: readonly string[]): Promise<unknown[]> {
  const { statusCode, body } = await service.client.request({
    ...{ method: 'POST', path, headers: { 'content-type': 'application/x-ndjson' } },
    body: `${lines.join('\n')}\n`,
  });
  const text = await body.text();
  if (statusCode === BUSY) {
    await sleep(1000);
    return ndjson(service, path, lines);
  }
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text.slice(0, 300)}`);
  const answers = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { status?: number; line?: number });
  const failed = answers.find(({ status }) => status !== undefined && status >= 400);
  if (failed !== undefined) throw new Error(JSON.stringify(failed));
  return answers.filter(({ line }) => line !== undefined);
}

/** Whether the articles of two pages have a resemblance of .5 or more. */
function areAlike({ gold: a }: ReadPage, { gold: b }: ReadPage): boolean {
  const { sampledA, sampledB, shared } = compareSamples(a.sample, b.sample);
  return 3 * shared >= sampledA + sampledB;
}

export async function httpRows(name: string, path: string, pages: readonly ReadPage[]): Promise<Row[]> {
  const service = await startService();
  try {
    await putAll(service, setPages(path));
    const rows: Row[] = [];
    const byUrl = new Map(pages.map((page) => [page.url, page]));
    const articles = Map.groupBy(pages, ({ article }) => article);
    for (const content of WISHES) {
      const answers = await askAll(
        service,
        pages.map(({ url }) => ({ url, content, resemblance: 0.5 })),
      );
      let [found, right, wrong, wanted, incomplete] = [0, 0, 0, 0, 0];
      for (const [i, { matches, complete }] of answers.entries()) {
        const page = pages[i]!;
        const alike = articles.get(page.article)!.filter((other) => other !== page && areAlike(page, other));
        wanted += alike.length;
        incomplete += Number(!complete);
        for (const { url } of matches.flatMap(({ sources }) => sources)) {
          const match = byUrl.get(url)!;
          found += Number(alike.includes(match));
          if (match.article === page.article) right++;
          else wrong++;
        }
      }
      const what = `${name}, over HTTP, content=${content}`;
      rows.push(
        { row: `${what}: recall at .5`, value: found / wanted, unit: '', note: `of ${wanted}` },
        { row: `${what}: precision`, value: right / Math.max(1, right + wrong), unit: '', note: `${wrong} wrong` },
        { row: `${what}: answers that are not complete`, value: incomplete, unit: '' },
      );
    }
    return rows;
  } finally {
    await service.stop();
  }
}
