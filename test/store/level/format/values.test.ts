import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeSample } from '../../../../src/core/coding/sample-codec.ts';
import { encodeValues } from '../../../../src/core/coding/values-codec.ts';
import { bitsOf } from '../../../../src/core/sketch/main-marks.ts';
import { type VersionSketch, versionSketch } from '../../../../src/core/sketch/version-sketch.ts';
import { contentRecord, digestKey } from '../../../../src/store/contents.ts';
import {
  locatorOf,
  openCompared,
  openContent,
  openHead,
  sealContent,
} from '../../../../src/store/level/format/content-values.ts';
import { openCounts, sealCounts } from '../../../../src/store/level/format/holder-counts.ts';
import { contentKey, versionKey } from '../../../../src/store/level/format/keys.ts';
import { openNothing, sealNothing, ValueWriter } from '../../../../src/store/level/format/value-bytes.ts';
import {
  openDescription,
  openNumber,
  openSource,
  openTotals,
  type SourceRow,
  sealDescription,
  sealNumber,
  sealSource,
  sealTotals,
} from '../../../../src/store/level/format/values.ts';
import { openVersion, sealVersion } from '../../../../src/store/level/format/version-values.ts';
import { TEST_DESCRIPTION } from '../../../support/store/level-folder.ts';
import { contentOf, digest, fingerprintsOf, markedContent } from '../../../support/store/level-plans.ts';

const runs = { seed: 2, numRuns: 300 };
const nat = fc.maxSafeNat();
const hex32 = fc.nat().map((value) => digest(value, value % 7));
const text = fc.option(fc.string({ unit: 'grapheme' }).filter((found) => found.isWellFormed()));
const hold = fc.record({
  content: fc.nat(),
  firstSeen: nat,
  lastSeen: nat,
  bytesDigest: hex32,
  title: text,
  language: text,
});
const KNOWN = digest(77, 1);
const httpStatus = fc.option(fc.integer({ min: 100, max: 599 }));
/** After a time. */
const againAfter = (since: number) =>
  fc
    .array(fc.record({ gap: fc.integer({ min: 1, max: 1e12 }), httpStatus }), { maxLength: 5 })
    .map((all) => all.map(({ gap, ...rest }, i) => ({ at: since + gap + i * 1e12, ...rest })));
const sketch = fc.option(
  fc.tuple(fc.array(fc.nat({ max: 2 ** 30 }), { maxLength: 300 }), fc.boolean()).map(([all, isPart]) => {
    const values = Float64Array.from(all).sort();
    const bits = bitsOf(
      values,
      values.filter((value) => value % 3 === 0),
    );
    const main = isPart ? { shingleCount: 1 + all.length, bits } : null;
    const keys = { shingleCount: all.length * 3, setKey: 77, wordsKey: digestKey(KNOWN) };
    return versionSketch({ modulus: 1, bits: 30, values }, main, keys);
  }),
);
const count = fc.nat({ max: 2 ** 30 });
const change = fc.option(
  fc.record({
    since: nat,
    from: hex32,
    evidence: fc
      .record({
        ...{ shinglesA: count, shinglesB: count, sampledA: count, sampledB: count, shared: count },
        modulus: fc.nat({ max: 30 }).map((power) => 2 ** power),
        equalSets: fc.boolean(),
      })
      .chain((evidence) =>
        // as comparing samples says it: sampledA · m / 2^bits
        fc.integer({ min: 28, max: 40 }).map((bits) => {
          return { ...evidence, falseDensity: (evidence.sampledA * evidence.modulus) / 2 ** bits };
        }),
      ),
  }),
);
const source: fc.Arbitrary<SourceRow> = fc
  .record({
    spelling: text.map((found) => found ?? ''),
    state: fc.constantFrom('live', 'gone'),
    httpStatus: fc.option(fc.integer({ min: 100, max: 599 })),
    firstSeen: nat,
    lastSeen: nat,
    observedAt: nat,
    finalUrl: text,
    meta: fc.option(
      fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)), { noNullPrototype: true }),
    ),
    contentId: hex32,
    isUnread: fc.boolean(),
    present: hold,
    past: fc.array(
      hold.chain((found) => nat.map((pastSince) => ({ ...found, pastSince }))),
      { maxLength: 4 },
    ),
    since: nat,
    sinceHttpStatus: httpStatus,
    again: fc.constant([]),
    sinceChange: change,
    versionCount: fc.nat(),
    forgottenBefore: nat,
  })
  .chain((row) =>
    againAfter(Math.min(row.since, 1e12)).map((again) => ({ ...row, since: Math.min(row.since, 1e12), again })),
  );
const version = fc
  .nat({ max: 1e12 })
  .chain((since) =>
    fc.record({ since: fc.constant(since), again: againAfter(since), sketch, known: fc.option(fc.constant(KNOWN)) }),
  );

const [KEY, OTHER_KEY] = [contentKey(3), contentKey(4)];
const CONTENT = {
  ...contentRecord({ ...contentOf(3, fingerprintsOf(0, 700)), createdAt: 12_345 }, 8),
  locator: locatorOf(3, 'https://a.example/'),
};

const PAGE = {
  ...contentRecord({ ...markedContent(9, contentOf(3, fingerprintsOf(0, 700)), 3), createdAt: 12_345 }, 8),
  locator: CONTENT.locator,
};

