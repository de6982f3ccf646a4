import { execFileSync } from 'node:child_process';
import { openSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FolderOptions, readFolder } from '../../../src/ingest/inputs/folder-files.ts';
import { readWholeFile } from '../../../src/ingest/inputs/whole-file.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import type { IngestItem } from '../../../src/ingest/port.ts';
import { folderOf } from '../../support/ingest/made-folder.ts';
import { brief, itemsOf } from '../../support/ingest/opened.ts';

const OPTIONS = { urlPrefix: 'https://a.example/', include: [], exclude: [], hidden: false, gitignore: false };
const LIMITS = { ...DEFAULT_INGEST_LIMITS, documentBytesMax: 1000 };

async function read(
  root: string,
  options: Partial<FolderOptions> = {},
  from: IngestItem | null = null,
): Promise<IngestItem[]> {
  return itemsOf(readFolder({ ...OPTIONS, root, ...options }, LIMITS, from?.next ?? null));
}

async function readAndResume(root: string, options: Partial<FolderOptions> = {}): Promise<IngestItem[]> {
  const all = await read(root, options);
  for (const [index, item] of all.entries()) expect(await read(root, options, item)).toEqual(all.slice(index + 1));
  return all;
}

const pathsOf = (items: readonly IngestItem[]) => items.map(({ at }) => at);

