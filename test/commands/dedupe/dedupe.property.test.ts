import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RemovedLine } from '../../../src/commands/dedupe/port.ts';
import { dedupe } from '../../support/cluster/deduped.ts';
import { createPrng } from '../../support/prng.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/*
 * Against brute force: all shingles of all pairs. The texts are short, so that all of their shingles are posted and no pair is
 * missed.
 */

const SHINGLE = 4;
const PREFERRED = ['oldest', 'newest', 'longest', 'shortest-url', 'first', 'field'] as const;
const START = Date.UTC(2020, 0, 1);

interface Made {
  readonly line: string;
  /** null: no document. */
  readonly document: MadeDocument | null;
}

interface MadeDocument {
  readonly url: string;
  readonly text: string;
  readonly shingles: ReadonlySet<string>;
  readonly date: number | null;
  readonly score: number | null;
}

/** Families of texts with some words changed, cut or added, some the same; URLs that several have; lines that are none. */
function madeLines(seed: number, count: number): Made[] {
  const prng = createPrng(seed);
  const word = () => `w${prng.below(400)}`;
  const bases = Array.from({ length: 6 }, () => Array.from({ length: 24 + prng.below(30) }, word));
  return Array.from({ length: count }, () => {
    if (prng.below(15) === 0) return { line: prng.below(2) === 0 ? 'nonsense' : '{"op":"delete"}', document: null };
    if (prng.below(15) === 0) return { line: '{"url":"https://a.example/empty","text":" "}', document: null };
    const base = bases[prng.below(bases.length)]!;
    const changes = prng.below(3) === 0 ? 0 : prng.below(7) / 60;
    const words = base.map((one) => (prng.next() < changes ? word() : one));
    const text = words.slice(prng.below(3), words.length - prng.below(6)).join(' ');
    const url = `https://a.example/${'x'.repeat(prng.below(4))}${prng.below(count)}`;
    const date = prng.below(4) === 0 ? null : START + 1000 * prng.below(40);
    const score = prng.below(4) === 0 ? null : prng.below(10);
    const line = JSON.stringify({
      ...{ url, text: prng.below(2) === 0 ? text : `${text.toUpperCase()}!` },
      ...(date === null ? {} : { date: new Date(date).toISOString() }),
      ...(score === null ? {} : { score: prng.below(2) === 0 ? score : String(score) }),
    });
    return { line, document: { url, text, shingles: shinglesOf(text), date, score } };
  });
}

function shinglesOf(text: string): ReadonlySet<string> {
  const words = text.split(' ');
  return new Set(Array.from({ length: words.length - SHINGLE + 1 }, (_, i) => words.slice(i, i + SHINGLE).join(' ')));
}

type By = 'resemblance' | 'containment';

function likeness(a: MadeDocument, b: MadeDocument, by: By): number {
  const shared = a.shingles.intersection(b.shingles).size;
  if (by === 'containment') return shared / Math.min(a.shingles.size, b.shingles.size);
  return shared / (a.shingles.size + b.shingles.size - shared);
}

/** What stays before what. */
function order(prefer: (typeof PREFERRED)[number], by: By) {
  const known = (value: number | null, otherwise: number) => value ?? otherwise;
  const none = Number.POSITIVE_INFINITY;
  const keys: Readonly<Record<typeof prefer, (one: MadeDocument) => readonly number[]>> = {
    oldest: ({ date, url }) => [known(date, none), url.length],
    newest: ({ date, url }) => [-known(date, -none), url.length],
    longest: ({ shingles }) => [-shingles.size],
    'shortest-url': ({ url }) => [url.length],
    first: () => [],
    field: ({ score }) => [-known(score, -none)],
  };
  return (a: number, b: number, documents: readonly MadeDocument[]) => {
    const keyOf = (at: number) => [
      ...(by === 'containment' ? [-documents[at]!.shingles.size] : []),
      ...keys[prefer](documents[at]!),
      at,
    ];
    const [one, other] = [keyOf(a), keyOf(b)];
    const at = one.findIndex((key, i) => key !== other[i]);
    return one[at]! - other[at]!;
  };
}

/** Greedy, by the order of preference. @param fixed documents that stay */
function keptOf(
  documents: readonly MadeDocument[],
  fixed: readonly MadeDocument[],
  { threshold, by, prefer, isAlone }: Asked,
): Set<number> {
  const compare = order(prefer, by);
  const isLike = (kept: MadeDocument, one: MadeDocument) =>
    likeness(kept, one, by) >= threshold && (by === 'resemblance' || kept.shingles.size >= one.shingles.size);
  const kept = new Set<number>();
  for (const at of [...documents.keys()].sort((a, b) => compare(a, b, documents))) {
    const one = documents[at]!;
    const isCopy = fixed.some((other) => isLike(other, one));
    if (!isCopy && (isAlone || ![...kept].some((other) => isLike(documents[other]!, one)))) kept.add(at);
  }
  return kept;
}

interface Asked {
  readonly threshold: number;
  readonly by: By;
  readonly prefer: (typeof PREFERRED)[number];
  readonly isAlone: boolean;
}

const asked = fc.record({
  ...{ seed: fc.nat(1e6), count: fc.integer({ min: 1, max: 120 }), others: fc.constantFrom(0, 0, 30) },
  ...{ threshold: fc.constantFrom(0.5, 0.7, 0.8, 0.9, 1), by: fc.constantFrom<By>('resemblance', 'containment') },
  ...{ prefer: fc.constantFrom(...PREFERRED), isAlone: fc.boolean(), inputs: fc.constantFrom(1, 2) },
  hasBlanks: fc.boolean(),
});

