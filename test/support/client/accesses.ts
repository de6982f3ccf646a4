import { onTestFinished } from 'vitest';
import type { IndexAccess, WantedLine } from '../../../src/client/port.ts';
import { createRemoteService } from '../../../src/client/remote-service.ts';
import { openFolder } from '../../../src/commands/folder-access.ts';
import { readConfig } from '../../../src/config.ts';
import type { BulkOperation, DocumentReference } from '../../../src/service/api.ts';
import { serveHere } from '../process/run-here.ts';
import { log } from '../store/made-index.ts';
import { temporaryFolder } from '../temp-folder.ts';

/* An index in a folder, and one behind a service, and what is asked of both. */

export const KEY = 'a-secret-of-this-test';

export async function inFolder(): Promise<IndexAccess> {
  const { config } = readConfig({ DATA_DIR: temporaryFolder() });
  const index = await openFolder(config, { version: '1', pid: process.pid }, log);
  onTestFinished(() => index.close());
  return index;
}

export async function behindServer(environment: Record<string, string> = {}): Promise<IndexAccess> {
  const API_KEYS = `main:read+write+fetch+admin:${KEY}`;
  const { url } = await serveHere({ DATA_DIR: temporaryFolder(), API_KEYS, ...environment });
  const index = createRemoteService({ server: `${url}/`, apiKey: KEY, pauseMs: 10, attemptsMax: 3 });
  onTestFinished(() => index.close());
  return index;
}

export const WORDS =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon';
export const textOf = (n: number) => `${WORDS} number ${n} of many ${WORDS} and then ${n * 7} more of ${n * 13}`;

const NOTHING = { select: null, remove: null, meta: null, similar: 0, unless: null, observedAt: null };

export const put = (url: string, text: string, more: object = {}): BulkOperation => ({
  ...{ op: 'put', url, body: { bytes: Buffer.from(text), contentType: 'text/plain; charset=utf-8' } },
  ...NOTHING,
  ...more,
});

async function* linesOf(operations: readonly BulkOperation[]): AsyncGenerator<WantedLine> {
  for (const [line, operation] of operations.entries()) yield { line: line + 100, operation };
}

export async function written(index: IndexAccess, operations: readonly BulkOperation[]) {
  const answers = [];
  for await (const answer of index.bulk(linesOf(operations))) answers.push(answer);
  await index.durable();
  return answers;
}

export const [OLD, NEW] = ['https://a.example/old', 'https://a.example/new'];
export const GONE: BulkOperation = { op: 'gone', url: OLD, httpStatus: 404, observedAt: null };

export async function* eachOf<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const named = (reference: Partial<DocumentReference>): DocumentReference => ({
  ...{ url: null, body: null, select: null, remove: null, at: null },
  ...reference,
});
