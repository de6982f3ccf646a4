import { bulk, call, eventLoopDelayMs, inParallel, startService } from '../service-process.ts';
import { documentText, textOf } from '../texts.ts';

const INDEXED = 1000;
const TEXT_BYTES = 5000;
const CLIENTS = 8;
const PAGES = 10;
const QUERIES_BEFORE = 200;

/** p99 of the event loop delay of the whole service in its own process, in ms. */
export interface LoopDelay {
  /** While it answers 1,000 queries of 5 KB from 8 clients. */
  readonly queriesMs: number;
  /** The same, and ten pages of 1 MB that come at once when 200 of them were asked. */
  readonly mixedMs: number;
}

export async function measureLoopDelay(): Promise<LoopDelay> {
  const { client, stop } = await startService();
  const post = async (type: string, data: string) => {
    await call(client, 'POST', '/similar?deadlineMs=60000', { type: `${type}; charset=utf-8`, data });
  };
  const texts = Array.from({ length: INDEXED }, (_, i) => documentText(i, TEXT_BYTES));
  const ask = async (pages: readonly string[]) => {
    await eventLoopDelayMs(client);
    let pagesDone: Promise<unknown> = Promise.resolve();
    await inParallel([...texts.keys()], CLIENTS, async (index) => {
      if (index === QUERIES_BEFORE) pagesDone = Promise.all(pages.map((page) => post('text/html', page)));
      await post('text/plain', texts[index]!);
    });
    await pagesDone;
    return eventLoopDelayMs(client);
  };
  try {
    await bulk(
      client,
      texts.map((text, i) => ({ url: `https://bench.example/${i}`, text })),
    );
    const pages = Array.from({ length: PAGES }, (_, i) => pageOf(i));
    // the first time the workers start and V8 compiles
    await ask([pageOf(PAGES)]);
    return { queriesMs: await ask([]), mixedMs: await ask(pages) };
  } finally {
    await stop();
  }
}

/** A page of 1 MB. */
function pageOf(seed: number): string {
  const paragraphs = Array.from({ length: 200 }, (_, i) => `<p>${textOf(1000 * seed + i, 5200)}</p>`);
  return `<html><body>${paragraphs.join('\n')}</body></html>`;
}
