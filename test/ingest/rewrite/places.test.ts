import { mkdirSync, readdirSync, rmdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findInputs } from '../../../src/ingest/inputs/inputs.ts';
import { planRewrite } from '../../../src/ingest/rewrite/rewrite-inputs.ts';
import { recordOf } from '../../support/ingest/archives.ts';
import { bytesOf, openParts, readAll, rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const line = (n: number) => `{"url":"u:${n}","text":"a b ${n}"}\n`;
const isOdd = (_input: number, record: number) => record % 2 === 1;

/** Files by their names; a text ends where it does. @returns their paths */
function files(folder: string, contents: Readonly<Record<string, string | Buffer>>): string[] {
  return Object.entries(contents).map(([name, content]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  });
}

/** Nothing is left beside but these. */
const expectOnly = (folder: string, names: readonly string[]) =>
  expect(readdirSync(folder).sort()).toEqual([...names].sort());

const refusal = (names: readonly string[], out: string) => expect(rewrite(names, out, () => true)).rejects;

describe('a copy', () => {
  it('of many files is one, each line with its end', async () => {
    const folder = temporaryFolder();
    const names = files(folder, {
      'a.ndjson': `\ufeff${line(1)}\n${line(2).trim()}`,
      'b.ndjson': `\ufeff${line(3)}${line(4)}`,
      'c.ndjson': '',
      'd.ndjson.gz': gzipSync(line(5)),
    });
    const out = join(folder, 'all.ndjson');
    const { lastRecords, bytes } = await rewrite(names, out, () => true);
    expect(bytesOf(out).toString()).toBe(`\ufeff${line(1)}\n${[2, 3, 4, 5].map(line).join('')}`);
    expect(lastRecords).toEqual([3, 2, 0, 1]);
    expect(bytes).toBe(bytesOf(out).length);
  });

  it('of many tables has one row of columns, and is refused where they have others', async () => {
    const folder = temporaryFolder();
    const names = files(folder, {
      'a.csv': 'url,text\nu:1,"a\nb"\nu:2,c',
      'b.csv': '\ufeff\nurl,text\r\n\nu:3,d\r\nu:4,e\n',
      'none.csv': 'url,text\n',
      'other.csv': 'text,url\nf,u:5\n',
    });
    const [a, b, none, other] = names as [string, string, string, string];
    await rewrite([a, none, b], join(folder, 'all.csv'), (input, record) => input !== 0 || record === 3);
    expect(bytesOf(join(folder, 'all.csv')).toString()).toBe('url,text\nu:2,c\nu:3,d\r\nu:4,e\n');
    await refusal([a, other], join(folder, 'mixed.csv')).toMatchObject({
      ...{ code: 'invalid-request', field: other },
      message: expect.stringContaining(`${a} and ${other} have other columns`),
    });
  });

  it('of many JSON files is one array; of one that is a record, that record', async () => {
    const folder = temporaryFolder();
    const names = files(folder, {
      'a.json': '[{"url":"u:1","text":"a b"},\n{"url":"u:2","text":"c d"}]',
      'b.json': '\ufeff{"url":"u:3",\n"text":"e f"}\n',
      'c.json':
        '{"total":2,"hits":[{"url":"u:4","text":"g h"},{"url":"u:5","text":"i j"}],"more":[{"url":"u:6","text":"k l"}]}',
    });
    const [, b, c] = names as [string, string, string];
    await rewrite(names, join(folder, 'all.json'), (input, record) => input > 0 || record === 2);
    const urls = (path: string) => (JSON.parse(bytesOf(path).toString()) as { url: string }[]).map(({ url }) => url);
    expect(urls(join(folder, 'all.json'))).toEqual(['u:2', 'u:3', 'u:4', 'u:5', 'u:6']);
    await rewrite([b], join(folder, 'one.json'), () => true);
    expect(bytesOf(join(folder, 'one.json'))).toEqual(bytesOf(b));
    await rewrite([b], join(folder, 'none.json'), () => false);
    expect(urls(join(folder, 'none.json'))).toEqual([]);
    await rewrite([c], join(folder, 'hits.json'), isOdd);
    expect(urls(join(folder, 'hits.json'))).toEqual(['u:4', 'u:6']);
  });

  it('is packed as its name says; in a folder, and by standard output, as each input is, and plain', async () => {
    const folder = temporaryFolder();
    const names = files(folder, { 'a.ndjson': line(1) + line(2), 'b.ndjson.gz': gzipSync(line(3) + line(4)) });
    for (const [out, unpack] of [
      ['x.ndjson', (bytes: Buffer) => bytes],
      ['x.ndjson.gz', gunzipSync],
      ['x.ndjson.zst', zstdDecompressSync],
    ] as const) {
      await rewrite(names, join(folder, out), isOdd);
      expect(unpack(bytesOf(join(folder, out))).toString()).toBe(line(1) + line(3));
    }
    await rewrite(names, `${join(folder, 'each')}/`, isOdd);
    expectOnly(join(folder, 'each'), ['a.ndjson', 'b.ndjson.gz']);
    expect(bytesOf(join(folder, 'each', 'a.ndjson')).toString()).toBe(line(1));
    expect(gunzipSync(bytesOf(join(folder, 'each', 'b.ndjson.gz'))).toString()).toBe(line(3));
    expect((await rewrite(names, '-', isOdd)).stdout.toString()).toBe(line(1) + line(3));
    expectOnly(folder, ['a.ndjson', 'b.ndjson.gz', 'each', 'x.ndjson', 'x.ndjson.gz', 'x.ndjson.zst']);
  });

  it('goes into a folder that is there, beside what is in it, and takes the place of nothing', async () => {
    const folder = temporaryFolder();
    const out = join(folder, 'out');
    mkdirSync(out);
    writeFileSync(join(out, 'other'), 'other');
    const [a, b] = files(folder, { 'a.ndjson': line(1), 'b.csv': 'url,text\nu:1,a\n' }) as [string, string];
    await rewrite([a, b], out, () => true);
    expectOnly(out, ['a.ndjson', 'b.csv', 'other']);
    await refusal([a], out).toMatchObject({ code: 'output-exists', message: expect.stringContaining('a.ndjson') });
    await refusal([a], a).toMatchObject({ code: 'output-exists' });
    await refusal([a, b], folder).toMatchObject({ code: 'output-exists' });
    expectOnly(folder, ['a.ndjson', 'b.csv', 'out']);
    expectOnly(out, ['a.ndjson', 'b.csv', 'other']);
    // while it was written
    const plan = await planRewrite(await findInputs([a]), openParts(), join(folder, 'late'));
    writeFileSync(join(folder, 'late'), 'late');
    const to = { stdout: async () => {}, temporaryFolder: folder, signal: null, passed: () => {} };
    await expect(plan.write({ keeps: () => true, lastRecords: null }, to)).rejects.toMatchObject({
      code: 'output-exists',
    });
    expect(bytesOf(join(folder, 'late')).toString()).toBe('late');
    expectOnly(folder, ['a.ndjson', 'b.csv', 'late', 'out']);
  });

  it('is refused before anything is read where the inputs cannot be copied so', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'docs'));
    mkdirSync(join(folder, 'x'));
    writeFileSync(join(folder, 'docs', 'a.html'), '<p>words');
    const names = files(folder, {
      'a.ndjson': line(1),
      'b.csv': 'url,text\nu:1,a\n',
      'page.html': '<p>words',
      'map.xml': '<urlset><url><loc>https://a.example/</loc></url></urlset>',
      'feed.json': '{"version":"https://jsonfeed.org/version/1.1","items":[]}',
      'what.bin': Buffer.from([0, 1, 2, 200]),
      'x/a.ndjson': line(2),
    });
    const [a, b, page, map, feed, what, other] = names as string[];
    const out = join(folder, 'out');
    const invalid = (message: string) => ({ code: 'invalid-request', message: expect.stringContaining(message) });
    await refusal([a!, b!], out).toMatchObject(invalid('has lines of JSON in it, and '));
    await refusal([page!], out).toMatchObject(invalid('has documents, each in a file of its own'));
    await refusal([join(folder, 'docs'), a!], out).toMatchObject(invalid('has documents, each in a file of its own'));
    await refusal([join(folder, 'docs')], '-').toMatchObject(invalid('Standard output is one file'));
    await refusal([map!], out).toMatchObject(invalid('it is a list of documents, and holds none'));
    await refusal([feed!], out).toMatchObject(invalid('it is a list of documents, and holds none'));
    await refusal([what!], out).toMatchObject(invalid('cannot be told'));
    await refusal(['-'], out).toMatchObject(invalid('it comes but once'));
    await refusal(['https://a.example/list.txt'], out).toMatchObject(invalid('it is fetched'));
    await refusal([a!, other!], `${out}/`).toMatchObject(invalid('would both be'));
    await refusal([join(folder, 'docs')], join(folder, 'docs', 'out')).toMatchObject(invalid('which is read'));
    await refusal([join(folder, 'docs')], join(folder, 'docs')).toMatchObject(invalid('which is read'));
    symlinkSync(join(folder, 'docs'), join(folder, 'link'));
    await refusal([join(folder, 'docs')], join(folder, 'link', 'out')).toMatchObject(invalid('which is read'));
    await refusal([a!], join(folder, 'nowhere', 'out')).toMatchObject({ code: 'output-unwritable' });
    await refusal([a!], join(a!, 'out')).toMatchObject({ code: 'output-unwritable' });
    expectOnly(folder, ['a.ndjson', 'b.csv', 'docs', 'feed.json', 'link', 'map.xml', 'page.html', 'what.bin', 'x']);
  });
});

