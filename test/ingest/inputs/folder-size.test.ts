import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readFolder } from '../../../src/ingest/inputs/folder-files.ts';
import { FolderSize } from '../../../src/ingest/inputs/folder-size.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { itemsOf } from '../../support/ingest/opened.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const LIMITS = { ...DEFAULT_INGEST_LIMITS, documentBytesMax: 1000 };

it('a folder has as many bytes as its last file comes to, once somebody asks', async () => {
  const root = temporaryFolder();
  for (const path of ['deep', '.hidden', 'left out']) mkdirSync(join(root, path));
  writeFileSync(join(root, 'a.html'), 'x'.repeat(10));
  writeFileSync(join(root, 'a.html.gz'), gzipSync('x'.repeat(10)));
  writeFileSync(join(root, 'b.txt.gz'), gzipSync('x'.repeat(800)));
  writeFileSync(join(root, 'deep', 'c.txt'), 'x'.repeat(100));
  for (const name of ['d.png', 'e.ndjson', 'left out/f.txt', '.hidden/g.txt']) writeFileSync(join(root, name), 'xxxx');
  writeFileSync(join(root, 'z.txt'), 'x'.repeat(1001));
  symlinkSync('nowhere', join(root, 'link.txt'));
  const options = { root, include: [], exclude: ['left out'], hidden: false, gitignore: false };
  const items = await itemsOf(readFolder({ ...options, urlPrefix: null }, LIMITS, null));
  const { byte } = items.at(-1)!.next;
  expect(byte).toBe(110 + gzipSync('x'.repeat(800)).length);
  const size = new FolderSize(options, LIMITS);
  // each file takes a slice of its own
  let clock = 0;
  const clocks = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 3));
  onTestFinished(() => clocks.mockRestore());
  expect(size.isCounting).toBe(false);
  expect(size.bytes).toBeNull();
  expect(size.isCounting).toBe(true);
  await vi.waitFor(() => expect(size.bytes).toBe(byte));
  await vi.waitFor(() => expect(size.isCounting).toBe(false));
});

it('a folder that cannot be read has no size', async () => {
  const size = new FolderSize({ root: '/nowhere', include: [], exclude: [], hidden: false, gitignore: false }, LIMITS);
  expect(size.bytes).toBeNull();
  await vi.waitFor(() => expect(size.isCounting).toBe(false));
});
