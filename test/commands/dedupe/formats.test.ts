import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { parquetReadObjects } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { dedupe, FIELDS } from '../../support/cluster/deduped.ts';
import { answerOf, archiveOf, recordOf } from '../../support/ingest/archives.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const WORDS = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
/** The second is a copy of the first, the fourth nearly one of the third; the fifth is alone. */
const TEXTS = [
  WORDS,
  WORDS.replaceAll(' ', ', '),
  `${WORDS.split(' ').toReversed().join(' ')} and so on and on`,
  `${WORDS.split(' ').toReversed().join(' ')} and so on and on again`,
  'A bakery in the old town has won the prize for the best bread of the year for the third time in a row.',
];
const urlOf = (n: number) => `https://a.example/${n}`;
const rowsOf = (numbers: readonly number[]) => numbers.map((n) => ({ url: urlOf(n), text: TEXTS[n]! }));
const ALL = [0, 1, 2, 3, 4];
const KEPT = [0, 2, 4];

const lines = (numbers: readonly number[]) =>
  Buffer.from(
    rowsOf(numbers)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  );
const table = (numbers: readonly number[]) =>
  Buffer.from(
    `url,text\n${rowsOf(numbers)
      .map(({ url, text }) => `${url},"${text}"\n`)
      .join('')}`,
  );
const archive = (numbers: readonly number[]) =>
  archiveOf(
    rowsOf(numbers).map(({ url, text }) => recordOf(answerOf(`<p>${text}`), { url })),
    'gzip',
  ).bytes;
const plain = (bytes: Buffer) => bytes;

