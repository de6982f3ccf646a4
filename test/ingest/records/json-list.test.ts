import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import type { SourceReader } from '../../../src/ingest/port.ts';
import { jsonListReader } from '../../../src/ingest/records/json-list.ts';
import { brief, itemsOf, packedAt, packedFile, plainFile, readAndResume } from '../../support/ingest/opened.ts';
import { recordMap } from '../../support/ingest/record-map.ts';

const LIMITS = { ...DEFAULT_INGEST_LIMITS, recordBytesMax: 300 };
const read = jsonListReader(recordMap(), LIMITS);
const readAll = async (content: string | Uint8Array, sizes?: readonly number[], reader: SourceReader = read) =>
  itemsOf(reader(plainFile(content, sizes).open(null), null));

/** The lists of records in a value, by the words of the reader. */
function recordsIn(value: unknown, isTop = true): unknown[] {
  if (Array.isArray(value)) {
    const isRecords = isTop || isObject(value[0]);
    return isRecords ? value : value.flatMap((inner) => recordsIn(inner, false));
  }
  return isObject(value) ? Object.values(value).flatMap((inner) => recordsIn(inner, false)) : [];
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const hasLists = (value: unknown): boolean =>
  Array.isArray(value) || (isObject(value) && Object.values(value).some(hasLists));

function briefOf(record: unknown): unknown {
  if (!isObject(record)) return 'malformed';
  const { url, text } = record as { url?: string; text?: string };
  if (url === undefined) return 'no-url';
  return text === undefined ? 'no-text' : [url, text];
}

const text = fc.string({
  minLength: 1,
  maxLength: 12,
  unit: fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'a', 'ä'),
});
const record = fc.record(
  { url: text.map((path) => `u:${path}`), text, tags: fc.array(text, { maxLength: 2 }) },
  { requiredKeys: ['url'] },
);
const scalar = fc.oneof(text, fc.double({ noDefaultInfinity: true, noNaN: true }), fc.boolean(), fc.constant(null));
const list = fc.oneof(
  fc
    .tuple(record, fc.array(fc.oneof({ weight: 5, arbitrary: record }, scalar), { maxLength: 5 }))
    .map(([first, others]) => [first, ...others]),
  fc.array(scalar, { maxLength: 3 }),
);
const document = fc.oneof(
  list,
  fc.record({
    took: scalar,
    hits: fc.record({ total: scalar, hits: list, none: fc.constant([]) }),
    more: list,
    last: scalar,
  }),
);
const printed = fc
  .tuple(document, fc.constantFrom(undefined, 1, '\t'))
  .map(([value, space]) => ({ value, json: JSON.stringify(value, null, space) }));
const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });

