import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IngestItem } from '../../../src/ingest/port.ts';
import { MADE_AT_MS, tarOf, withChecksum, zipOf } from '../../support/ingest/document-archives.ts';
import { packedBy } from '../../support/ingest/programs.ts';
import { briefly, readInputs } from '../../support/ingest/read-inputs.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const PREFIX = 'https://a.example/';

function fileOf(bytes: Buffer, name: string): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

/** What is said of each member, in the order of URLs and names: an archive has an order of its own. */
const sorted = (items: readonly IngestItem[]) =>
  items
    .map((item) => ('operation' in item ? JSON.stringify(item.operation) : briefly(item).replace(/^[^:]*: /, '')))
    .sort();

async function read(bytes: Buffer, name: string, options: Parameters<typeof readInputs>[1] = {}) {
  const fields = { urlPrefix: PREFIX, ...options.fields };
  return readInputs([fileOf(bytes, name)], { ...options, fields });
}

const part = fc.stringMatching(/^[a-z _ä%#?'"<]{1,5}[a-z]$/);
const ending = fc.constantFrom('', '.html', '.txt', '.png', '.ndjson', '.html.gz', '.txt.bz2', '.zip');
const content = fc.stringMatching(/^[a-z ]{0,40}$/);
const files = fc
  .dictionary(
    fc.tuple(fc.array(part, { minLength: 1, maxLength: 3 }), ending).map(([parts, end]) => `${parts.join('/')}${end}`),
    content,
    { noNullPrototype: true, maxKeys: 12 },
  )
  .map((all) => {
    // a name is a file or a folder
    const names = Object.keys(all);
    return names
      .filter((name) => !names.some((other) => other.startsWith(`${name}/`)))
      .map((name) => ({ name, content: packed(name, all[name]!) }));
  });

function packed(name: string, text: string): Buffer {
  if (name.endsWith('.gz')) return gzipSync(text);
  return name.endsWith('.bz2') ? packedBy('bzip2', text) : Buffer.from(text);
}

describe('archives of documents', () => {
  it('have the items of the folder that they were made of', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (members) => {
        // a packed copy is passed over only where it lies beside what it is a copy of in a folder
        const names = new Set(members.map(({ name }) => name));
        const apart = members.filter(
          ({ name }) => !names.has(name.replace(/\.(?:gz|bz2)$/, '')) || !/\.(?:gz|bz2)$/.test(name),
        );
        const root = temporaryFolder();
        for (const { name, content: bytes } of apart) {
          mkdirSync(dirname(join(root, name)), { recursive: true });
          writeFileSync(join(root, name), bytes);
          utimesSync(join(root, name), MADE_AT_MS / 1000, MADE_AT_MS / 1000);
        }
        const folder = sorted(await readInputs([root], { fields: { urlPrefix: PREFIX, exclude: ['*.zip'] } })).map(
          (one) => one.replace(`${root}/`, ''),
        );
        const fields = { exclude: ['*.zip'] };
        expect(sorted(await read(zipOf(apart), 'docs.zip', { fields }))).toEqual(folder);
        const tar = await tarOf(apart);
        if (apart.length === 0) return;
        expect(sorted(await read(tar, 'docs.tar', { fields }))).toEqual(folder);
        const stdin = gzipSync(tar);
        expect(sorted(await readInputs(['-'], { stdin, fields: { urlPrefix: PREFIX, ...fields } }))).toEqual(folder);
      }),
      { numRuns: 15 },
    );
  });

  it.each<[string, (tar: Buffer) => Buffer]>([
    ['docs.tar.gz', (tar) => gzipSync(tar)],
    ['docs.tgz', (tar) => gzipSync(tar)],
    ['docs.tar.zst', zstdCompressSync],
    ['docs.tar.bz2', (tar) => packedBy('bzip2', tar)],
    ['docs.tar.xz', (tar) => packedBy('xz', tar)],
  ])('may be packed, and go on behind each item: %s', async (name, pack) => {
    const members = Array.from({ length: 5 }, (_, i) => ({
      name: `p${i}/page.html`,
      content: `<p>page ${i}`.repeat(200),
    }));
    const path = fileOf(pack(await tarOf(members)), name);
    const items = await readInputs([path], { fields: { urlPrefix: PREFIX } });
    expect(items.map(({ at }) => at)).toEqual(members.map((member) => member.name));
    for (const [i, { next }] of items.entries()) {
      expect(await readInputs([path], { from: next, fields: { urlPrefix: PREFIX } })).toEqual(items.slice(i + 1));
    }
  });

  it('go on behind each item, plain ones at its very byte, also behind damage', async () => {
    const members = Array.from({ length: 5 }, (_, i) => ({
      name: `${'p'.repeat(i * 40)}x.txt`,
      content: `page ${i}`.repeat(i * 100),
    }));
    const tar = await tarOf(members);
    const cut = tar.subarray(0, tar.length - 2500);
    for (const [bytes, name] of [
      [tar, 'a.tar'],
      [cut, 'b.tar'],
      [zipOf(members), 'c.zip'],
    ] as const) {
      const path = fileOf(bytes, name);
      const items = await readInputs([path]);
      expect(items).toHaveLength(5);
      for (const [i, { next }] of items.entries())
        expect(await readInputs([path], { from: next })).toEqual(items.slice(i + 1));
      const isExact = name === 'a.tar';
      expect(
        items.slice(0, 3).every(({ next }) => next.byte > 0 && (next.skip === 0) === (isExact || name === 'b.tar')),
      ).toBe(true);
    }
  });

  it('name what is no document, and documents by their own file: URLs', async () => {
    const named = (items: readonly IngestItem[]) =>
      items.map((item) => briefly(item).replace(/^file:\/\/.*\/(?=docs\.)/, ''));
    const link = { header: { type: 'symlink', linkname: 'page.html', size: 0 } };
    const tar = await tarOf([
      { name: './page.html', content: 'the page' },
      { name: 'to-page.html', content: '', ...link },
      { name: 'again.html', content: '', header: { type: 'link', linkname: 'page.html', size: 0 } },
      { name: 'pipe', content: '', header: { type: 'fifo', size: 0 } },
      { name: '../../out.txt', content: 'out' },
      { name: '/absolute.txt', content: 'absolute' },
      { name: '.hidden/a.txt', content: 'hidden' },
      { name: Buffer.from('caf\xe9 ä.txt', 'latin1'), content: 'not UTF-8' },
      { name: `${'long/'.repeat(60)}ä.txt`, content: 'by pax' },
      { name: 'sparse.txt', content: 'x', header: { pax: { 'GNU.sparse.major': '1' } } },
      { name: 'empty.txt', content: '' },
      { name: 'inner.zip', content: 'PK' },
      { name: 'page.html', content: 'the page, changed' },
    ]);
    const long = `${'long/'.repeat(60)}%C3%A4.txt`;
    expect(named(await readInputs([fileOf(tar, 'docs.tar')]))).toEqual([
      'docs.tar/page.html the page',
      'to-page.html: no-document: It is a link to page.html, which is not followed.',
      'again.html: no-document: It is a link to page.html, which is not followed.',
      'pipe: unreadable: It is a pipe, not a file.',
      '../../out.txt: no-url: Its name leads out of the archive, so it has no URL below it.',
      'docs.tar/absolute.txt absolute',
      'docs.tar/caf%E9%20%E4.txt not UTF-8',
      `docs.tar/${long} by pax`,
      'sparse.txt: unreadable: It is a sparse file, which is not read.',
      'empty.txt: no-document: It is empty.',
      expect.stringMatching(/^inner\.zip: unusable-type: An archive/),
      'docs.tar/page.html the page, changed',
    ]);
    const unicode = Buffer.concat([Buffer.from('up\x0b\x00\x01\x00\x00\x00\x00', 'latin1'), Buffer.from('ä.txt')]);
    unicode.writeUInt32LE(0xb1_1b_2b_b4, 5);
    const zip = zipOf([
      { name: 'page.html', content: 'the page' },
      { name: 'folder/', content: '', isStored: true },
      { name: 'link', content: 'page.html', mode: 0o120777 },
      { name: 'stored.txt', content: 'stored', isStored: true },
      { name: 'streamed.txt', content: 'streamed', hasDescriptor: true },
      { name: 'secret.txt', content: 'secret', flags: 0x801 },
      { name: 'other.txt', content: 'other', method: 14 },
      { name: 'wrong.txt', content: 'wrong', crc: 1 },
      { name: Buffer.from('caf\x82.txt', 'latin1'), content: 'cp437', flags: 0 },
      { name: 'windows\\a.txt', content: 'backslash' },
      { name: '../out.txt', content: 'out' },
      { name: '.hidden', content: 'hidden' },
      { name: '', content: 'nameless' },
    ]);
    expect(named(await readInputs([fileOf(zip, 'docs.zip')]))).toEqual([
      'docs.zip/page.html the page',
      'link: no-document: It is a link, which is not followed.',
      'docs.zip/stored.txt stored',
      'docs.zip/streamed.txt streamed',
      'secret.txt: unreadable: It is encrypted.',
      'other.txt: unreadable: It is packed in a way that is not read (LZMA).',
      'wrong.txt: damaged: Its checksum is another.',
      'docs.zip/caf%82.txt cp437',
      'docs.zip/windows/a.txt backslash',
      '../out.txt: no-url: Its name leads out of the archive, so it has no URL below it.',
      'a member without a name: no-url: It has no name.',
    ]);
  });

  it('leave out what patterns and .gitignore files leave out', async () => {
    const members = [
      'a.txt',
      'b.html',
      'drafts/c.html',
      'sub/.gitignore',
      '.gitignore',
      'sub/d.html',
      'sub/e.html',
      'log/f.html',
    ].map((name) => ({
      name,
      content: name === '.gitignore' ? 'log/\n' : name === 'sub/.gitignore' ? 'e.*\n' : 'text',
    }));
    const fields = { include: ['*.html'], exclude: ['drafts/'], gitignore: true };
    const tar = await tarOf(members);
    for (const [bytes, name] of [
      [tar, 'a.tar'],
      [zipOf(members), 'a.zip'],
    ] as const) {
      expect((await read(bytes, name, { fields })).map(({ at }) => at)).toEqual(['b.html', 'sub/d.html']);
    }
    const [item] = await readInputs(['-'], { stdin: tar, fields: { ...fields, urlPrefix: PREFIX } });
    expect(briefly(item!)).toMatch(/--gitignore: .* name a file/);
  });

  it('come from a stream if they are tars and have a prefix', async () => {
    const stdin = await tarOf([{ name: 'a.txt', content: 'a' }]);
    expect((await readInputs(['-'], { stdin })).map(briefly)).toEqual([expect.stringMatching(/--url-prefix/)]);
    const zip = zipOf([{ name: 'a.txt', content: 'a' }]);
    expect((await readInputs(['-'], { stdin: zip, fields: { urlPrefix: PREFIX } })).map(briefly)).toEqual([
      expect.stringMatching(/read from its end/),
    ]);
    expect((await read(gzipSync(zip), 'a.zip.gz')).map(briefly)).toEqual([expect.stringMatching(/unpack it once/)]);
  });

  it('share a prefix with no folder and no other archive', async () => {
    const paths = ['a.tar.gz', 'b.zip'].map((name) => fileOf(zipOf([]), name));
    await expect(readInputs(paths, { fields: { urlPrefix: PREFIX } })).rejects.toThrow(/would share the URLs below/);
  });

  it('are told by their bytes, in old dialects, too, and may have no member', async () => {
    const old = await tarOf([{ name: 'a.txt', content: 'an old tar' }]);
    withChecksum(old, (head) => head.fill(0, 257, 512));
    expect((await read(old, 'backup')).map(briefly)).toEqual([`${PREFIX}a.txt an old tar`]);
    expect(await read(zipOf([], 'a comment'), 'a.zip')).toEqual([]);
  });
});