describe('removing copies', () => {
  it('takes pages of the same words for the same text, whatever of them is main', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'a.ndjson');
    const text =
      'The tide comes in twice a day on most coasts, and each time it is some fifty minutes later than before.';
    const more =
      'Sailors who wait for the water know that it rises slowly at first, quickly in the third hour, slowly again.';
    const htmls = [`<p>${text}</p><p>${more}</p>`, `<nav>${text}</nav><article><p>${more}</p></article>`];
    const records = htmls.map((html, i) => JSON.stringify({ url: urlOf(i), html }));
    writeFileSync(path, `${records.join('\n')}\n`);
    const { removed } = await dedupe(folder, [path], { kept: '-', keep: 'first' });
    expect(removed.map(({ url, reason }) => [url, reason])).toEqual([[urlOf(1), 'same-text']]);
  });

  it.each([
    ['a.ndjson', lines, plain, plain],
    ['a.ndjson.gz', lines, gzipSync, gunzipSync],
    ['a.ndjson.zst', lines, zstdCompressSync, zstdDecompressSync],
    ['a.csv', table, plain, plain],
    ['a.warc.gz', archive, plain, plain],
  ])('leaves a file of its format: %s', async (name, make, pack, unpack) => {
    const folder = temporaryFolder();
    const path = join(folder, name);
    writeFileSync(path, pack(make(ALL)));
    const kept = join(folder, `kept.${name}`);
    const { removed, report } = await dedupe(folder, [path], { kept, keep: 'first', threshold: 0.7 });
    expect(unpack(readFileSync(kept)).equals(make(KEPT))).toBe(true);
    expect(removed.map(({ url, keptUrl, record, reason }) => [url, keptUrl, record, reason])).toEqual([
      [urlOf(1), urlOf(0), 1, 'same-text'],
      [urlOf(3), urlOf(2), 3, 'near-copy'],
    ]);
    expect(report).toMatchObject({ records: 5, documents: 5, kept: 3, lost: 0 });
    expect(report.bytes).toBe(readFileSync(kept).length);
  });

  it('leaves a JSON file, and Parquet', async () => {
    const folder = temporaryFolder();
    const json = join(folder, 'a.json');
    writeFileSync(json, `{"pages": ${JSON.stringify(rowsOf(ALL))}}`);
    await dedupe(folder, [json], { keep: 'first', threshold: 0.7 });
    expect(JSON.parse(readFileSync(join(folder, 'kept'), 'utf8'))).toEqual(rowsOf(KEPT));
    const parquet = join(folder, 'a.parquet');
    const columnData = (['url', 'text'] as const).map((name) => ({
      ...{ name, type: 'STRING' as const, data: rowsOf(ALL).map((row) => row[name]) },
    }));
    writeFileSync(parquet, Buffer.from(parquetWriteBuffer({ columnData })));
    const kept = join(folder, 'kept.parquet');
    await dedupe(folder, [parquet], { keep: 'first', threshold: 0.7, kept, removed: join(folder, 'r2') });
    const bytes = new Uint8Array(readFileSync(kept)).buffer;
    const file = { byteLength: bytes.byteLength, slice: (from: number, to?: number) => bytes.slice(from, to) };
    expect(await parquetReadObjects({ file })).toEqual(rowsOf(KEPT));
  });

  it('leaves a folder of documents, and of several inputs one file, or a file for each', async () => {
    const folder = temporaryFolder();
    const docs = join(folder, 'docs');
    mkdirSync(join(docs, 'deep'), { recursive: true });
    for (const n of ALL) {
      const path = join(docs, n === 4 ? `deep/${n}.txt` : `${n}.txt`);
      writeFileSync(path, TEXTS[n]!);
      // the newest is the first
      utimesSync(path, 1000 - n, 1000 - n);
    }
    const fields = { ...FIELDS, urlPrefix: 'https://a.example/' };
    const { removed } = await dedupe(folder, [docs], { keep: 'newest', threshold: 0.7, fields });
    const names = readdirSync(join(folder, 'kept'), { recursive: true, withFileTypes: true });
    expect(
      names
        .filter((one) => one.isFile())
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['0.txt', '2.txt', '4.txt']);
    expect(removed.map(({ url, input }) => [url, input])).toEqual([
      ['https://a.example/1.txt', docs],
      ['https://a.example/3.txt', docs],
    ]);
    const parts = [join(folder, 'x.ndjson'), join(folder, 'y.ndjson')];
    writeFileSync(parts[0]!, lines([0, 2]));
    writeFileSync(parts[1]!, lines([1, 3, 4]));
    const how = { keep: 'first', threshold: 0.7 } as const;
    const one = await dedupe(folder, parts, { ...how, kept: '-', removed: join(folder, 'r2') });
    expect(one.stdout.equals(lines([0, 2, 4]))).toBe(true);
    expect(
      one.removed.map(({ input, record, keptInput, keptRecord }) => [input, record, keptInput, keptRecord]),
    ).toEqual([
      [parts[1], 0, parts[0], 0],
      [parts[1], 1, parts[0], 1],
    ]);
    await dedupe(folder, parts, { ...how, kept: join(folder, 'each/'), removed: join(folder, 'r3') });
    expect(readFileSync(join(folder, 'each', 'x.ndjson')).equals(lines([0, 2]))).toBe(true);
    expect(readFileSync(join(folder, 'each', 'y.ndjson')).equals(lines([4]))).toBe(true);
  });

  it('takes revisits of an archive with the record that they point at, in whichever file they are', async () => {
    const folder = temporaryFolder();
    const record = (n: number, date: string, text: number) =>
      recordOf(answerOf(`<p>${TEXTS[text]}`), { url: urlOf(n), date });
    const revisit = (n: number, date: string, of: number | null, at: string | null) =>
      recordOf(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-N: ${n} ${date}\r\n\r\n`, {
        ...{ type: 'revisit', url: urlOf(n), date },
        more: [
          'WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
          ...(of === null ? [] : [`WARC-Refers-To-Target-URI: ${urlOf(of)}`]),
          ...(at === null ? [] : [`WARC-Refers-To-Date: ${at}`]),
        ],
      });
    const [first, second, third] = ['2020-01-01T00:00:00Z', '2020-02-01T00:00:00Z', '2020-03-01T00:00:00Z'];
    const kept = [
      record(0, first, 0),
      revisit(5, third, 0, first),
      record(4, first, 4),
      revisit(4, second, null, null),
    ];
    const later = [
      revisit(7, third, 9, first),
      // of a record that is not here, though an older one of its URL is, and goes
      revisit(8, third, 1, '2020-02-15T00:00:00Z'),
      // of a URL that has changed: it means what was there first, which stays
      revisit(0, third, 0, first),
    ];
    const copy = record(1, second, 1);
    const byId = ['WARC-Refers-To', /WARC-Record-ID: (<.*>)/.exec(copy.toString())![1]].join(': ');
    const gone = {
      before: revisit(6, second, 1, second),
      copy,
      behind: recordOf('', { type: 'revisit', url: urlOf(1), date: third, more: [byId] }),
      twin: record(0, third, 1),
    };
    const one = join(folder, 'a.warc');
    const other = join(folder, 'b.warc');
    writeFileSync(one, Buffer.concat([gone.before, ...kept]));
    writeFileSync(other, Buffer.concat([gone.copy, gone.behind, ...later, gone.twin]));
    const { removed, report, stdout } = await dedupe(folder, [one, other], { kept: '-' });
    expect(stdout.toString()).toBe(Buffer.concat([...kept, ...later]).toString());
    expect(removed.map(({ url, keptUrl, reason, input }) => [url, keptUrl, reason, input])).toEqual([
      [urlOf(1), urlOf(0), 'same-text', other],
      [urlOf(0), urlOf(0), 'same-text', other],
      [urlOf(6), urlOf(0), 'revisit', one],
      [urlOf(1), urlOf(0), 'revisit', other],
    ]);
    expect(report).toMatchObject({ records: 11, documents: 4, kept: 7, removed: { revisit: 2, 'same-text': 2 } });
  });
});
