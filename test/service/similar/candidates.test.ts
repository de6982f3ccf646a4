import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CandidateSet, Store } from '../../../src/store/port.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { createServiceFixture, ofText, ofUrl, type ServiceFixture } from '../../support/service/service-fixture.ts';
import { ANY_OVERLAP } from '../../support/store/level-plans.ts';

/* Families of near-copies, excerpts and frames with common text, asked with and without reading only what can matter. */

const make = createTextMaker(77);
const FRAME = make.text(60);
const SIZES = [12, 40, 90, 200, 450, 700, 1300];
const CHANGES = [0.004, 0.02, 0.04, 0.08, 0.15, 0.25];

interface Watched {
  readsEverything: boolean;
  /** What the first look-up of an answer met: where nothing matches, a second one may follow. */
  first: CandidateSet | null;
}

/** A store that can be told to read the records of all that shares anything. */
function watched(watch: Watched): (store: Store) => Store {
  return (store) =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (name !== 'candidates') return typeof value === 'function' ? value.bind(target) : value;
        return async (query: Parameters<Store['candidates']>[0]) => {
          const { thresholds } = watch.readsEverything ? ANY_OVERLAP : query;
          const set = await target.candidates({ ...query, thresholds });
          watch.first ??= set;
          return set;
        };
      },
    });
}

const watch: Watched = { readsEverything: false, first: null };
const texts: string[] = [];
let fixture: ServiceFixture;

async function fill(listPostingsMax: number): Promise<void> {
  fixture = createServiceFixture({
    limits: { candidatesMax: 100_000 },
    settings: { listPostingsMax },
    wrapStore: watched(watch),
  });
  texts.length = 0;
  for (const size of SIZES) {
    const first = make.text(size);
    texts.push(first, `${first} ${FRAME}`, first.slice(0, first.length / 2), `${make.text(size)} ${first}`);
    for (const change of CHANGES) texts.push(make.changed(first, change), `${make.changed(first, change)} ${FRAME}`);
  }
  for (let page = 0; page < 60; page++) texts.push(`${make.text(30 + 10 * page)} ${FRAME}`);
  for (const [i, text] of texts.entries()) await fixture.put(`https://a.example/${i}`, text);
}

const share = fc.option(fc.constantFrom(0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 1));
const asked = fc.record({
  text: fc.nat(),
  change: fc.constantFrom(0, 0.01, 0.05, 0.2),
  fromIndex: fc.boolean(),
  undecided: fc.constantFrom('include', 'exclude'),
  thresholds: fc
    .record({ resemblance: share, queryInMatch: share, matchInQuery: share })
    .filter((thresholds) => Object.values(thresholds).some((one) => one !== null)),
});

describe.each([
  ['whole', 1000],
  ['cut', 12],
])('a query of an index whose lists are %s', (_, listPostingsMax) => {
  beforeAll(() => fill(listPostingsMax));
  afterAll(() => fixture.close());

  it('answers the same as if it read all that shares anything, and reads less', async () => {
    const read = { all: 0, needed: 0 };
    await fc.assert(
      fc.asyncProperty(asked, async ({ text, change, fromIndex, undecided, thresholds }) => {
        const number = text % texts.length;
        const reference = fromIndex
          ? ofUrl(`https://a.example/${number}`)
          : ofText(make.changed(texts[number]!, change));
        const answer = async (readsEverything: boolean) => {
          watch.readsEverything = readsEverything;
          watch.first = null;
          const { matches } = await fixture.similar(reference, { thresholds, undecided, limit: 1000 });
          return { matches, set: watch.first! };
        };
        const [all, needed] = [await answer(true), await answer(false)];
        expect(needed.matches).toEqual(all.matches);
        expect(needed.set.found).toBe(all.set.found);
        expect(needed.set.passedOver + needed.set.candidates.length).toBe(all.set.candidates.length);
        read.all += all.set.candidates.length;
        read.needed += needed.set.candidates.length;
      }),
      { seed: 1997, numRuns: 80 },
    );
    expect(read.needed).toBeLessThan(read.all * (listPostingsMax > 100 ? 0.75 : 0.9));
  });
});

describe('contents with the very shingles of the query', () => {
  it('come with the candidates, and the one with its very words always', async () => {
    const twins = createServiceFixture({ settings: { listPostingsMax: 3 }, limits: { candidatesMax: 2 } });
    // a repeated shingle makes other words of the same set
    const [a, b] = [make.text(5), make.text(40)];
    for (let times = 1; times <= 9; times++)
      await twins.put(`https://a.example/${times}`, `${`${a} `.repeat(times + 5)}${b}`);
    for (let times = 1; times <= 9; times++) {
      const answer = await twins.similar(ofText(`${`${a} `.repeat(times + 5)}${b}`));
      expect(answer.matches[0]).toMatchObject({
        equivalence: 'identical',
        resemblance: { estimate: 1 },
        sources: [{ url: `https://a.example/${times}` }],
      });
      expect(answer.matches[1]).toMatchObject({ equivalence: 'shingle', resemblance: { estimate: 1 } });
      expect(answer.recall.resemblance).toBe(0);
      expect(answer.complete).toBe(false);
    }
    await twins.close();
  });
});
