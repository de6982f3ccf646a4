import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerOf, archiveOf, recordOf } from '../../support/ingest/archives.ts';
import { type ZipMember, zipOf } from '../../support/ingest/document-archives.ts';
import { readInputs } from '../../support/ingest/read-inputs.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const recordsOf = (name: string) =>
  [1, 2, 3].map((n) => recordOf(answerOf(`<p>page ${n} of ${name}`), { url: `https://a.example/${name}/${n}` }));
const warcOf = (name: string, form: Parameters<typeof archiveOf>[1] = 'gzip') => archiveOf(recordsOf(name), form).bytes;

const beside = (name: string): ZipMember => ({ name, content: '{}' });

function waczOf(members: readonly ZipMember[]): string {
  const path = join(temporaryFolder(), 'crawl.wacz');
  const others = ['pages/pages.jsonl', 'indexes/index.cdx.gz', 'archive/notes.txt'].map(beside);
  writeFileSync(path, zipOf([beside('datapackage.json'), ...members, ...others]));
  return path;
}

const urlOf = (item: Awaited<ReturnType<typeof readInputs>>[number]) =>
  'operation' in item
    ? item.operation.url.replace('https://a.example/', '')
    : 'refused' in item
      ? item.refused
      : 'wanted';

const ALL = ['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'b/3'];

describe('a WACZ', () => {
  it.each([
    ['stored', true, 'gzip'],
    ['stored and not packed', true, 'plain'],
    ['stored, of one member', true, 'gzip, one member'],
    ['packed again', false, 'gzip'],
  ] as const)('is read as its WARC files, and gone on with behind each record: %s', async (_, isStored, form) => {
    const path = waczOf([
      { name: 'archive/a.warc.gz', content: warcOf('a', form), isStored },
      { name: 'archive/sub/b.warc.gz', content: warcOf('b', form), isStored },
    ]);
    const items = await readInputs([path]);
    expect(items.map(urlOf)).toEqual(ALL);
    expect(items.map(({ next }) => next.record)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(items[3]!.at).toMatch(/^archive\/sub\/b\.warc\.gz, record at byte 0$/);
    for (const [i, { next }] of items.entries())
      expect(await readInputs([path], { from: next })).toEqual(items.slice(i + 1));
  });

  it('names the WARC files that cannot be read, and reads the others', async () => {
    const torn = warcOf('torn');
    const path = waczOf([
      { name: 'archive/secret.warc', content: 'x', isStored: true, flags: 0x801 },
      { name: 'archive/a.warc.gz', content: warcOf('a'), isStored: true },
      { name: 'archive/torn.warc', content: torn.subarray(0, torn.length - 40), isStored: true },
      { name: 'archive/b.warc.gz', content: warcOf('b'), isStored: true },
    ]);
    const items = await readInputs([path]);
    expect(items.map(urlOf)).toEqual([
      'unreadable',
      'a/1',
      'a/2',
      'a/3',
      'torn/1',
      'torn/2',
      'damaged',
      'b/1',
      'b/2',
      'b/3',
    ]);
    for (const [i, { next }] of items.entries())
      expect(await readInputs([path], { from: next })).toEqual(items.slice(i + 1));
  });

  it('whose WARC file is packed again and damaged is read up to there, and behind it', async () => {
    const path = waczOf([
      { name: 'archive/a.warc', content: warcOf('a', 'plain'), isStored: false },
      { name: 'archive/b.warc', content: warcOf('b'), isStored: true },
    ]);
    const bytes = zipOf([
      beside('datapackage.json'),
      { name: 'archive/a.warc', content: Buffer.from([0xff, 0xff, 0xff]), isStored: true, method: 8 },
      { name: 'archive/b.warc', content: warcOf('b'), isStored: true },
    ]);
    writeFileSync(path, bytes);
    const items = await readInputs([path]);
    expect(items.map(urlOf)).toEqual(['damaged', 'b/1', 'b/2', 'b/3']);
    expect(await readInputs([path], { from: items[0]!.next })).toEqual(items.slice(1));
  });

  it('is a zip of documents where it has no WARC files or no package', async () => {
    const path = join(temporaryFolder(), 'a.zip');
    writeFileSync(path, zipOf([{ name: 'archive/a.warc', content: warcOf('a'), isStored: true }]));
    expect((await readInputs([path])).map(urlOf)).toEqual(['unusable-type']);
  });
});
