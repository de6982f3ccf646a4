import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere, serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

/* What is sent as a text is one, whatever its first bytes look like. */

const STARTS = [
  '%PDF-1.7 is how',
  '%!PS-Adobe is how',
  '{\\rtf1 is how',
  'PK\u0003\u0004 is how',
  'BM\u0001\u0002\u0003\u0004\u0005 is how',
  'MIME-Version: 1.0\nContent-Type: multipart/mixed\n\nis how',
];
const texts = STARTS.map(
  (start, i) => `${start} files of kind ${i} begin, and this is a text about them, not one of them`,
);
const urlOf = (i: number) => `https://a.example/${i}`;
const urls = texts.map((_, i) => urlOf(i));

const ndjson = texts.map((text, i) => `${JSON.stringify({ url: urlOf(i), text })}\n`).join('');
const bulkLines = texts.map((text, i) => `${JSON.stringify({ op: 'put', url: urlOf(i), text })}\n`).join('');
const pages = texts.map((html, i) => `${JSON.stringify({ op: 'put', url: urlOf(i), html })}\n`).join('');
const csv = `url,text\n${texts.map((text, i) => `${urlOf(i)},"${text}"\n`).join('')}`;

const listed = async (environment: Record<string, string>, ...where: string[]) => {
  const { out } = await runHere(['list', '--json', ...where], environment);
  const lines = out.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { url: string }).url).toSorted();
};

describe('a text that begins as a file of another kind does', () => {
  it.each([
    ['NDJSON', 'texts.ndjson', ndjson],
    ['lines of a bulk request', 'texts.jsonl', bulkLines],
    ['lines with pages', 'pages.jsonl', pages],
    ['a table', 'texts.csv', csv],
  ])('is read as a text from %s, into a folder and over a service', async (_, name, content) => {
    const folder = temporaryFolder();
    const file = join(folder, name);
    writeFileSync(file, content);
    const inFolder = { DATA_DIR: join(folder, 'index') };
    const first = await runHere(['ingest', file], inFolder);
    expect(first.code, first.out + first.err).toBe(0);
    expect(await listed(inFolder)).toEqual(urls);
    const { url } = await serveHere({ DATA_DIR: join(folder, 'served') });
    expect((await runHere(['ingest', file, '--server', url], {})).code).toBe(0);
    expect(await listed({}, '--server', url)).toEqual(urls);
  });

  it('is read as a text from JSON; as a file, from a body of bytes, whose first bytes say what it is', async () => {
    const { url } = await serveHere({ DATA_DIR: join(temporaryFolder(), 'served') });
    const post = async (path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      return (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    for (const text of texts) {
      expect(await post('/similar', { document: { text } })).toBe(200);
      expect(await post('/compare', { a: { text }, b: { html: text } })).toBe(200);
      expect(await post('/composition', { document: { text } })).toBe(200);
    }
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const sent = await fetch(`${url}/documents?url=https://a.example/`, { method: 'PUT', headers, body: texts[0]! });
    expect([sent.status, ((await sent.json()) as { code: string }).code]).toEqual([422, 'unreadable-document']);
  });
});
