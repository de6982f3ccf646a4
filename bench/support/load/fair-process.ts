import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { ServiceProcess } from '../service-process.ts';
import { documentText } from '../texts.ts';
import { familyDocuments, KNOWN, knownUrl, TEXT_BYTES } from './fair-hogs.ts';
import type { LoadResult, LoadSetup } from './fair-load.ts';

/* Callers in processes of their own, and the index that they ask. */

const LINES = 3000;

/** Writes the documents that queries look for. */
export async function loadKnown({ client }: ServiceProcess, secret: string): Promise<void> {
  const urls = Array.from({ length: KNOWN }, (_, index) => knownUrl(index));
  await putAll(
    client,
    secret,
    urls.map((url, index) => ({ url, text: documentText(index, TEXT_BYTES) })),
  );
}

/** Writes the documents of which the large answers to hogs are made. */
export async function loadFamily({ client }: ServiceProcess, secret: string): Promise<void> {
  const all = [...familyDocuments()];
  for (let from = 0; from < all.length; from += LINES) await putAll(client, secret, all.slice(from, from + LINES));
}

async function putAll(client: ServiceProcess['client'], secret: string, documents: readonly object[]): Promise<void> {
  const lines = documents.map((document) => JSON.stringify({ op: 'put', ...document }));
  const { statusCode, body } = await client.request({
    method: 'POST',
    path: '/documents',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });
  const text = await body.text();
  if (statusCode !== 200 || !text.includes('"failed":0')) throw new Error(`not loaded: ${text.slice(-300)}`);
}

/** Resolves when it has begun to ask. */
export async function startLoad(setup: LoadSetup): Promise<ChildProcess> {
  const child = fork(new URL('./fair-load.ts', import.meta.url), [JSON.stringify(setup)]);
  await once(child, 'message');
  return child;
}

export async function stopped(child: ChildProcess): Promise<LoadResult> {
  child.send('stop');
  const [result] = (await once(child, 'message')) as [LoadResult];
  return result;
}
