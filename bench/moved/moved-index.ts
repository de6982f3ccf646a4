import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openParts } from '../../src/commands/open-parts.ts';
import { readConfig } from '../../src/config.ts';
import { createLogger } from '../../src/logger.ts';
import type { BulkLine, BulkOperation } from '../../src/service/api.ts';
import type { MovedAnswer } from '../../src/service/moved/moved-api.ts';

const ACCESS = { caller: 'bench', mayFetch: false };

/** The service over an index of its own in this process, without HTTP. */
export interface MovedIndex {
  /** Writes all of them in their order. @throws where one is refused */
  write(operations: Iterable<BulkOperation>): Promise<void>;
  readonly documents: number;
  /** URLs spread over the whole index. */
  someUrls(count: number): Promise<string[]>;
  ask(url: string, always?: boolean): Promise<MovedAnswer>;
  close(): Promise<void>;
}

/** @param folder of an index that is there; without one a new index is made, and thrown away at the end */
export async function openMovedIndex(folder?: string): Promise<MovedIndex> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), 'shingled-moved-'));
  const { config } = readConfig({ DATA_DIR: dataDir, QUERY_THREADS: '0' });
  const log = await createLogger('silent', false);
  const { service, store, close } = await openParts(config, { version: 'bench', pid: process.pid }, log);
  const { sources } = await store.stats();
  return {
    documents: sources,
    someUrls: async (count) => {
      const urls: string[] = [];
      const step = Math.max(1, Math.floor(sources / count));
      let after: string | undefined;
      for (let seen = 0; seen < sources; ) {
        const page = await store.sourceUrls({ limit: 10_000, after });
        for (const url of page.urls) if (seen++ % step === 0) urls.push(url);
        if (page.after === null) break;
        ({ after } = page);
      }
      return urls.slice(0, count);
    },
    write: async (operations) => {
      for await (const answer of service.bulk(linesOf(operations), ACCESS, { relaxed: true })) {
        if (answer.status >= 400) throw new Error(JSON.stringify(answer));
      }
    },
    ask: (url, always = false) =>
      service.moved({ url, limit: 10, always, content: 'page', deadlineMs: 60_000 }, ACCESS),
    close: async () => {
      await close();
      if (folder === undefined) rmSync(dataDir, { recursive: true });
    },
  };
}

async function* linesOf(operations: Iterable<BulkOperation>): AsyncGenerator<BulkLine> {
  let line = 0;
  for (const operation of operations) {
    line++;
    yield { line, operation };
  }
}
