import { execFileSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findInputs } from '../../../src/ingest/inputs/inputs.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

describe('inputs', () => {
  it('are files, folders, patterns, streams and URLs, in their order, each once', async () => {
    const root = temporaryFolder();
    for (const name of ['b.ndjson', 'a.ndjson', 'c.txt']) writeFileSync(join(root, name), name);
    mkdirSync(join(root, 'x.ndjson'));
    utimesSync(join(root, 'a.ndjson'), 5, 5);
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const pattern = join(root, '*.ndjson');
    const found = await findInputs([
      '-',
      join(root, 'c.txt'),
      pattern,
      join(root, 'a.ndjson'),
      root,
      join(root, 'pipe'),
      'https://a.example/sitemap.xml',
      '-',
    ]);
    expect(found).toMatchObject([
      { kind: 'stream', name: '-', size: null, mtimeMs: null },
      { kind: 'file', name: join(root, 'c.txt'), size: 5 },
      { kind: 'file', name: join(root, 'a.ndjson'), size: 8, mtimeMs: 5000 },
      { kind: 'file', name: join(root, 'b.ndjson') },
      { kind: 'folder', name: root, size: null },
      { kind: 'stream', name: join(root, 'pipe') },
      { kind: 'url', name: 'https://a.example/sitemap.xml' },
    ]);
    expect(found).toHaveLength(7);
  });

  it('that are not there are named', async () => {
    await expect(findInputs(['/nowhere/a.ndjson'])).rejects.toThrow(
      '/nowhere/a.ndjson is not there, because there is no folder /nowhere.',
    );
    await expect(findInputs([join(temporaryFolder(), '*.none')])).rejects.toThrow('matches no file');
  });

  it('may have the signs of patterns in their names', async () => {
    const path = join(temporaryFolder(), 'a[1].ndjson');
    writeFileSync(path, '');
    expect(await findInputs([path])).toMatchObject([{ kind: 'file', name: path, size: 0 }]);
  });
});