describe('what stops a copy', () => {
  const to = { stdout: async () => {}, temporaryFolder: '/', signal: null, passed: () => {} };

  it.each([
    ['its size', (path: string) => writeFileSync(path, line(1) + line(2) + line(3))],
    ['its last change', (path: string) => utimesSync(path, 1, 1)],
    ['a letter, and its last change', (path: string) => writeFileSync(path, line(1) + line(3))],
  ])('is an input that has changed, by %s', async (_, change) => {
    const folder = temporaryFolder();
    const [path] = files(folder, { 'a.ndjson': line(1) + line(2) }) as [string];
    const plan = await planRewrite(await findInputs([path]), openParts(), join(folder, 'out'));
    change(path);
    const expected = { code: 'input-changed', field: path, message: `${path} has changed since it was read.` };
    await expect(plan.write({ keeps: () => true, lastRecords: null }, to)).rejects.toMatchObject(expected);
    expectOnly(folder, ['a.ndjson']);
  });

  it('is an input that changes while it is copied', async () => {
    const folder = temporaryFolder();
    const [path] = files(folder, { 'a.ndjson': line(1) + line(2) }) as [string];
    const plan = await planRewrite(await findInputs([path]), openParts(), join(folder, 'out'));
    const keeps = () => {
      utimesSync(path, 1, 1);
      return true;
    };
    await expect(plan.write({ keeps, lastRecords: null }, to)).rejects.toMatchObject({
      code: 'input-changed',
      field: path,
    });
    expectOnly(folder, ['a.ndjson']);
  });

  it.each(['file', 'folder', 'into'])('is its signal, and nothing is left: %s', async (kind) => {
    const folder = temporaryFolder();
    const [path] = files(folder, { 'a.ndjson': Array.from({ length: 500 }, (_, n) => line(n)).join('') }) as [string];
    const out = join(folder, 'out');
    if (kind === 'into') mkdirSync(out);
    if (kind === 'into') writeFileSync(join(out, 'other'), 'other');
    const stop = new AbortController();
    const keeps = (_input: number, record: number) => {
      if (record === 100) stop.abort(new Error('stopped'));
      return true;
    };
    const copying = rewrite([path], kind === 'folder' ? `${out}/` : out, keeps, { to: { signal: stop.signal } });
    await expect(copying).rejects.toThrow('stopped');
    expectOnly(folder, kind === 'into' ? ['a.ndjson', 'out'] : ['a.ndjson']);
    if (kind === 'into') expectOnly(out, ['other']);
  });

  it('leaves nothing that a run has left which was killed', async () => {
    const folder = temporaryFolder();
    const [path] = files(folder, { 'a.ndjson': line(1), '.out.partial': 'left' }) as [string];
    await rewrite([path], join(folder, 'out'), () => true);
    expectOnly(folder, ['a.ndjson', 'out']);
    expect((await readAll([join(folder, 'out')])).map(({ brief }) => brief)).toEqual([['u:1', 'a b 1']]);
  });

  it('is a folder that is gone', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'out'));
    const [path] = files(folder, { 'a.ndjson': line(1) }) as [string];
    const plan = await planRewrite(await findInputs([path]), openParts(), join(folder, 'out', 'x'));
    rmdirSync(join(folder, 'out'));
    await expect(plan.write({ keeps: () => true, lastRecords: null }, to)).rejects.toMatchObject({
      code: 'output-unwritable',
    });
    expectOnly(folder, ['a.ndjson']);
  });

  it('is what standard output throws', async () => {
    const folder = temporaryFolder();
    const [path] = files(folder, { 'a.warc': recordOf('words', { type: 'resource', contentType: 'text/plain' }) });
    const stdout = () => Promise.reject(new Error('nobody reads'));
    await expect(rewrite([path!], '-', () => true, { to: { stdout } })).rejects.toThrow('nobody reads');
  });
});