describe('values', () => {
  it('are read back as they were written', () => {
    fc.assert(
      fc.property(source, version, (row, { since, again, sketch, known }) => {
        expect(openSource('s', sealSource('s', row))).toEqual(row);
        const { state, httpStatus } = row;
        const contentId = sketch === null ? known : KNOWN;
        const told = { state, httpStatus, contentId, bytesDigest: row.contentId, sketch, again };
        const key = versionKey('https://a.example/', since);
        expect(openVersion(key, sealVersion(key, told))).toEqual(told);
        const totals = { nextContent: row.since, sources: row.firstSeen, contents: 0, postings: row.lastSeen };
        expect(openTotals('n', sealTotals('n', totals))).toEqual(totals);
        expect(openNumber('l', sealNumber('l', row.since))).toBe(row.since);
        const counts = { live: row.firstSeen, gone: row.lastSeen, past: row.versionCount };
        expect(openCounts('u', sealCounts('u', counts))).toEqual(counts);
      }),
      runs,
    );
    for (const content of [CONTENT, PAGE]) expect(openContent(KEY, sealContent(KEY, content))).toEqual(content);
    expect(openDescription('m', sealDescription('m', TEST_DESCRIPTION))).toEqual(TEST_DESCRIPTION);
  });

  it('of a content say what of it is main: all, a part with a bit for each value, or, as before format 8, nothing', () => {
    const few = { ...contentRecord({ ...contentOf(3, [1, 2, 3]), createdAt: 1 }, 8), locator: locatorOf(3, 'urn:x') };
    const marked = { shingleCount: 2, lexicalDigest: digest(5, 1), bits: Uint8Array.of(0b101) };
    const bytesOf = (main: typeof few.main) =>
      sealContent(KEY, { ...few, main })
        .subarray(0, -4)
        .toString('hex');
    const head = `06${Buffer.from('urn:x').toString('hex')}${few.id}${few.shingleDigest}090301`;
    const sample = Buffer.from(encodeSample(few.sample)).toString('hex');
    expect(bytesOf(null)).toBe(`${head}40${sample}`);
    expect(bytesOf(marked)).toBe(`${head}4102${marked.lexicalDigest}${sample}05`);
    expect(bytesOf('not-read')).toBe(`${head}${sample}`);
    expect(sample.startsWith('00')).toBe(true);
    for (const main of [null, marked, 'not-read'] as const) {
      const sealed = sealContent(KEY, { ...few, main });
      expect(openContent(KEY, sealed)).toEqual({ ...few, main });
      expect(openCompared(KEY, sealed, true).main).toEqual(main);
      const part = main === marked ? { shingleCount: 2, lexicalDigest: marked.lexicalDigest } : main;
      expect(openHead(KEY, sealed).main).toEqual(part);
    }
    const cut = { ...few, main: { ...marked, bits: new Uint8Array(0) } };
    expect(() => openContent(KEY, sealContent(KEY, cut))).toThrow(
      expect.objectContaining({ code: 'index-unreadable' }),
    );
  });

  it('of a version say the same, and so does the state that they begin with', () => {
    const key = versionKey('urn:x', 1000);
    const values = Float64Array.of(3, 8, 9);
    const bare = { state: 'gone', httpStatus: null, contentId: KNOWN, bytesDigest: KNOWN, again: [] } as const;
    const keys = { shingleCount: 3, setKey: 77, wordsKey: digestKey(KNOWN) };
    const bytesOf = (main: VersionSketch['main'], wordsKey = keys.wordsKey) => {
      const sketch = versionSketch({ modulus: 1, bits: 26, values }, main, { ...keys, wordsKey });
      const sealed = sealVersion(key, { ...bare, sketch });
      expect(openVersion(key, sealed)).toEqual({ ...bare, sketch });
      return sealed.subarray(0, -4).toString('hex');
    };
    const [head, told] = [`0500${KNOWN}${KNOWN}00034d`, Buffer.from(encodeValues({ modulus: 1, bits: 26, values }))];
    expect(bytesOf('not-read')).toBe(`${head}00${told.toString('hex')}`);
    expect(bytesOf(null)).toBe(`${head}01${told.toString('hex')}`);
    expect(bytesOf({ shingleCount: 2, bits: Uint8Array.of(0b101) }, 300)).toBe(
      `${head}03ac02${told.toString('hex')}05`,
    );
    const before = new ValueWriter().byte(3).varint(0).digest(KNOWN).digest(KNOWN).varint(0).varint(3).varint(77);
    const sketch = versionSketch({ modulus: 1, bits: 26, values }, 'not-read', keys);
    expect(openVersion(key, before.append(told).seal(key))).toEqual({ ...bare, sketch });
  });

  it('betray any flipped bit, any cut, and any other key', () => {
    const sealed = sealContent(KEY, CONTENT);
    const refused = expect.objectContaining({ code: 'index-unreadable' });
    fc.assert(
      fc.property(fc.nat({ max: sealed.length * 8 - 1 }), (bit) => {
        const damaged = Buffer.from(sealed);
        damaged[bit >> 3]! ^= 1 << (bit & 7);
        expect(() => openContent(KEY, damaged)).toThrow(refused);
        expect(() => openContent(KEY, sealed.subarray(0, bit >> 3))).toThrow(refused);
      }),
      runs,
    );
    expect(() => openContent(OTHER_KEY, sealed)).toThrow(refused);
    expect(() => openNothing('r1', sealNothing('r2'))).toThrow(refused);
    openNothing('r1', sealNothing('r1'));
  });

  it('of another form are refused, whatever bytes they hold', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const writer = new ValueWriter();
        for (const byte of bytes) writer.byte(byte);
        const value = writer.seal('k');
        for (const open of [openSource, openVersion, openContent, openTotals, openNumber, openCounts]) {
          try {
            open('k', value);
          } catch (error) {
            expect(error).toMatchObject({ code: 'index-unreadable' });
          }
        }
      }),
      { seed: 3, numRuns: 1000 },
    );
    expect(() => openNumber('k', sealTotals('k', { nextContent: 1, sources: 1, contents: 1, postings: 1 }))).toThrow();
  });
});
