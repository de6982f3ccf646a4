import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createIngestSources } from '../../../../src/commands/ingest-sources.ts';
import { readConfig } from '../../../../src/config.ts';
import type { Position } from '../../../../src/ingest/port.ts';
import type { InputFields } from '../../../../src/ingest/sources.ts';
import { streamOf } from '../../../support/ingest/archives.ts';
import { tarOf } from '../../../support/ingest/document-archives.ts';
import { NO_FIELDS } from '../../../support/ingest/read-inputs.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const PATHS = ['a.html', 'c.md', 'x/1.md'];

function folder(): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'x'));
  for (const path of PATHS) writeFileSync(join(root, path), 'words');
  return root;
}

async function wordsOf(names: readonly string[], patterns: Partial<InputFields>, from: Position | null = null) {
  const sources = createIngestSources(readConfig({}).config, streamOf(Buffer.alloc(0)));
  const told: string[][] = [];
  for await (const { items } of sources.openInputs(await sources.find(names), { ...NO_FIELDS, ...patterns }, from)) {
    for await (const _ of items) told.push([...sources.patternWords()]);
  }
  expect(told.flat()).toEqual([]);
  return sources.patternWords();
}

describe('patterns that meet nothing', () => {
  it('are told once all is read, as they were given', async () => {
    const include = ['*.{md,html}', '*.{htm,xht}', '*.md', '!*.x', 'x/'];
    expect(await wordsOf([folder()], { include, exclude: ['c.md', 'y'] })).toEqual([
      '--include *.{htm,xht} matched no file.',
      '--include !*.x matched no file.',
      '--exclude y matched no file or folder.',
    ]);
    expect(await wordsOf([folder()], { exclude: ['*.md'] })).toEqual([]);
  });

  it('are those that no folder and no archive has met', async () => {
    const other = temporaryFolder();
    writeFileSync(join(other, 'b.txt'), 'words');
    expect(await wordsOf([folder(), other], { include: ['*.html', '*.txt', '*.pdf'] })).toEqual([
      '--include *.pdf matched no file.',
    ]);
    const archive = join(other, 'all.tar');
    writeFileSync(archive, await tarOf([{ name: 'd/e.rst', content: 'words' }]));
    expect(await wordsOf([archive], { include: ['*.rst', '*.pdf'], exclude: ['d/x', 'e'] })).toEqual([
      '--include *.pdf matched no file.',
      '--exclude d/x matched no file or folder.',
      '--exclude e matched no file or folder.',
    ]);
  });

  it('were not used where no input is a folder or an archive', async () => {
    const file = join(temporaryFolder(), 'a.ndjson');
    writeFileSync(file, '{"url":"u:1","text":"a b"}\n');
    expect(await wordsOf([file], { include: ['*.md'] })).toEqual([
      '--include *.md was not used: no input is a folder or an archive of files.',
    ]);
  });

  it('are not told by a run that goes on: it has not seen all', async () => {
    const root = folder();
    const from = { file: join(root, 'a.html'), byte: 5, skip: 0, record: 1, input: 0 };
    expect(await wordsOf([root], { include: ['*.pdf'] }, from)).toEqual([]);
  });
});
