import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encode } from '../../support/extract/encode.ts';
import { rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** With letters whose second byte is that of a backslash or a quote's neighbour. */
const TEXTS = ['表示 ソース', '能 一二', 'ア x', '表'];
const CHARSETS = ['shift_jis', 'gbk', 'utf-16le', 'utf-16be'];
const MARKED = new Set(['utf-16le', 'utf-16be']);
const WRITERS: Readonly<Record<string, (texts: readonly string[]) => string>> = {
  'lines.ndjson': (texts) => texts.map((text, i) => `${JSON.stringify({ url: `u:${i}`, text })}\n`).join(''),
  'table.csv': (texts) => `url,text\n${texts.map((text, i) => `u:${i},"${text}"\n`).join('')}`,
  'list.json': (texts) => `[${texts.map((text, i) => JSON.stringify({ url: `u:${i}`, text })).join(',\n')}]`,
};
const written = (name: string, charset: string, texts: readonly string[]) =>
  encode(`${MARKED.has(charset) ? '\ufeff' : ''}${WRITERS[name]!(texts)}`, charset);

const cases = Object.keys(WRITERS).flatMap((name) => CHARSETS.map((charset) => [name, charset] as const));

describe('records in other charsets', () => {
  it.each(cases.filter(([name, charset]) => name !== 'list.json' || !MARKED.has(charset)))(
    'are copied byte for byte: %s in %s',
    async (name, charset) => {
      for (const pack of [(bytes: Buffer) => bytes, (bytes: Buffer) => gzipSync(bytes)]) {
        const folder = temporaryFolder();
        const path = join(folder, pack(Buffer.alloc(0)).length > 0 ? `${name}.gz` : name);
        writeFileSync(path, pack(written(name, charset, TEXTS)));
        const { stdout } = await rewrite([path], '-', (_, record) => record !== 2, { fields: { charset } });
        const kept = WRITERS[name]!(TEXTS).split(/(?<=\n)/);
        // of a table the row of names is record 1
        kept.splice(1, 1);
        expect(new TextDecoder(charset).decode(stdout)).toBe(kept.join(''));
        expect(stdout).toEqual(encode(`${MARKED.has(charset) ? '\ufeff' : ''}${kept.join('')}`, charset));
      }
    },
  );

  it('are refused where ASCII would stand between them that is none in their file', async () => {
    const folder = temporaryFolder();
    const [a, b, list] = ['a.csv', 'b.csv', 'list.json'].map((name) => join(folder, name));
    for (const path of [a!, b!]) writeFileSync(path, written('table.csv', 'utf-16le', TEXTS));
    writeFileSync(list!, written('list.json', 'utf-16le', TEXTS));
    const all = () => true;
    await expect(rewrite([a!, b!], '-', all)).rejects.toThrow('is UTF-16, and would be in one file with others');
    await expect(rewrite([list!], '-', all)).rejects.toThrow('it is one list in utf-16le');
    expect((await rewrite([a!, b!], join(folder, 'out/'), all)).records).toBe(2 * TEXTS.length);
  });

  it('of different charsets are not put into one file', async () => {
    const folder = temporaryFolder();
    const [a, b] = ['a.csv', 'b.csv'].map((name) => join(folder, name));
    writeFileSync(a!, written('table.csv', 'utf-16le', TEXTS).subarray(0));
    writeFileSync(b!, WRITERS['table.csv']!(TEXTS));
    await expect(rewrite([a!, b!], '-', () => true)).rejects.toMatchObject({ code: 'invalid-request' });
  });
});
