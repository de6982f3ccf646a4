import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostChanges, HostChangesAnswer, VersionsAnswer } from '../../../src/service/api.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  type FixtureOptions,
  refused,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../../support/service/service-fixture.ts';
import { compareVersions, expectedVersions, noDifferences, type Sight } from '../../support/versions/version-oracle.ts';

const DAY_MS = 86_400_000;
const URL = 'https://a.example/page';
const make = createTextMaker(16);
const [page, other, long] = [make.text(200), make.text(180), make.text(1200)];
const at = (day: number) => 20_000 * DAY_MS + day * DAY_MS;

let fixture: ServiceFixture;
const start = (options: FixtureOptions = {}) => {
  fixture = createServiceFixture(options);
};
beforeEach(() => start());
afterEach(() => fixture.close());

const put = (text: string, day: number, url = URL) => fixture.put(url, text, { observedAt: at(day) });
const gone = (day: number, url = URL) => fixture.service.gone({ url, httpStatus: 410, observedAt: at(day) }, ALL);
const versions = (url = URL, limit = 100, cursor: string | null = null): Promise<VersionsAnswer> =>
  fixture.service.versions(url, { limit, cursor }, ALL);
const day = (iso: string) => (Date.parse(iso) - at(0)) / DAY_MS;

/** A page in some of its states: edits of it, other texts, other spellings. */
const STATES = [
  page,
  `${page}.`,
  page.replace(/\w+/, 'changed'),
  `${page} ${other}`,
  other,
  long,
  `more ${long}`,
  'a b',
];
const HISTORY = fc
  .uniqueArray(
    fc.record({ day: fc.nat({ max: 40 }), state: fc.option(fc.nat({ max: STATES.length - 1 }), { freq: 4 }) }),
    {
      ...{ selector: (seen) => seen.day, minLength: 2, maxLength: 9 },
    },
  )
  .filter(([first]) => first!.state !== null);

describe('versions', () => {
  it('are what the texts say, in whichever order they are told', async () => {
    const found = noDifferences();
    let round = 0;
    await fc.assert(
      fc.asyncProperty(HISTORY, async (told) => {
        const url = `https://${++round}.example/`;
        const sights: Sight[] = [];
        for (const seen of told) {
          const text = seen.state === null ? null : STATES[seen.state]!;
          sights.push({ at: at(seen.day), text });
          await (text === null ? gone(seen.day, url) : put(text, seen.day, url));
        }
        compareVersions(await versions(url), expectedVersions(sights, SHINGLE_SIZE), found);
      }),
      { seed: 11, numRuns: 100 },
    );
    expect(found.wrong).toEqual([]);
    expect(found.kinds).toBeGreaterThan(300);
    expect(found.covered / found.shares).toBeGreaterThan(0.95);
  });

  it('say how each differs from the one before, and how often', async () => {
    await put(page, 0);
    await put(page, 2);
    await put(`${page}.`, 3);
    await put(`${page} ${other}`, 4);
    await gone(6);
    await put(other, 7);
    await put(long, 10);
    const { versions: told, rate, cursor } = await versions();
    expect(cursor).toBeNull();
    expect(told.map(({ observedAt, change }) => [day(observedAt), change?.kind, change && day(change.since)])).toEqual([
      [10, 'replaced', 7],
      [7, 'back', 6],
      [6, 'gone', 4],
      [4, 'edited', 3],
      [3, 'formatting', 2],
      [0, undefined, null],
    ]);
    expect(told.map(({ lastSeen }) => day(lastSeen))).toEqual([10, 7, 6, 4, 3, 2]);
    const edited = told[3]!.change!;
    expect(edited.beforeInAfter).toMatchObject({ estimate: 1, decision: null });
    expect(edited.resemblance!.estimate).toBeCloseTo(0.52, 1);
    expect(edited.afterInBefore!.estimate).toBeCloseTo(edited.resemblance!.estimate, 1);
    expect(told[1]!.change!.afterInBefore!.estimate).toBe(1);
    expect(rate).toMatchObject({
      days: 10,
      changes: { identical: 0, formatting: 1, template: 0, edited: 1, replaced: 1, gone: 1, back: 1, unknown: 0 },
      perDay: { formatting: 0.1, template: 0, edited: 0.1, identical: 0 },
    });
  });

  it('are the same page by page, and have no rate where they were seen once', async () => {
    await put(page, 0);
    expect(await versions()).toMatchObject({ rate: { days: 0, perDay: null }, versions: [{ change: null }] });
    for (let n = 1; n < 6; n++) await put(n % 2 === 0 ? page : other, n);
    const { versions: whole } = await versions();
    const first = await versions(URL, 4);
    const second = await versions(URL, 4, first.cursor);
    expect([...first.versions, ...second.versions]).toEqual(whole);
    expect(first.rate.days).toBe(4);
    expect(second.rate).toMatchObject({ days: 1, changes: { replaced: 1 } });
  });

  it('are in an export with their changes', async () => {
    start({ limits: { limitMax: 2 } });
    for (const [n, text] of [page, `${page}.`, other].entries()) await put(text, n);
    const lines: object[] = [];
    for await (const line of fixture.service.export({}, null, ALL)) lines.push(line);
    const { versions: told } = await versions(URL, 2);
    expect(lines).toMatchObject([{ url: URL, versions: told, moreVersions: true }]);
    expect(told.map(({ change }) => change?.kind)).toEqual(['replaced', 'formatting']);
  });
});

