import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createIngestSources } from '../../src/commands/ingest-sources.ts';
import { readConfig } from '../../src/config.ts';
import type { IngestItem, Position } from '../../src/ingest/port.ts';
import type { InputFields } from '../../src/ingest/sources.ts';
import { COUNT, inputFile, KINDS } from '../support/cli/input-files.ts';
import { streamOf } from '../support/ingest/archives.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const FIELDS: InputFields = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: null, format: null },
  ...{ include: [], exclude: [], gitignore: false },
};

async function read(
  names: readonly string[],
  from: Position | null = null,
  { fields = {}, stdin = Buffer.alloc(0) }: { fields?: Partial<InputFields>; stdin?: Buffer } = {},
) {
  const { config } = readConfig({});
  const sources = createIngestSources(config, streamOf(stdin));
  const items: IngestItem[] = [];
  const opened = sources.openInputs(await sources.find(names), { ...FIELDS, ...fields }, from);
  for await (const { items: some } of opened) for await (const run of some) items.push(...run);
  await sources.close();
  return items;
}

const brief = (item: IngestItem) =>
  'refused' in item ? `${item.refused}: ${item.detail}` : 'operation' in item ? item.operation.url : item;

describe('inputs', () => {
  it.each(KINDS)('of kind %s go on behind each of their items, whatever inputs are around them', async (kind) => {
    const folder = temporaryFolder();
    const [before, after] = [join(folder, 'a.ndjson'), join(folder, 'z.ndjson')];
    for (const path of [before, after]) writeFileSync(path, '{"url":"u:1","text":"a b"}\n{"url":"u:2","text":"c d"}\n');
    const names = [before, inputFile(folder, kind), after];
    const items = await read(names);
    const written = items.slice(2, -2).filter((item) => 'operation' in item && item.operation.op === 'put');
    expect(written).toHaveLength(COUNT);
    expect(new Set(items.map(({ next }) => next.input))).toEqual(new Set([0, 1, 2]));
    const places = [0, 1, 2, 3, 8, 9, 20, 26, items.length - 4, items.length - 3, items.length - 2, items.length - 1];
    for (const at of places) expect(await read(names, items[at]!.next)).toEqual(items.slice(at + 1));
  });

  it('that cannot be read are refused by themselves, and the next ones are read', async () => {
    const folder = temporaryFolder();
    const [empty, other, good] = ['empty', 'other.bin', 'good.ndjson'].map((name) => join(folder, name));
    writeFileSync(empty!, '');
    writeFileSync(other!, Buffer.from([0, 1, 2, 3, 4, 200, 201]));
    writeFileSync(good!, '{"url":"u:1","text":"a b"}\n{"url":"u:2","text":"c d"}\n');
    const items = await read([empty!, other!, good!]);
    expect(items.map(brief)).toEqual([
      expect.stringMatching(/^malformed: .*other\.bin is not read: it is binary data\.$/),
      'u:1',
      'u:2',
    ]);
    for (const [at, { next }] of items.entries()) {
      expect(await read([empty!, other!, good!], next)).toEqual(items.slice(at + 1));
    }
  });

  it('come from standard input and from pipes, packed or not, but for what has no URL and for Parquet', async () => {
    const folder = temporaryFolder();
    const lines = Buffer.from('{"url":"u:1","text":"a b"}\n{"url":"u:2","text":"c d"}\n');
    expect((await read(['-'], null, { stdin: lines })).map(brief)).toEqual(['u:1', 'u:2']);
    const page = Buffer.from('<!doctype html><p>words');
    expect((await read(['-'], null, { stdin: page })).map(brief)).toEqual([expect.stringMatching(/has no URL/)]);
    const named = await read(['-'], null, { stdin: page, fields: { urlPrefix: 'urn:x:' } });
    expect(named.map(brief)).toEqual(['urn:x:-']);
    const parquet = Buffer.from('PAR1 and so on');
    expect((await read(['-'], null, { stdin: parquet })).map(brief)).toEqual([expect.stringMatching(/from its end/)]);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const reading = read([pipe]);
    const file = join(folder, 'lines');
    writeFileSync(file, lines);
    const writing = promisify(execFile)('sh', ['-c', 'cat "$0" > "$1"', file, pipe]);
    expect((await reading).map(brief)).toEqual(['u:1', 'u:2']);
    await writing;
  });

  it('are read by the fields, the format and the patterns that are told', async () => {
    const folder = temporaryFolder();
    const table = join(folder, 'table');
    writeFileSync(table, 'link|body|seen|place\nu:1|a b|2026-01-02|here\n');
    const fields = { url: 'link', text: 'body', date: 'seen', meta: ['place'], format: 'csv' };
    const [row] = await read([table], null, { fields });
    expect(row).toMatchObject({
      operation: { url: 'u:1', observedAt: Date.UTC(2026, 0, 2), meta: { place: 'here' } },
    });
    const docs = join(folder, 'docs');
    mkdirSync(docs);
    for (const name of ['a.html', 'b.html', 'c.txt']) writeFileSync(join(docs, name), 'words');
    writeFileSync(join(docs, '.gitignore'), 'b.*\n');
    const named = { urlPrefix: 'https://a.example/', gitignore: true, include: ['*.html'] };
    expect((await read([docs], null, { fields: named })).map(brief)).toEqual(['https://a.example/a.html']);
    await expect(read([table], null, { fields: { format: 'xml' } })).rejects.toThrow('--format takes one of');
    await expect(read([join(folder, 'nothing')])).rejects.toThrow('There is no file or folder');
  });

  it('that would share URLs below one prefix are refused before one is read, by their names', async () => {
    const folder = temporaryFolder();
    const [a, b] = [join(folder, 'a'), join(folder, 'b')];
    for (const path of [a, b]) {
      mkdirSync(path);
      writeFileSync(join(path, 'index.html'), '<p>words');
      writeFileSync(join(path, 'part.ndjson'), `{"link":"u:${path}","text":"a b"}\n`);
    }
    writeFileSync(join(b, 'index.html.gz'), gzipSync('<p>words'));
    const prefixed = { urlPrefix: 'https://x.example/' };
    const refused = (names: readonly string[], fields: Partial<InputFields> = prefixed) =>
      expect(read(names, null, { fields })).rejects;
    await refused([a, b]).toThrow(`${a} and ${b} would share the URLs below https://x.example/`);
    await refused([`${a}/index.html`, `${b}/index.html.gz`]).toThrow(
      `${a}/index.html and ${b}/index.html.gz would have one URL, https://x.example/index.html`,
    );
    await refused([`${folder}/*/part.ndjson`]).toThrow('would have one URL, https://x.example/part.ndjson');
    await refused([b, `${a}/index.html`]).toThrow(`${b}/index.html and ${a}/index.html would have one URL`);
    // told apart: by file: URLs, by their names, by a field
    expect(await read([a, b], null, { fields: { include: ['*.html'] } })).toHaveLength(2);
    expect(
      await read([a, `${b}/part.ndjson`], null, { fields: { ...prefixed, include: ['*.html'], format: 'ndjson' } }),
    ).toHaveLength(2);
    expect(await read([`${folder}/*/part.ndjson`], null, { fields: { ...prefixed, url: 'link' } })).toHaveLength(2);
  });
});
