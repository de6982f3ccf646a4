import { bulk, call, eventLoopDelayMs, inParallel, startService } from './service-process.ts';
import { documentText, textOf } from './texts.ts';

const INDEXED = 1000;
const TEXT_BYTES = 5000;
const QUERIES = 1000;
const CLIENTS = 8;
const PAGES = 10;
/** Of the queries, how many are under way or answered when the pages come. */
const QUERIES_BEFORE = 200;

/**
 * p99 of the event loop delay, in ms, of the whole service in its own process while it answers 1,000 queries of 5 KB from
 * 8 clients and, from the 200th on, ten pages of 1 MB that come at once.
 */
export async function loopDelayMs(): Promise<number> {
  const { client, stop } = await startService();
  const post = async (type: string, data: string) => {
    await call(client, 'POST', '/similar?deadlineMs=60000', { type: `${type}; charset=utf-8`, data });
  };
  try {
    const texts = Array.from({ length: INDEXED }, (_, i) => documentText(i, TEXT_BYTES));
    await bulk(
      client,
      texts.map((text, i) => ({ url: `https://bench.example/${i}`, text })),
    );
    const query = (index: number) => post('text/plain', texts[index % INDEXED]!);
    const queries = Array.from({ length: QUERIES }, (_, i) => i);
    const pages = Array.from({ length: PAGES }, (_, i) => pageOf(i));
    // once to warm up, workers too
    await Promise.all([inParallel(queries, CLIENTS, query), post('text/html', pageOf(PAGES))]);
    await eventLoopDelayMs(client);
    let pagesDone: Promise<unknown> = Promise.resolve();
    await inParallel(queries, CLIENTS, async (index) => {
      if (index === QUERIES_BEFORE) pagesDone = Promise.all(pages.map((page) => post('text/html', page)));
      await query(index);
    });
    await pagesDone;
    return await eventLoopDelayMs(client);
  } finally {
    await stop();
  }
}

/** A page of 1 MB. */
function pageOf(seed: number): string {
  const paragraphs = Array.from({ length: 200 }, (_, i) => `<p>${textOf(1000 * seed + i, 5200)}</p>`);
  return `<html><body>${paragraphs.join('\n')}</body></html>`;
}
