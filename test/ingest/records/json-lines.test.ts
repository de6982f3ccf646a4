import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { jsonLinesReader } from '../../../src/ingest/records/json-lines.ts';
import { brief, itemsOf, packedAt, packedFile, plainFile, readAndResume } from '../../support/ingest/opened.ts';
import { recordMap } from '../../support/ingest/record-map.ts';

const LIMITS = { ...DEFAULT_INGEST_LIMITS, recordBytesMax: 200 };
const read = jsonLinesReader(recordMap(), LIMITS);

/** Lines of files: records, blank ones, no JSON, no UTF-8, some too long. */
const line = fc.oneof(
  fc
    .record({ url: fc.webUrl(), text: fc.string({ minLength: 1, maxLength: 40, unit: 'binary' }) })
    .map((record) => JSON.stringify(record)),
  fc.constantFrom('', ' ', '\t', '{"url":"https://a.example/"', 'null', '[]', '{"text":"x"}', 'x'.repeat(201)),
  fc.constant('{"url":"https://a.example/","text":"\uffff"}'),
);
const file = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 })
  .chain((lines) => fc.boolean().map((cut) => (cut ? lines.flat().slice(0, -1) : lines.flat()).join('')))
  .map((text) => Buffer.from(text.replaceAll('\uffff', 'ÿ'), text.includes('\uffff') ? 'latin1' : 'utf8'));

/** All at once, and as plainly as can be. */
function oracle(content: Buffer): unknown[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < content.length; ) {
    let end = at;
    while (end < content.length && content[end] !== 10 && content[end] !== 13) end++;
    lines.push(content.subarray(at, end));
    at = content[end] === 13 && content[end + 1] === 10 ? end + 2 : end + 1;
  }
  return lines.flatMap((bytes): unknown[] => {
    if (bytes.length > LIMITS.recordBytesMax) return ['too-large'];
    if (bytes.toString('latin1').trim() === '') return [];
    try {
      const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
      if (value === null || Array.isArray(value)) return ['malformed'];
      const { url, text } = value;
      if (url === undefined) return ['no-url'];
      return text === undefined ? ['no-text'] : [[url, text]];
    } catch {
      return ['malformed'];
    }
  });
}

describe('lines of JSON', () => {
  it('are read as all at once, however they come, and again from every position', async () => {
    await fc.assert(
      fc.asyncProperty(
        file,
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
        async (content, sizes) => {
          const items = await readAndResume(read, plainFile(content, sizes));
          expect(items.map(brief)).toEqual(oracle(content));
        },
      ),
    );
  });

  it('are read alike where they were packed, members cut wherever', async () => {
    await fc.assert(
      fc.asyncProperty(file, fc.array(fc.nat(), { maxLength: 20 }), async (content, cuts) => {
        const items = await readAndResume(read, packedAt(content, cuts));
        expect(items.map(brief)).toEqual(oracle(content));
      }),
    );
  });

  it('are read alike with a chunk boundary at every byte', async () => {
    const content = Buffer.from('\ufeff{"url":"https://a.example/ä","text":"ö"}\r\n\n{"id":"urn:x:1","text":"ü"}');
    const whole = await itemsOf(read(plainFile(content).open(null), null));
    expect(whole.map(brief)).toEqual([
      ['https://a.example/ä', 'ö'],
      ['urn:x:1', 'ü'],
    ]);
    for (let cut = 1; cut < content.length; cut++) {
      const file = plainFile(content, [cut, content.length]);
      expect(await itemsOf(read(file.open(null), null))).toEqual(whole);
    }
  });

  it('are named by their numbers, with what was wrong', async () => {
    const items = await itemsOf(
      read(plainFile('{"url":"u:1","text":"a"}\n\n{"url":"u:2","text":tru}\n').open(null), null),
    );
    expect(items.map(({ at, bytes }) => [at, bytes])).toEqual([
      ['line 1', 24],
      ['line 3', 24],
    ]);
    expect(items[1]).toMatchObject({ refused: 'malformed', detail: 'The JSON has a syntax error at column 24.' });
  });

  it('are bounded in depth and values, too', async () => {
    const small = jsonLinesReader(recordMap(), { ...LIMITS, jsonDepthMax: 3, jsonValuesMax: 6 });
    const items = await itemsOf(small(plainFile('{"a":[[[1]]]}\n{"a":[1,2,3,4,5,6]}\n').open(null), null));
    expect(items.map(brief)).toEqual(['too-large', 'too-large']);
  });

  it('that damage has cut are given up, and what follows is read', async () => {
    const record = (n: number) => Buffer.from(`{"url":"u:${n}","text":"t"}\n`);
    const cut = Buffer.concat([record(1), record(2).subarray(0, 10)]);
    const file = packedFile([[cut], [record(3)], [record(4), record(5)]], { 1: 'bytes 10 to 19 cannot be unpacked' });
    const items = await readAndResume(read, file);
    expect(items.map(brief)).toEqual([['u:1', 't'], 'damaged', ['u:3', 't'], ['u:4', 't'], ['u:5', 't']]);
    expect(items[1]).toMatchObject({ detail: 'bytes 10 to 19 cannot be unpacked' });
  });

  it('hold no more than a line may have, of one that never ends', async () => {
    const chunk = Buffer.alloc(2 ** 20, 'x');
    async function* endless() {
      for (let n = 0; n < 64; n++) yield { bytes: chunk, byte: n * chunk.length, begins: false, damage: null };
    }
    const before = process.memoryUsage().arrayBuffers;
    const items = await itemsOf(read({ file: 'f', chunks: endless() }, null));
    expect(items.map(brief)).toEqual(['too-large']);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 2 ** 20);
  });

  it('that are broken one after the other are refused without an exception for each', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const items = await itemsOf(read(plainFile('x\n{"a"}\n{"a":\n{"url":"u:1","text":"x"}\n').open(null), null));
    expect(items.map((item) => ('detail' in item ? item.detail : brief(item)))).toEqual([
      'The JSON has a syntax error at column 1.',
      'The JSON has a syntax error at column 5.',
      'The JSON ends too early, at column 6.',
      ['u:1', 'x'],
    ]);
    expect(parse).toHaveBeenCalledTimes(2);
    parse.mockRestore();
  });

  it('that a CR ends are read though what follows is damaged', async () => {
    const line = (n: number) => Buffer.from(`{"url":"u:${n}","text":"a"}\r`);
    const file = packedFile([[line(1)], [line(2)], [line(3)]], { 1: 'damaged' });
    const expected = [['u:1', 'a'], 'damaged', ['u:2', 'a'], ['u:3', 'a']];
    expect((await readAndResume(read, file)).map(brief)).toEqual(expected);
  });
});