describe('lists of JSON', () => {
  it('are read as all at once, however they come, and again from every position', async () => {
    await fc.assert(
      fc.asyncProperty(printed, sizes, async ({ value, json }, cut) => {
        const items = await readAndResume(read, plainFile(json, cut));
        const expected =
          hasLists(value) && recordsIn(value).length + (Array.isArray(value) ? 1 : 0) > 0
            ? recordsIn(value).map(briefOf)
            : null;
        if (expected !== null) expect(items.map(brief)).toEqual(expected);
      }),
    );
  });

  it('are read alike where they were packed, members cut wherever', async () => {
    await fc.assert(
      fc.asyncProperty(printed, fc.array(fc.nat(), { maxLength: 20 }), async ({ json }, cuts) => {
        const items = await readAndResume(read, packedAt(Buffer.from(json), cuts));
        expect(items.map(brief)).toEqual((await readAll(json)).map(brief));
      }),
    );
  });

  it('come in their chunks as at once, and go on from every position, whatever is broken', async () => {
    const change = fc.record({
      at: fc.nat(),
      cut: fc.nat({ max: 6 }),
      put: fc.string({ maxLength: 2, unit: fc.constantFrom('"', '{', '}', '[', ']', ',', '\\') }),
    });
    await fc.assert(
      fc.asyncProperty(
        printed,
        fc.array(change, { minLength: 1, maxLength: 4 }),
        sizes,
        async ({ json }, changes, cut) => {
          let broken = json;
          for (const { at, cut: length, put } of changes) {
            const place = at % (broken.length + 1);
            broken = broken.slice(0, place) + put + broken.slice(place + length);
          }
          expect(await readAndResume(read, plainFile(broken, cut))).toEqual(await readAll(broken));
        },
      ),
      { numRuns: 200 },
    );
  });

  const good = (n: number) => `{"url":"u:${n}","text":"say \\"${n}\\", {n}"}`;
  it.each([
    ['a word that is none', '{"url":"u:x","text":nul}', ['malformed']],
    ['a string without its end', '{"url":"u:x","text":"abc}', ['malformed']],
    ['a string without its beginning', '{"url":"u:x","text":abc"}', ['malformed']],
    ['an object without its end', '{"url":"u:x","text":"abc"', ['malformed']],
    ['an object with two ends', '{"url":"u:x","text":"abc"}}', [['u:x', 'abc']]],
    ['a list without its end', '{"url":"u:x","tags":["a","text":"abc"}', ['malformed']],
    ['a record that is too long', `{"url":"u:x","text":"${'},{x'.repeat(100)}"}`, ['too-large']],
    ['no object', '12', ['malformed']],
    ['a list', '[{"url":"u:x"}]', ['malformed']],
    ['nothing', '', []],
  ])('lose nothing beside a record with %s', async (_what, bad, expected) => {
    const around = [1, 2, 3].map((n) => [`u:${n}`, `say "${n}", {n}`]);
    for (const json of [
      `[${good(1)},${bad},${good(2)},${good(3)}]`,
      `{"n":3,"docs":[${good(1)},\n${bad},\n${good(2)},${good(3)}]}`,
    ]) {
      const items = await readAndResume(read, plainFile(json));
      expect(items.map(brief)).toEqual([around[0], ...expected, around[1], around[2]]);
    }
  });

  it('are told to be cut', async () => {
    expect((await readAndResume(read, plainFile(`[${good(1)},`))).map(brief)).toEqual([
      ['u:1', 'say "1", {n}'],
      'malformed',
    ]);
    const items = await readAndResume(read, plainFile(`[${good(1)},{"url":"u:2","te`));
    expect(items.map(brief)).toEqual([['u:1', 'say "1", {n}'], 'malformed']);
    expect(items[1]).toMatchObject({ at: 'record 2 at byte 39', detail: 'The file ends in the record.' });
  });

  it('may be none: a file of one object is one record, and any other is refused', async () => {
    expect(
      (await readAndResume(read, plainFile('\ufeff{\n "url":"u:1", "text":"a", "tags":["b"]\n}', [3]))).map(brief),
    ).toEqual([['u:1', 'a']]);
    const items = await readAll('{"count":0}\n{"count":1}');
    expect(items).toMatchObject([{ refused: 'malformed', detail: expect.stringContaining('no list of objects') }]);
    expect(await readAll('')).toEqual([]);
    expect(await readAll('[]')).toEqual([]);
    expect((await readAll('"x"')).map(brief)).toEqual(['malformed']);
  });

  it('are read behind damage', async () => {
    const file = packedFile(
      [
        [Buffer.from(`[${good(1)},{"url":"u:2","text":"`)],
        [Buffer.from(`2"},${good(3)},${good(4)}`)],
        [Buffer.from(`,${good(5)}]`)],
      ],
      { 1: 'lost' },
    );
    const items = await readAndResume(read, file);
    expect(items.map((item) => ('refused' in item ? item.refused : (brief(item) as string[])[0]))).toEqual([
      'u:1',
      'damaged',
      'u:3',
      'u:4',
      'u:5',
    ]);
  });

  it('take a hit of Elasticsearch by what is in it', async () => {
    const hit = { _index: 'pages', _id: '7', _source: { url: 'u:1', content: 'a' } };
    expect((await readAll(JSON.stringify({ hits: { total: { value: 1 }, hits: [hit] } }))).map(brief)).toEqual([
      ['u:1', 'a'],
    ]);
  });

  it('take no longer for what is made to be read again and again', async () => {
    const wide = jsonListReader(recordMap(), { ...DEFAULT_INGEST_LIMITS });
    for (const hostile of [
      '{"a},'.repeat(10_000),
      '{"":[{},'.repeat(10_000),
      '{"":{},'.repeat(10_000),
      '}],{"'.repeat(10_000),
    ]) {
      const items = await readAll(`[${hostile}`, undefined, wide);
      expect(items.length).toBeLessThan(hostile.length);
      expect(items.every((item) => 'refused' in item)).toBe(true);
    }
  });
});
