import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encode } from '../../support/extract/encode.ts';
import { recordOf } from '../../support/ingest/archives.ts';
import { tarOf } from '../../support/ingest/document-archives.ts';
import { briefly, readInputs } from '../../support/ingest/read-inputs.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const cp1251 = (text: string) => encode(text, 'windows-1251');
const FIELDS = { charset: 'CP1251', urlPrefix: 'https://a.example/' };

/** Of each document its path and its type. */
async function typesOf(input: string): Promise<(string | null)[][]> {
  const items = await readInputs([input], { fields: FIELDS });
  return items.map((item) => {
    if (!('operation' in item) || item.operation.op !== 'put') throw new Error(briefly(item));
    const { url, body } = item.operation;
    return [url.replace(FIELDS.urlPrefix, ''), body!.contentType];
  });
}

describe('a document of a charset that was told', () => {
  const MEMBERS = [
    { name: 'a.txt', content: cp1251('прилив') },
    { name: 'b.html', content: cp1251('<p>прилив') },
    { name: 'c.html', content: cp1251('<meta charset=koi8-r><p>прилив') },
    { name: 'd', content: cp1251('прилив') },
    { name: 'e.txt', content: Buffer.from('\ufeffприлив') },
    { name: 'f.eml', content: 'MIME-Version: 1.0\nContent-Type: text/plain\n\nwords' },
  ];
  const TYPES = [
    ['a.txt', 'text/plain; charset=windows-1251'],
    ['b.html', 'text/html; charset=windows-1251'],
    ['c.html', 'text/html'],
    ['d', 'application/octet-stream; charset=windows-1251'],
    ['e.txt', 'text/plain; charset=windows-1251'],
    ['f.eml', 'message/rfc822'],
  ];

  it('has it unless it declares one: in a folder, in an archive, by itself', async () => {
    const folder = temporaryFolder();
    for (const { name, content } of MEMBERS) writeFileSync(join(folder, name), content);
    expect(await typesOf(folder)).toEqual(TYPES);
    expect(await typesOf(join(folder, 'b.html'))).toEqual([TYPES[1]]);
    const tar = join(temporaryFolder(), 'all.tar');
    writeFileSync(tar, await tarOf(MEMBERS));
    expect(await typesOf(tar)).toEqual(TYPES);
  });

  it('has it in a web archive, too, unless its server said one', async () => {
    const path = join(temporaryFolder(), 'a.warc');
    const typed = (type: string) =>
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\n`), cp1251('прилив')]);
    const records = ['text/html', 'text/html; charset=koi8-r'].map((type, i) =>
      recordOf(typed(type), { url: `https://a.example/${i}` }),
    );
    writeFileSync(path, Buffer.concat(records));
    expect(await typesOf(path)).toEqual([
      ['0', 'text/html; charset=windows-1251'],
      ['1', 'text/html; charset=koi8-r'],
    ]);
  });
});

describe('records and lists of a charset', () => {
  const written = (name: string, content: Buffer) => {
    const path = join(temporaryFolder(), name);
    writeFileSync(path, content);
    return path;
  };

  it.each([
    ['a.csv', 'url,text\nu:1,прилив и отлив сменяют друг друга каждые шесть часов\n'],
    ['a.jsonl', '{"url":"u:1","text":"прилив и отлив сменяют друг друга каждые шесть часов"}\n'],
    ['a.json', '[{"url":"u:1","text":"прилив и отлив сменяют друг друга каждые шесть часов"}]'],
  ])('are read as told, marked or guessed: %s', async (name, text) => {
    const expected = ['u:1 прилив и отлив сменяют друг друга каждые шесть часов'];
    for (const [bytes, charset] of [
      [cp1251(text), 'windows-1251'],
      [cp1251(text), null],
      [Buffer.from(`\ufeff${text}`, 'utf16le'), null],
      [Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), 'windows-1251'],
      [Buffer.from(text, 'utf16le'), 'utf-16'],
    ] as const) {
      const items = await readInputs([written(name, bytes)], { fields: charset === null ? {} : { charset } });
      expect(items.map(briefly)).toEqual(expected);
    }
  });

  it('name URLs: a sitemap that declares no charset, and one that does', async () => {
    const sitemap = (head: string) => cp1251(`${head}<urlset><url><loc>https://a.example/прилив</loc></url></urlset>`);
    const wanted = async (name: string, content: Buffer) =>
      (await readInputs([written(name, content)], { fields: { charset: 'windows-1251' } })).map((item) =>
        'wanted' in item ? item.wanted : null,
      );
    const url = new URL('https://a.example/прилив').href;
    expect(await wanted('s.xml', sitemap(''))).toEqual([url]);
    const declared = sitemap('<?xml version="1.0" encoding="koi8-r"?>');
    const asKoi8 = new TextDecoder('koi8-r').decode(cp1251('прилив'));
    expect(await wanted('t.xml', declared)).toEqual([new URL(`https://a.example/${asKoi8}`).href]);
    expect(await wanted('urls.txt', cp1251('https://a.example/прилив\n'))).toEqual([url]);
  });

  it('are refused by the name of a charset that is none', async () => {
    const reading = readInputs([written('b.csv', cp1251('url,text\n'))], { fields: { charset: 'windows-1521' } });
    await expect(reading).rejects.toMatchObject({
      ...{ code: 'invalid-request', field: 'charset' },
      message: expect.stringMatching(/not "windows-1521"\. Did you mean .*windows-1251/),
    });
  });
});