describe('changes by host', () => {
  const hostsOf = async (limit: number): Promise<HostChanges[]> => {
    const hosts: HostChanges[] = [];
    for (let cursor: string | null = null; ; ) {
      const answer: HostChangesAnswer = await fixture.service.changesByHost({}, { limit, cursor }, ALL);
      hosts.push(...answer.hosts);
      cursor = answer.cursor;
      if (cursor === null) return hosts;
    }
  };

  it.each([
    ['at once', 100, {}],
    ['a host a page', 1, {}],
    ['a document or so a page', 100, { examinedMax: 1 }],
  ])('are added up over documents, %s', async (_how, limit, limits) => {
    start({ limits });
    for (let n = 0; n < 600; n++) await put(page, 0, `https://b.example/${n}`);
    for (const n of [0, 500]) {
      await put(other, 3, `https://b.example/${n}`);
      await put(`${other}.`, 5 + n / 100, `https://b.example/${n}`);
    }
    await put(page, 1, 'https://c.example/');
    await gone(3, 'https://c.example/');
    await put(page, 1, 'urn:a');
    const hosts = await hostsOf(limit);
    const none = { identical: 0, formatting: 0, template: 0, edited: 0, replaced: 0, gone: 0, back: 0, unknown: 0 };
    expect(hosts).toEqual([
      { host: null, documents: 1, versions: 1, days: 0, changes: none, perDay: null },
      {
        ...{ host: 'b.example', documents: 600, versions: 604, days: 15 },
        changes: { ...none, replaced: 2, formatting: 2 },
        perDay: { ...none, replaced: 0.133333, formatting: 0.133333 },
      },
      {
        ...{ host: 'c.example', documents: 1, versions: 2, days: 2 },
        changes: { ...none, gone: 1 },
        perDay: { ...none, gone: 0.5 },
      },
    ]);
  });

  it('go on with their own cursor alone', async () => {
    for (const host of ['b', 'c']) await put(page, 0, `https://${host}.example/`);
    const { cursor } = await fixture.service.changesByHost({}, { limit: 1, cursor: null }, ALL);
    expect(cursor).not.toBeNull();
    const elsewhere = fixture.service.countByHost({}, { limit: 1, cursor }, ALL);
    await expect(elsewhere).rejects.toMatchObject(refused('invalid-cursor'));
    const another = fixture.service.changesByHost({ host: 'b.example' }, { limit: 1, cursor }, ALL);
    await expect(another).rejects.toMatchObject(refused('invalid-cursor'));
  });
});
