import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../../src/ingest/inputs/detect.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { type ReaderParts, readerOf } from '../../../src/ingest/readers.ts';
import { encode } from '../../support/extract/encode.ts';
import { brief, itemsOf, packedAt, packedFile, plainFile, readAndResume } from '../../support/ingest/opened.ts';
import { recordMap } from '../../support/ingest/record-map.ts';

const PARTS: ReaderParts = {
  ...{ map: recordMap(), limits: DEFAULT_INGEST_LIMITS, table: {}, urlPrefix: null, mtimeMs: null },
};
const COMMAS = { delimiter: ',', hasQuotes: false };
/** With letters whose second byte is that of a backslash or a bracket. */
const LETTERS: Readonly<Record<string, string>> = {
  'windows-1251': 'абвгя ,"x',
  shift_jis: '表ソ能ア ,"x',
  big5: '功許蓋 ,"x',
  gbk: '中乗誠 ,"x',
  'utf-16le': '中😀ä ,"x',
  'utf-16be': '中😀ä ,"x',
};
const charsets = fc.constantFrom(...Object.keys(LETTERS));
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
const cases = charsets.chain((charset) =>
  fc.record({
    charset: fc.constant(charset),
    texts: fc.array(fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...LETTERS[charset]!) }), {
      maxLength: 6,
    }),
  }),
);
const WRITERS = {
  ndjson: (texts: readonly string[]) =>
    texts.map((text, i) => `${JSON.stringify({ url: `u:${i}`, text: `t${text}` })}\n`).join(''),
  json: (texts: readonly string[]) => JSON.stringify(texts.map((text, i) => ({ url: `u:${i}`, text: `t${text}` }))),
  csv: (texts: readonly string[]) =>
    `url,text\n${texts.map((text, i) => `u:${i},"t${text.replaceAll('"', '""')}"\n`).join('')}`,
};

describe('records in other charsets', () => {
  it.each(['ndjson', 'json', 'csv'] as const)('are read from %s, and again from every position', async (format) => {
    await fc.assert(
      fc.asyncProperty(cases, sizes, async ({ charset, texts }, cut) => {
        fc.pre(format !== 'json' || texts.length > 0);
        const bytes = encode(WRITERS[format](texts), charset);
        const read = readerOf(format === 'csv' ? { format, signs: COMMAS, charset } : { format, charset }, PARTS);
        const expected = texts.map((text, i) => [`u:${i}`, `t${text}`]);
        expect((await readAndResume(read, plainFile(bytes, cut))).map(brief)).toEqual(expected);
        expect(
          (
            await readAndResume(
              read,
              packedAt(
                bytes,
                cut.map((size) => size * 7),
              ),
            )
          ).map(brief),
        ).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('lie where their spans say, byte for byte', async () => {
    const line = (text: string) => encode(`{"url":"u:1","text":"${text}"}\n`, 'shift_jis');
    const lines = [line('表'), line('ソ能'), line('x')];
    const read = readerOf({ format: 'ndjson', charset: 'shift_jis' }, PARTS);
    const opened = { ...plainFile(Buffer.concat(lines), [7]).open(null), isTraced: true };
    const spans = (await itemsOf(read(opened, null))).map(({ span }) => span!);
    expect(spans.map(({ start, end }) => end - start)).toEqual(lines.map(({ length }) => length));
  });

  it('before damage are read and copied without what was cut there: no byte tells that its character has ended', async () => {
    const line = (n: number) => `{"url":"u:${n}","text":"表"}`;
    const inMembers = async (format: 'ndjson' | 'json', members: readonly string[]) => {
      const bytes = members.map((text) => encode(text, 'shift_jis'));
      const file = packedFile(
        bytes.map((piece) => [piece]),
        { 1: 'damaged' },
      );
      const read = readerOf({ format, charset: 'shift_jis' }, PARTS);
      const items = await itemsOf(read({ ...file.open(null), isTraced: true }, null));
      const all = Buffer.concat(bytes);
      const copies = items.map(({ span }) => all.subarray(span!.start, span!.end));
      return {
        read: (await readAndResume(read, file)).map(brief),
        copied: copies.map((copy) => new TextDecoder('shift_jis').decode(copy).trim()),
      };
    };
    expect(await inMembers('ndjson', [`${line(1)}\nソ}`, `${line(2)}\n${line(3)}\n`])).toEqual({
      read: [['u:1', '表'], 'damaged', ['u:2', '表'], ['u:3', '表']],
      copied: [line(1), 'ソ}', line(2), line(3)],
    });
    expect(await inMembers('json', [`[${line(1)}`, `,${line(2)},${line(3)}]`])).toEqual({
      read: [['u:1', '表'], 'damaged', ['u:2', '表'], ['u:3', '表']],
      copied: [line(1), '', line(2), line(3)],
    });
  });

  it('are told by a byte order mark, by what was told, and by a guess', () => {
    const detect = (bytes: Buffer, told: string | null = null) =>
      detectFormat({ file: 'a.csv', head: bytes, isWhole: true }, null, told);
    const russian = 'url,text\nu:1,Съешь же ещё этих мягких французских булок\n';
    expect(detect(Buffer.from(`\ufeff${russian.replace(',', '\t')}`, 'utf16le'))).toEqual({
      ...{ format: 'csv', signs: { delimiter: '\t', hasQuotes: false }, charset: 'utf-16le' },
    });
    expect(detect(encode(russian, 'koi8-r'), 'koi8-r')).toMatchObject({ charset: 'koi8-r' });
    expect(detect(encode(russian, 'windows-1251'))).toMatchObject({ charset: 'windows-1251' });
    expect(detect(Buffer.from(russian))).not.toHaveProperty('charset');
    // one damaged letter is no other charset
    expect(detect(Buffer.concat([Buffer.from(russian), Buffer.from([0xff])]))).not.toHaveProperty('charset');
  });
});
