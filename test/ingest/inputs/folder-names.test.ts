import { Buffer } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type FolderOptions, readFolder } from '../../../src/ingest/inputs/folder-files.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import type { IngestItem } from '../../../src/ingest/port.ts';
import { folderOf } from '../../support/ingest/made-folder.ts';
import { itemsOf } from '../../support/ingest/opened.ts';

const OPTIONS = { urlPrefix: 'https://a.example/', include: [], exclude: [], hidden: false, gitignore: false };

const read = (root: string, options: Partial<FolderOptions> = {}, from: IngestItem | null = null) =>
  itemsOf(readFolder({ ...OPTIONS, root, ...options }, DEFAULT_INGEST_LIMITS, from?.next ?? null));

async function readAndResume(root: string): Promise<IngestItem[]> {
  const all = await read(root);
  for (const [index, item] of all.entries()) expect(await read(root, {}, item)).toEqual(all.slice(index + 1));
  return all;
}

const urlOf = (item: IngestItem) => ('operation' in item ? item.operation.url : item);

describe('a file of a folder that holds records', () => {
  const LINES = '{"url":"u:1","text":"a b"}\n{"url":"u:2","text":"c d"}\n';

  it.each([
    ['part-00000', LINES, 'lines of JSON'],
    ['wiki_00', '{"id": 1}\n{"id": 2}', 'lines of JSON'],
    ['crawl.txt', 'WARC/1.0\r\nWARC-Type: response\r\n', 'a web archive (WARC)'],
    ['old.html', 'filedesc://a.arc 0.0.0.0 20040101000000 text/plain 10\n', 'a web archive (ARC)'],
    ['data', Buffer.from('PAR1\0\0'), 'a Parquet file'],
    ['part-00001.gz', gzipSync(LINES), 'lines of JSON'],
  ])('is passed over by what it is, whatever its name: %s', async (name, content, kind) => {
    const [item] = await readAndResume(folderOf({ [name]: content }));
    expect(item).toMatchObject({ refused: 'unusable-type', detail: expect.stringContaining(kind) });
  });

  it.each([
    ['one.txt', '{"url":"u:1"}\n'],
    ['code.txt', '{\n  "a": 1\n}\n'],
    ['two.txt', '{"a": 1}\nand more text\n'],
    ['lists.txt', '[1]\n[2]\n'],
    ['words.txt', 'WARC files are read.'],
  ])('is a document as long as that is in doubt: %s', async (name, content) => {
    const [item] = await read(folderOf({ [name]: content }));
    expect(item).toMatchObject({ operation: { url: `https://a.example/${name}` } });
  });
});

describe('a name that is not UTF-8', () => {
  const NAME = Buffer.from('caf\xe9.txt', 'latin1');

  /** A folder with such a file, and a folder of such a name; null where the file system refuses them. */
  function oddFolder(): string | null {
    const root = folderOf({ 'a.txt': 'words', 'cafe.txt': 'words', 'z\ufffd.txt': 'words' });
    const within = (...parts: (string | Buffer)[]) =>
      Buffer.concat([root, ...parts].flatMap((part, i) => [Buffer.from(i === 0 ? '' : '/'), Buffer.from(part)]));
    try {
      writeFileSync(within(NAME), 'un café');
      mkdirSync(within(Buffer.from('d\xff', 'latin1')));
      writeFileSync(within(Buffer.from('d\xff', 'latin1'), 'é.txt'), 'deux');
    } catch {
      return null;
    }
    return root;
  }

  it('is read, and stands byte by byte in the URL', async () => {
    const root = oddFolder();
    if (root === null) return expect(process.platform).not.toBe('linux');
    const items = await readAndResume(root);
    expect(items.map(urlOf)).toEqual([
      'https://a.example/a.txt',
      'https://a.example/cafe.txt',
      'https://a.example/caf%E9.txt',
      'https://a.example/d%FF/%C3%A9.txt',
      'https://a.example/z%EF%BF%BD.txt',
    ]);
    // also as JSON has it, in which a state keeps its place
    for (const { next } of items) expect(JSON.parse(JSON.stringify(next))).toEqual(next);
    expect((await read(root, { include: ['*.txt'], exclude: ['caf*'] })).map(urlOf)).toEqual([
      'https://a.example/a.txt',
      'https://a.example/d%FF/%C3%A9.txt',
      'https://a.example/z%EF%BF%BD.txt',
    ]);
  });
});