describe('removing copies', () => {
  it('keeps what brute force keeps, byte for byte, and has for each other record a kept one that is so alike', {
    timeout: 120_000,
  }, async () => {
    const seen = { removed: 0, against: 0, withoutDocument: 0 };
    await fc.assert(
      fc.asyncProperty(asked, async ({ seed, count, others, inputs, hasBlanks, ...how }) => {
        const folder = temporaryFolder();
        const all = madeLines(seed, count + others);
        const [fixed, made] = [all.slice(0, others), all.slice(others)];
        const middle = inputs === 1 ? count : Math.floor(count / 2);
        const names = ['a.ndjson', 'b.ndjson'].slice(0, inputs).map((name) => join(folder, name));
        const ranges = [made.slice(0, middle), made.slice(middle)];
        for (const [i, name] of names.entries()) writeFileSync(name, textOf(ranges[i]!, hasBlanks));
        const other = join(folder, 'other.ndjson');
        if (others > 0) writeFileSync(other, textOf(fixed, hasBlanks));
        const isAlone = others > 0 && how.isAlone;
        const hasField = how.prefer === 'field' && made.some(({ document }) => typeof document?.score === 'number');
        const prefer = how.prefer === 'field' && !hasField ? 'first' : how.prefer;
        const { report, removed } = await dedupe(folder, names, {
          ...{ threshold: how.threshold, by: how.by, env: { SHINGLE_SIZE: String(SHINGLE) } },
          keep: prefer === 'field' ? { field: 'score' } : prefer,
          against: others === 0 ? null : { path: other, isAlone },
        });
        const at = ({ input, record }: Pick<RemovedLine, 'input' | 'record'>) =>
          input === names[0] ? record : middle + record;
        // byte for byte, in its order
        const gone = new Set(removed.map(at));
        expect(gone.size).toBe(removed.length);
        const left = made.filter((_, i) => !gone.has(i));
        expect(readFileSync(join(folder, 'kept'), 'utf8')).toBe(
          ranges.map((of, i) => textOf(of, hasBlanks, (nth) => gone.has(i * middle + nth))).join(''),
        );
        // what brute force keeps, and what has no document
        const documents = made.flatMap(({ document }) => (document === null ? [] : [document]));
        const kept = keptOf(
          documents,
          fixed.flatMap(({ document }) => document ?? []),
          { ...how, prefer, isAlone },
        );
        const expected = new Set([...kept].map((one) => documents[one]!));
        expect(left.filter(({ document }) => document !== null).map(({ document }) => document)).toEqual(
          [...documents].filter((one) => expected.has(one)),
        );
        for (const line of removed) {
          const one = made[at(line)]!.document!;
          const isFixed = line.keptInput === other;
          const stays = (
            isFixed ? fixed[line.keptRecord]! : made[at({ input: line.keptInput, record: line.keptRecord })]!
          ).document!;
          expect([line.url, line.keptUrl]).toEqual([one.url, stays.url]);
          expect(isFixed || expected.has(stays)).toBe(true);
          expect(likeness(one, stays, how.by)).toBeGreaterThanOrEqual(how.threshold);
          expect(line.resemblance.estimate).toBeCloseTo(likeness(one, stays, 'resemblance'), 5);
          const shared = one.shingles.intersection(stays.shingles).size;
          expect(line.inKept.estimate).toBeCloseTo(shared / one.shingles.size, 5);
          expect(line.keptIn.estimate).toBeCloseTo(shared / stays.shingles.size, 5);
          if (how.by === 'containment') expect(line.inKept.estimate).toBeGreaterThanOrEqual(how.threshold - 1e-6);
          expect(line.reason === 'near-copy').toBe(one.shingles.symmetricDifference(stays.shingles).size > 0);
          if (isFixed) seen.against++;
        }
        expect(report).toMatchObject({ records: made.length, documents: documents.length, kept: left.length });
        seen.removed += removed.length;
        seen.withoutDocument += made.length - documents.length;
      }),
      {
        numRuns: 7,
        // what is contained in one that stays may contain another one
        examples: [
          [
            {
              ...{ seed: 319028, count: 48, others: 0, threshold: 0.5, by: 'containment', prefer: 'longest' },
              ...{ isAlone: false, inputs: 1, hasBlanks: true },
            },
          ],
          // nor does a longer one go for one of another corpus that it contains
          [
            {
              ...{ seed: 319028, count: 60, others: 30, threshold: 0.5, by: 'containment', prefer: 'longest' },
              ...{ isAlone: false, inputs: 1, hasBlanks: false },
            },
          ],
          // copies within stay where the other corpus alone is held against them
          [
            {
              ...{ seed: 8, count: 60, others: 30, threshold: 0.7, by: 'resemblance', prefer: 'first' },
              ...{ isAlone: true, inputs: 1, hasBlanks: false },
            },
          ],
          [
            {
              ...{ seed: 7, count: 120, others: 30, threshold: 0.7, by: 'resemblance', prefer: 'first' },
              ...{ isAlone: false, inputs: 2, hasBlanks: true },
            },
          ],
        ],
      },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });
});

/** A file, with blank lines before each third of its records or without. */
const textOf = (lines: readonly Made[], hasBlanks: boolean, isGone: (nth: number) => boolean = () => false) => {
  const blank = hasBlanks ? '\n \r\n' : '';
  const rows = lines.map(({ line }, i) => `${i % 3 === 1 ? blank : ''}${isGone(i) ? '' : `${line}\n`}`);
  return rows.join('');
};
