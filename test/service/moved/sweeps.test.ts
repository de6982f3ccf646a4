import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkLine } from '../../../src/service/api.ts';
import type { MovedAnswer } from '../../../src/service/moved/moved-api.ts';
import { newScore, precisionOf, recallOf, score } from '../../support/moved/score.ts';
import { operationOf, type Sighting } from '../../support/moved/sightings.ts';
import { WebWorld } from '../../support/moved/web-world.ts';
import { ALL, createServiceFixture, type ServiceFixture } from '../../support/service/service-fixture.ts';

/* Whole worlds of pages, seen in sweeps; `npm run bench:moved-sweeps` asks larger ones of the real store. */

async function tell({ service, clock }: ServiceFixture, sightings: readonly Sighting[]): Promise<void> {
  clock.nowMs = sightings.at(-1)!.time;
  async function* lines(): AsyncGenerator<BulkLine> {
    for (const [i, sighting] of sightings.entries()) yield { line: i + 1, operation: operationOf(sighting) };
  }
  for await (const answer of service.bulk(lines(), ALL)) expect(answer.status).toBeLessThan(300);
}

const ask = (fixture: ServiceFixture, url: string): Promise<MovedAnswer> =>
  fixture.service.moved({ url, limit: 10, always: false, content: 'page', deadlineMs: 60_000 }, ALL);

describe('in a world that is known to the last page', () => {
  const total = newScore();
  const worlds: { world: WebWorld; answers: Map<string, MovedAnswer> }[] = [];
  const fixtures: ServiceFixture[] = [];

  beforeAll(async () => {
    for (const seed of [1, 2]) {
      const world = new WebWorld({ seed, hosts: 10, pagesAHost: 40, sweeps: 5 });
      const fixture = createServiceFixture();
      fixtures.push(fixture);
      while (!world.isOver) await tell(fixture, [...world.next()]);
      const answers = new Map<string, MovedAnswer>();
      for (const { url, places } of world.truth()) {
        const answer = await ask(fixture, url);
        answers.set(url, answer);
        score(total, answer, places, world.movedFrom.has(url));
      }
      worlds.push({ world, answers });
    }
  });
  afterAll(() => Promise.all(fixtures.map((fixture) => fixture.close())));

  it('finds what moved, and hardly offers what is another document', () => {
    expect(total.moved).toBeGreaterThan(100);
    expect(recallOf(total)).toBeGreaterThanOrEqual(0.95);
    expect(precisionOf(total)).toBeGreaterThanOrEqual(0.98);
  });

  it('offers no notice and no parked page that took the place of twenty, however sure, and says so', () => {
    let refused = 0;
    for (const { world, answers } of worlds) {
      const shown = new Map<string, number>();
      for (const url of answers.keys()) {
        const notice = world.noticeOf(url);
        if (notice !== null) shown.set(notice, (shown.get(notice) ?? 0) + 1);
      }
      for (const answer of answers.values()) {
        for (const candidate of answer.candidates) {
          expect(shown.get(world.noticeOf(candidate.url) ?? '') ?? 0).toBeLessThan(20);
        }
        refused += answer.refused.filter(({ reason }) => reason === 'soft-404' || reason === 'parked').length;
      }
    }
    expect(refused).toBeGreaterThan(20);
  });

  it('says what is true of every URL, candidate and refusal', () => {
    for (const { answers } of worlds) {
      for (const [url, answer] of answers) {
        const { candidates } = answer;
        const urls = candidates.map((candidate) => candidate.url);
        expect(urls).not.toContain(url);
        expect(new Set(urls).size).toBe(urls.length);
        const ranks = candidates.map(({ sure }) => ['certain', 'likely', 'possible'].indexOf(sure));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
        for (const { how, firstSeen, shownUntil } of candidates) {
          if (how === 'within-host' || how === 'other-host') expect(firstSeen! > shownUntil).toBe(true);
        }
        for (const refused of answer.refused) expect(urls).not.toContain(refused.url);
      }
    }
  });
});

describe('in any order of the same sightings', () => {
  it('answers the same', async () => {
    const world = new WebWorld({ seed: 7, hosts: 3, pagesAHost: 8, sweeps: 3 });
    const sweeps: Sighting[][] = [];
    while (!world.isOver) sweeps.push([...world.next()]);
    const old = [...world.truth()].map(({ url }) => url);
    expect(old.length).toBeGreaterThan(2);
    const answersOf = async (order: readonly Sighting[][]) => {
      const fixture = createServiceFixture();
      try {
        fixture.clock.nowMs = sweeps.at(-1)!.at(-1)!.time;
        for (const sweep of order) {
          const nowMs = fixture.clock.nowMs;
          await tell(fixture, sweep);
          fixture.clock.nowMs = nowMs;
        }
        const answers = [];
        for (const url of old) answers.push(await ask(fixture, url));
        return answers.map(({ candidates, state }) => [
          state,
          candidates.map(({ url, how, sure }) => [url, how, sure]),
        ]);
      } finally {
        await fixture.close();
      }
    };
    const straight = await answersOf(sweeps);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1000), { minLength: 3, maxLength: 3 }), async (seeds) => {
        // of one sweep only: gone of a URL that was never seen says nothing
        const shuffled = sweeps.map((sweep, i) =>
          [...sweep].sort((a, b) => hash(a.url, seeds[i]!) - hash(b.url, seeds[i]!)),
        );
        expect(await answersOf(shuffled)).toEqual(straight);
      }),
      { numRuns: 4 },
    );
  });
});

/** A number of a text and a seed: FNV-1a. */
function hash(text: string, seed: number): number {
  let value = 0x811c_9dc5 ^ seed;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x0100_0193);
  return value >>> 0;
}
