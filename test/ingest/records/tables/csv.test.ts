import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_INGEST_LIMITS } from '../../../../src/ingest/limits.ts';
import { csvReader } from '../../../../src/ingest/records/tables/csv.ts';
import { brief, itemsOf, packedAt, packedFile, plainFile, readAndResume } from '../../../support/ingest/opened.ts';
import { recordMap } from '../../../support/ingest/record-map.ts';

const LIMITS = { ...DEFAULT_INGEST_LIMITS, recordBytesMax: 200 };
const WITH_HEADER = { delimiter: ',', quote: '"', escapedBy: null, hasHead: true };
const TABS = { ...WITH_HEADER, delimiter: '\t', quote: null };
const NUMBERED = recordMap({ url: '1', text: '2' });
const read = csvReader(recordMap(), WITH_HEADER, LIMITS);
const readTold = csvReader(NUMBERED, { ...WITH_HEADER, hasHead: false }, LIMITS);

/** Fields letter by letter: quotes open a field at its beginning only, and close it before a comma or the end of the row. */
function naiveRows(text: string): string[][] {
  const rows: string[][] = [];
  let [row, at]: [string[], number] = [[], 0];
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        field += text[at];
        if (text[at] === '"') at++;
      }
      at++;
    } else {
      while (at < text.length && text[at] !== ',' && text[at] !== '\n' && text.slice(at, at + 2) !== '\r\n')
        field += text[at++];
    }
    row.push(field);
    if (text[at] === ',') at++;
    else {
      at += text[at] === '\r' ? 2 : 1;
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

const letters = fc.string({
  minLength: 1,
  maxLength: 8,
  unit: fc.constantFrom('a', 'ä', '"', ',', '\n', ' ', ';', '\r\n', '😀'),
});
const plain = fc
  .string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'ä', ';', ' ') })
  .map((text) => `p${text}p"`);
const field = fc.oneof(
  letters.map((text) => `"${text.replaceAll('"', '""')}"`),
  plain,
);
const row = fc
  .tuple(fc.webUrl(), field, fc.constantFrom('\n', '\r\n'))
  .map(([url, text, end]) => `"${url}",${text}${end}`);
const table = fc
  .array(fc.oneof({ weight: 6, arbitrary: row }, fc.constantFrom('\n', '\r\n')), { maxLength: 10 })
  .map((rows) => rows.join(''));
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });

const oracle = (text: string) =>
  naiveRows(text)
    .filter((fields) => fields.length > 1)
    .map(([url, text]) => [url, text]);