describe('a folder', () => {
  it('is read in the order of names, each file a document with its URL, type and date', async () => {
    const root = folderOf({
      'b.html': '<p>b',
      'a/ü 1#?.txt': 'a',
      'a.html': '<p>a',
      'a/b/c.unknown': 'c',
      'B.htm': '<p>B',
    });
    utimesSync(join(root, 'a.html'), 5, 1.5);
    const items = await readAndResume(root);
    expect(items.map(brief)).toEqual([
      ['https://a.example/B.htm', '<p>B'],
      ['https://a.example/a/b/c.unknown', 'c'],
      ['https://a.example/a/%C3%BC%201%23%3F.txt', 'a'],
      ['https://a.example/a.html', '<p>a'],
      ['https://a.example/b.html', '<p>b'],
    ]);
    expect(items[3]).toMatchObject({ operation: { op: 'put', observedAt: 1500, body: { contentType: 'text/html' } } });
    expect(items[1]).toMatchObject({ operation: { body: { contentType: null } } });
  });

  it('gives file: URLs where there is no prefix', async () => {
    const root = folderOf({ 'a b.txt': 'a' });
    expect((await read(root, { urlPrefix: null })).map(brief)).toEqual([
      [pathToFileURL(join(root, 'a b.txt')).href, 'a'],
    ]);
  });

  it('goes on behind a file that is gone, and before one that is new', async () => {
    const root = folderOf({ 'a.txt': 'a', 'b/c.txt': 'c', 'd.txt': 'd' });
    const [, item] = await read(root);
    writeFileSync(join(root, 'b/c2.txt'), 'new');
    writeFileSync(join(root, 'a0.txt'), 'before');
    const fromGone = { ...item!, next: { ...item!.next, file: 'b/c1.txt' } };
    expect(pathsOf(await read(root, {}, fromGone))).toEqual(['b/c2.txt', 'd.txt']);
  });

  it('goes on alike from any of its files', async () => {
    const name = fc.string({ minLength: 1, maxLength: 2, unit: fc.constantFrom('a', 'b', '-', '~', 'ä', '0') });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(name, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
        async (paths) => {
          const files = Object.fromEntries(paths.map((parts) => [`${parts.join('/x')}.txt`, 't']));
          const items = await readAndResume(folderOf(files));
          expect(pathsOf(items).toSorted()).toEqual(Object.keys(files).toSorted());
        },
      ),
      { numRuns: 30 },
    );
  });

  it('leaves out what is hidden, excluded, not included, or ignored', async () => {
    const root = folderOf({
      ...{
        '.hidden/a.txt': 'a',
        '.a.txt': 'a',
        'a.txt': 'a',
        'a.md': 'a',
        'deep/er/b.txt': 'b',
        'node_modules/x.txt': 'x',
      },
      ...{ '.gitignore': '*.md\n/deep\n', 'own/.gitignore': '!c.md\n', 'own/c.md': 'c', 'own/d.md': 'd' },
    });
    expect(pathsOf(await read(root, { hidden: true, exclude: ['.gitignore'] }))).toContain('.hidden/a.txt');
    expect(pathsOf(await read(root))).toEqual([
      'a.md',
      'a.txt',
      'deep/er/b.txt',
      'node_modules/x.txt',
      'own/c.md',
      'own/d.md',
    ]);
    expect(pathsOf(await read(root, { exclude: ['node_modules/', 'own'], include: ['*.txt'] }))).toEqual([
      'a.txt',
      'deep/er/b.txt',
    ]);
    expect(pathsOf(await read(root, { include: ['deep/**/*.txt'] }))).toEqual(['deep/er/b.txt']);
    expect(pathsOf(await read(root, { gitignore: true }))).toEqual(['a.txt', 'node_modules/x.txt', 'own/c.md']);
  });

  it('names what cannot be a document, and reads the rest', async () => {
    const root = folderOf({
      'a.txt': 'a',
      'b.png': 'png',
      'c.warc.gz': 'x',
      'd.ndjson': '{}',
      'e.txt': '',
      'f.txt': 'x'.repeat(1001),
    });
    const items = await readAndResume(root);
    expect(items.map(brief)).toEqual([
      ['https://a.example/a.txt', 'a'],
      'unusable-type',
      'unusable-type',
      'unusable-type',
      'no-document',
      'too-large',
    ]);
    expect(items[3]).toMatchObject({
      detail: expect.stringContaining('pattern such as **/*.ndjson'),
      url: 'https://a.example/d.ndjson',
    });
  });

  it('has packed documents, by the names that they have unpacked, but none that lies beside its copy', async () => {
    const big = gzipSync('x'.repeat(1001));
    const root = folderOf({
      'a.html.gz': Buffer.concat([gzipSync('<p>a'), gzipSync(' and b')]),
      'both.html': '<p>plain',
      ...{ 'both.html.gz': gzipSync('<p>plain'), 'both.html.zst': zstdCompressSync('<p>plain') },
      ...{ 'c.txt.ZST': zstdCompressSync('c'), 'd.gz': gzipSync('d'), 'e.txt.gz': gzipSync('') },
      ...{ 'f.txt.gz': big, 'g.txt.gz': gzipSync('words of g').subarray(0, 20), 'h.ndjson.gz': gzipSync('{}') },
      ...{ 'i.zip': 'PK', 'j.txt.gz': 'is not packed' },
    });
    const items = await readAndResume(root);
    expect(Object.fromEntries(items.map((item) => [item.at, brief(item)]))).toEqual({
      'a.html.gz': ['https://a.example/a.html', '<p>a and b'],
      'both.html': ['https://a.example/both.html', '<p>plain'],
      ...{ 'both.html.gz': 'no-document', 'both.html.zst': 'no-document' },
      ...{
        'c.txt.ZST': ['https://a.example/c.txt', 'c'],
        'd.gz': ['https://a.example/d', 'd'],
        'e.txt.gz': 'no-document',
      },
      ...{ 'f.txt.gz': 'too-large', 'g.txt.gz': 'damaged', 'h.ndjson.gz': 'unusable-type', 'i.zip': 'unusable-type' },
      'j.txt.gz': ['https://a.example/j.txt', 'is not packed'],
    });
    expect(items[0]).toMatchObject({ operation: { body: { contentType: 'text/html' } }, bytes: 10 });
  });

  it('opens no pipe and no socket, follows no link out or to a folder, and reads no 100 GB', async () => {
    const root = folderOf({ 'a/a.txt': 'a' });
    const outside = folderOf({ 'secret.txt': 'secret' });
    execFileSync('mkfifo', [join(root, 'pipe.txt')]);
    symlinkSync(join(outside, 'secret.txt'), join(root, 'out.txt'));
    symlinkSync('..', join(root, 'a/up'));
    symlinkSync('nowhere', join(root, 'broken.txt'));
    symlinkSync('a/a.txt', join(root, 'link.txt'));
    openSync(join(root, 'sparse.txt'), 'w');
    truncateSync(join(root, 'sparse.txt'), 100e9);
    const items = await readAndResume(root);
    const told = Object.fromEntries(items.map((item) => [item.at, brief(item)]));
    expect(told).toEqual({
      ...{ 'a/a.txt': ['https://a.example/a/a.txt', 'a'], 'link.txt': ['https://a.example/link.txt', 'a'] },
      ...{ 'pipe.txt': 'no-document', 'out.txt': 'no-document', 'a/up': 'no-document', 'broken.txt': 'unreadable' },
      'sparse.txt': 'too-large',
    });
    expect(JSON.stringify(items)).not.toContain('secret');
  });

  it('names a folder that it does not enter', async () => {
    const root = folderOf({ 'a/b/c/d.txt': 'd', 'a/b.txt': 'b' });
    const items = await itemsOf(readFolder({ ...OPTIONS, root }, { ...LIMITS, folderDepthMax: 2 }, null));
    expect(items.map((item) => [item.at, brief(item)])).toEqual([
      ['a/b/c', 'unreadable'],
      ['a/b.txt', ['https://a.example/a/b.txt', 'b']],
    ]);
  });

  it('says that a file has changed while it was read', () => {
    // its size is said to be 0
    expect(readWholeFile('/proc/self/status', 100)).toEqual({
      refused: 'unreadable',
      detail: 'It has changed while it was read.',
    });
    expect(readWholeFile('/dev/null', 100)).toMatchObject({
      refused: 'unreadable',
      detail: 'It is a device, not a file.',
    });
    expect(readWholeFile('/nowhere', 100)).toMatchObject({
      refused: 'unreadable',
      detail: 'It cannot be read: it is not there (ENOENT).',
    });
  });

  it('throws where it is not there', async () => {
    await expect(read('/nowhere')).rejects.toThrow('ENOENT');
  });
});
