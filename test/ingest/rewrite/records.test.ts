import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InputFields } from '../../../src/ingest/sources.ts';
import { bytesOf, readAll, rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const text = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'ab"\\{}[],:; äあ#') });
const documents = fc
  .array(text, { maxLength: 30 })
  .map((texts) => texts.map((words, n) => ({ url: `https://a.example/${n}`, text: `w ${words}` })));
const lineEnd = fc.constantFrom('\n', '\r\n');
const anyEnd = fc.constantFrom('\n', '\r\n', '\r');
const mark = fc.constantFrom('', '\ufeff');
const blank = fc.constantFrom('', '', '', '\n', ' \r\n');

interface Made {
  readonly name: string;
  readonly content: string;
  /** How it is read, where that has to be told. */
  readonly fields?: Partial<InputFields>;
}

const made = (name: string, content: fc.Arbitrary<string>, fields: Partial<InputFields> = {}) =>
  content.map((given): Made => ({ name, content: given, fields }));

/** Lines, some of which are broken or blank. */
const lines = (
  line: (document: { url: string; text: string }) => string,
  broken: readonly string[],
  ends: fc.Arbitrary<string> = lineEnd,
) =>
  fc
    .tuple(documents, mark, ends, fc.boolean(), fc.infiniteStream(blank), fc.infiniteStream(fc.nat({ max: 9 })))
    .map(([all, begin, end, isEnded, blanks, odds]) => {
      const each = all.map((one) => {
        const odd = odds.next().value;
        return `${blanks.next().value}${odd < broken.length ? broken[odd]! : line(one)}${end}`;
      });
      const whole = `${begin}${line({ url: 'https://a.example/first', text: 'the first' })}${end}${each.join('')}`;
      return isEnded ? whole : whole.slice(0, -end.length);
    });

const ndjson = made(
  'lines.ndjson',
  lines((one) => JSON.stringify(one), ['{"url":', '[]', '{"text":"no url"}'], anyEnd),
);
const urls = made(
  'urls.txt',
  lines(({ url }) => url, ['# a comment', 'https://a.example/%zz'], anyEnd),
);
const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
const csv = made(
  'table.csv',
  lines(({ url, text: words }) => `${url},${quoted(`${words}\nmore`)}`, ['one field', 'u:1,a "b" c']).map((rows) =>
    rows.startsWith('\ufeff') ? `\ufeffurl,text\n${rows.slice(1)}` : `url,text\n${rows}`,
  ),
);
const tsv = made(
  'table.tsv',
  lines(({ url, text: words }) => `${url}\t${words.replaceAll('"', '')}`, ['one field']).map((rows) =>
    rows.startsWith('\ufeff') ? `\ufeffurl\ttext\n${rows.slice(1)}` : `url\ttext\n${rows}`,
  ),
);
/** Behind a mark, if there is one. */
const headed = (rows: string, before: string) =>
  rows.startsWith('\ufeff') ? `\ufeff${before}${rows.slice(1)}` : before + rows;
const crCsv = made(
  'mac.csv',
  lines(({ url, text: words }) => `${url},${quoted(`${words}\rmore`)}`, ['one field'], anyEnd).map((rows) =>
    headed(rows, 'url,text\r'),
  ),
);
const excel = made(
  'excel.csv',
  lines(({ url, text: words }) => `${url};${quoted(`${words}\nmore`)}`, ['#;a;"b"']).map((rows) =>
    headed(rows, 'sep=;\r\n# made, "by hand\n\nurl;text\r\n'),
  ),
);
const dump = made(
  'dump.csv',
  lines(({ url, text: words }) => `${url}|"${words.replace(/[\\|]/g, '\\$&')}\\\n`, ['u:1|\\N', 'one field']).map(
    (rows) => headed(rows, '# a dump\n'),
  ),
  { url: '1', text: '2', table: { delimiter: '|', quote: null, escapedBy: '\\', noHeader: true } },
);
const json = made(
  'list.json',
  fc
    .tuple(documents, mark, fc.constantFrom(undefined, 1, '\t'), fc.constantFrom('', '\n'))
    .map(([all, begin, space, end]) => `${begin}${JSON.stringify(all, null, space)}${end}`),
);

const PACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  '': (bytes) => bytes,
  '.gz': gzipSync,
  '.zst': zstdCompressSync,
};
const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  '': (bytes) => bytes,
  '.gz': gunzipSync,
  '.zst': (bytes) => zstdDecompressSync(bytes),
};

/** Content in members that are cut wherever. */
function packed(content: Buffer, ending: string, cuts: readonly number[]): Buffer {
  if (ending === '') return content;
  const ends = [...new Set(cuts.map((cut) => cut % (content.length + 1)))].sort((a, b) => a - b);
  const parts = [...ends, content.length].map((end, at) => content.subarray(ends[at - 1] ?? 0, end));
  return Buffer.concat(parts.map(PACK[ending]!));
}

const ending = fc.constantFrom('', '.gz', '.zst');
const cuts = fc.array(fc.nat(), { maxLength: 4 });
/** Each brings files to the disk. */
const RUNS = { numRuns: 15 };
const choices = fc.infiniteStream(fc.boolean());

describe.each([
  ['lines of JSON', ndjson],
  ['lists of URLs', urls],
  ['CSV', csv],
  ['TSV', tsv],
  ['tables of lines that end with CR', crCsv],
  ['tables of Excel', excel],
  ['dumps of databases', dump],
  ['lists of JSON', json],
])('%s', (_, arbitrary) => {
  it('are the same bytes where all is kept, however they are packed', async () => {
    const folder = temporaryFolder();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(arbitrary, ending, ending, cuts, async ({ name, content, fields = {} }, from, to, at) => {
        const bytes = Buffer.from(content);
        const [path, out] = [join(folder, name + from), join(folder, `${++runs}-${name}${to}`)];
        writeFileSync(path, packed(bytes, from, at));
        const { copied, leftOut, lost, records } = await rewrite([path], out, () => true, { fields });
        expect(UNPACK[to]!(bytesOf(out)).toString()).toBe(content);
        expect([copied, leftOut, lost]).toEqual([records, 0, 0]);
      }),
      RUNS,
    );
  });

  it('are read again as those that were kept, and no others', async () => {
    const folder = temporaryFolder();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(arbitrary, ending, cuts, choices, async ({ name, content, fields = {} }, pack, at, choose) => {
        const [path, out] = [join(folder, name + pack), join(folder, `${++runs}-${name}${pack}`)];
        writeFileSync(path, packed(Buffer.from(content), pack, at));
        const all = await readAll([path], { fields });
        const kept = new Set(all.filter(() => choose.next().value).map(({ record }) => record));
        const { asked, copied, leftOut } = await rewrite([path], out, (_input, record) => kept.has(record), {
          fields,
        });
        expect(asked).toEqual(all.map(({ record }) => `0:${record}`));
        expect([copied, leftOut]).toEqual([kept.size, all.length - kept.size]);
        const again = kept.size === 0 ? [] : await readAll([out], { fields });
        expect(again.map(({ brief }) => brief)).toEqual(
          all.filter(({ record }) => kept.has(record)).map(({ brief }) => brief),
        );
      }),
      RUNS,
    );
  });
});