describe('CSV', () => {
  it('is read as a naive reader reads it, however it comes, and again from every position', async () => {
    await fc.assert(
      fc.asyncProperty(table, sizes, async (text, cut) => {
        const items = await readAndResume(read, plainFile(`url,text\n${text}`, cut));
        expect(items.map(brief)).toEqual(oracle(text));
        expect(await readAndResume(readTold, plainFile(`\ufeff${text}`, cut))).toMatchObject(
          items.map((item) => ({ ...('operation' in item ? { operation: item.operation } : {}) })),
        );
      }),
    );
  });

  it('opens a field by a quote behind a byte order mark', async () => {
    for (const sizes of [[1], [100]]) {
      const items = await readAndResume(readTold, plainFile('\ufeff"http://a.example/,","two\nlines"\n', sizes));
      expect(items.map(brief)).toEqual([['http://a.example/,', 'two\nlines']]);
    }
  });

  it('is read alike where it was packed, members cut wherever', async () => {
    await fc.assert(
      fc.asyncProperty(table, fc.array(fc.nat(), { maxLength: 20 }), async (text, cuts) => {
        for (const [reader, content] of [
          [read, `url,text\n${text}`],
          [readTold, text],
        ] as const) {
          expect((await readAndResume(reader, packedAt(Buffer.from(content), cuts))).map(brief)).toEqual(oracle(text));
        }
      }),
    );
  });

  it('comes in its chunks as at once, and goes on from every position, whatever is broken', async () => {
    const change = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 3 }),
      put: fc.string({ maxLength: 2, unit: fc.constantFrom('"', ',', '\n', 'x') }),
    });
    await fc.assert(
      fc.asyncProperty(table, fc.array(change, { minLength: 1, maxLength: 4 }), sizes, async (text, changes, cut) => {
        let broken = text;
        for (const { at, cut: length, put } of changes) {
          const place = at % (broken.length + 1);
          broken = broken.slice(0, place) + put + broken.slice(place + length);
        }
        for (const reader of [read, readTold]) {
          const whole = await itemsOf(reader(plainFile(broken).open(null), null));
          expect(await readAndResume(reader, plainFile(broken, cut))).toEqual(whole);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('names rows by their numbers, the first one and blank ones counted', async () => {
    const items = await readAndResume(read, plainFile('url,text\n\nu:1,"a\nb"\nu:2\nu:3,c,d\n,e\n'));
    expect(items.map((item) => [item.at, brief(item)])).toEqual([
      ['row 3', ['u:1', 'a\nb']],
      ['row 4', 'malformed'],
      ['row 5', 'malformed'],
      ['row 6', 'no-url'],
    ]);
    expect(items[2]).toMatchObject({ detail: 'The row has 3 fields, and there are 2 columns.' });
  });

  it('loses one line to a quote that is not closed', async () => {
    const rows = Array.from({ length: 40 }, (_, n) => `u:${n},text ${n}\n`);
    rows[5] = 'u:5,"text 5\n';
    for (const reader of [read, readTold]) {
      const items = await readAndResume(reader, plainFile((reader === read ? 'url,text\n' : '') + rows.join(''), [33]));
      expect(items).toHaveLength(40);
      expect(items.map((item, n) => ('refused' in item ? n : -1)).filter((n) => n >= 0)).toEqual([5]);
      expect(items[5]).toMatchObject({ refused: 'malformed', detail: expect.stringContaining('not closed') });
    }
    expect((await readAndResume(read, plainFile('url,text\nu:1,"a\nu:2,b\n'))).map(brief)).toEqual([
      'malformed',
      ['u:2', 'b'],
    ]);
  });

  it('refuses rows that are too long, too wide or no UTF-8, and reads the others', async () => {
    const content = Buffer.concat([
      Buffer.from(`url,text\nu:1,${'x'.repeat(200)}\nu:2,b\nu:3,${','.repeat(20)}\nu:4,`),
      Buffer.from([0xff, 0x0a]),
      Buffer.from('u:5,e\n'),
    ]);
    const narrow = csvReader(recordMap(), WITH_HEADER, { ...LIMITS, fieldsMax: 10 });
    expect((await readAndResume(narrow, plainFile(content, [50]))).map(brief)).toEqual([
      'too-large',
      ['u:2', 'b'],
      'too-large',
      'malformed',
      ['u:5', 'e'],
    ]);
  });

  it('reads nothing of a file whose first row cannot name columns', async () => {
    const content = Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from('u:1,a\n')]);
    const items = await readAndResume(read, plainFile(content));
    expect(items).toMatchObject([{ at: 'row 1', refused: 'malformed' }]);
  });

  it('may have tabs between its fields', async () => {
    const tabs = csvReader(recordMap(), TABS, LIMITS);
    expect((await readAndResume(tabs, plainFile('url\ttext\nu:1\ta, "b"\n'))).map(brief)).toEqual([['u:1', 'a, "b"']]);
  });

  it('says where it was damaged', async () => {
    const file = packedFile([[Buffer.from('url,text\nu:1,"a')], [Buffer.from('b"\nu:2,b\n')]], { 1: 'lost' });
    expect((await readAndResume(read, file)).map(brief)).toEqual(['damaged', 'malformed', ['u:2', 'b']]);
  });

  it('gives a row that a CR has ended though what follows was damaged', async () => {
    const rows = ['url,text\r', 'u:1,a\r', 'u:2,b\r', 'u:3,c\r'].map((text) => [Buffer.from(text)]);
    const expected = [['u:1', 'a'], 'damaged', ['u:2', 'b'], ['u:3', 'c']];
    expect((await readAndResume(read, packedFile(rows, { 2: 'lost' }))).map(brief)).toEqual(expected);
  });

  it('may end its lines with CR alone, or with all three ends after such a line', async () => {
    const end = fc.constantFrom('\r', '\n', '\r\n');
    const rowOf = fc
      .tuple(fc.nat({ max: 99 }), fc.constantFrom('a', '"a\rb"', '"a,""b"', '"\r\n"', ''))
      .chain(([n, text]) => end.map((last) => ({ n, text, last })));
    await fc.assert(
      fc.asyncProperty(fc.array(rowOf, { maxLength: 8 }), sizes, fc.array(fc.nat()), async (rows, cut, cuts) => {
        const text = `url,text,n\r${rows.map(({ n, text, last }) => `u:${n},x${n},${text}${last}`).join('')}`;
        const expected = rows.map(({ n }) => [`u:${n}`, `x${n}`]);
        expect((await readAndResume(read, plainFile(text, cut))).map(brief)).toEqual(expected);
        expect((await readAndResume(read, packedAt(Buffer.from(text), cuts))).map(brief)).toEqual(expected);
      }),
    );
  });

  it('keeps a CR alone as a character if the first line does not end with one', async () => {
    const items = await readAndResume(read, plainFile('url,text\nu:1,a\rb\r\n', [3]));
    expect(items.map(brief)).toEqual([['u:1', 'a\rb']]);
  });

  it('may have lines before its head: what Excel is told, comments, blank lines', async () => {
    const before = 'sep=;\r\n# made, "by hand\r\n\r\n#;"\r\n';
    const dialect = { ...WITH_HEADER, delimiter: ';' };
    for (const [hasHead, head] of [
      [true, ' url; text\r\n'],
      [true, '# url;text\r\n'],
      [false, ''],
    ] as const) {
      const reader = csvReader(hasHead ? recordMap() : NUMBERED, { ...dialect, hasHead }, LIMITS);
      const items = await readAndResume(reader, plainFile(`\ufeff${before}${head}u:1;#a\r\nu:2;b\r\n`, [5]));
      expect(items.map((item) => [item.at, brief(item)])).toEqual([
        [hasHead ? 'row 6' : 'row 5', ['u:1', '#a']],
        [hasHead ? 'row 7' : 'row 6', ['u:2', 'b']],
      ]);
    }
  });

  it('has no quotes where they mean nothing', async () => {
    const rows = ['"Low water', '"Ebb" and flow', 'he said "no"', '"', '""', '"flow'].map((text, n) => [
      `u:${n}`,
      text,
    ]);
    const content = `url\ttext\n${rows.map((row) => `${row.join('\t')}\n`).join('')}`;
    const items = await readAndResume(csvReader(recordMap(), TABS, LIMITS), plainFile(content, [7]));
    expect(items.map(brief)).toEqual(rows);
  });

  it('gives up one line, and says which, if a quote closes on another line and more follows', async () => {
    const content = 'url,text\nu:1,"a\nu:2,b\nu:3,"c\nu:4,d\nu:5,"e\n"\n';
    for (const cut of [1, 9, 100]) {
      const items = await readAndResume(read, plainFile(content, [cut]));
      expect(items.map(brief)).toEqual(['malformed', ['u:2', 'b'], 'malformed', ['u:4', 'd'], ['u:5', 'e\n']]);
      expect(items[0]).toMatchObject({ at: 'row 2', detail: expect.stringContaining('"u:1,\\"a"') });
    }
    // nothing of a table can be read without its head
    expect((await readAndResume(read, plainFile('url,"text\nu:1,a\n'))).map(brief)).toEqual(['malformed']);
  });
});
