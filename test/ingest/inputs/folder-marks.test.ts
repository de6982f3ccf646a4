import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { readFolder } from '../../../src/ingest/inputs/folder-files.ts';
import { DEFAULT_INGEST_LIMITS as LIMITS } from '../../../src/ingest/limits.ts';
import type { IsAsBefore } from '../../../src/ingest/port.ts';
import { folderOf } from '../../support/ingest/made-folder.ts';
import { brief, itemsOf } from '../../support/ingest/opened.ts';

const OPTIONS = { urlPrefix: 'https://a.example/', include: [], exclude: [], hidden: false, gitignore: false };

const read = (root: string, isAsBefore?: IsAsBefore) =>
  itemsOf(readFolder({ ...OPTIONS, root, ...(isAsBefore === undefined ? {} : { isAsBefore }) }, LIMITS, null));

it('says of each file what tells whether it has changed, and does not read one that is as before', async () => {
  const root = folderOf({ 'a.txt': 'one', 'b.txt.gz': gzipSync('two'), 'c.txt': 'now', 'd.png': 'x', 'e.txt': '' });
  for (const name of ['a.txt', 'b.txt.gz', 'e.txt']) utimesSync(join(root, name), 5, 1.5);
  const first = await read(root);
  expect(first.map(({ mark }) => mark)).toEqual([
    { size: 3, mtimeMs: 1500 },
    { size: gzipSync('two').length, mtimeMs: 1500 },
    // it may be changed again while its time stays
    null,
    undefined,
    undefined,
  ]);
  const asked: unknown[] = [];
  const isAsBefore: IsAsBefore = (url, path, mark) => asked.push([url, path, mark.size]) < 3;
  const second = await read(root, isAsBefore);
  expect(asked.slice(0, 4)).toEqual([
    ['https://a.example/a.txt', 'a.txt', 3],
    ['https://a.example/b.txt', 'b.txt.gz', first[1]!.mark!.size],
    ['https://a.example/c.txt', 'c.txt', 3],
    ['https://a.example/e.txt', 'e.txt', 0],
  ]);
  expect(second.slice(0, 2).map(brief)).toEqual([
    { asBefore: 'https://a.example/a.txt' },
    { asBefore: 'https://a.example/b.txt' },
  ]);
  expect(second.map(({ next }) => next.byte)).toEqual(first.map(({ next }) => next.byte));
});

it('says which folder hides what is in it', async () => {
  const root = folderOf({ 'a.txt': 'a', [`${'x/'.repeat(LIMITS.folderDepthMax + 1)}b.txt`]: 'b' });
  const [a, hiding] = await read(root);
  expect(a).not.toHaveProperty('hides');
  expect(hiding).toMatchObject({ refused: 'unreadable', hides: true });
});
