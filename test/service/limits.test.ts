import { describe, expect, it, vi } from 'vitest';
import { settingName } from '../../src/config/setting.ts';
import { ShingledError } from '../../src/errors.ts';
import type { MatchOptions } from '../../src/service/api.ts';
import { SERVICE_LIMIT_ROWS, type ServiceLimits } from '../../src/service/limits.ts';
import type { Store } from '../../src/store/port.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { ALL, createServiceFixture, OPTIONS, ofText, ofUrl, refused } from '../support/service/service-fixture.ts';

const make = createTextMaker(40);
const base = make.text(300);

type Delays = { [method in 'candidates' | 'holders']?: number };

/**
 * A store whose answers to some calls come late, or never.
 *
 * @param atOnce so many of these calls are answered at once before others are late
 */
function slowStore(delays: Delays, atOnce = 0): (store: Store) => Store {
  let calls = 0;
  return (store) =>
    new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const delayMs = delays[name as 'candidates'];
        return async (...args: unknown[]) => {
          if (delayMs !== undefined && calls++ >= atOnce) await new Promise((resolve) => setTimeout(resolve, delayMs));
          return value.apply(target, args);
        };
      },
    });
}

describe('limits of a query', () => {
  it('are not reached by documents that share too little to be matches', async () => {
    const fixture = createServiceFixture({ limits: { candidatesMax: 4 } });
    const footer = make.text(30);
    for (let page = 0; page < 20; page++) await fixture.put(`https://a.example/${page}`, `${make.text(100)} ${footer}`);
    for (let copy = 0; copy < 3; copy++) await fixture.put(`https://b.example/${copy}`, make.changed(base, 0.005));
    const answer = await fixture.similar(ofText(`${base} ${footer}`));
    expect(answer.matches).toHaveLength(3);
    // a document half the same shares far more than the footer does: but for a chance of 10^-6, which is stated
    expect(answer.recall).toEqual({ resemblance: 0.999_998, queryInMatch: 0.999_998, matchInQuery: null });
    expect(answer).toMatchObject({ complete: true, limits: [] });
    await fixture.close();
  });

  it('make an answer incomplete where they may have cost a match', async () => {
    const fixture = createServiceFixture({ limits: { candidatesMax: 4 } });
    for (let copy = 0; copy < 10; copy++)
      await fixture.put(`https://b.example/${copy}`, `${make.changed(base, 0.02)} own${copy}`);
    const answer = await fixture.similar(ofText(base));
    expect(answer.matches).toHaveLength(4);
    const raise = { setting: 'CANDIDATES_MAX', to: 10 };
    expect(answer.limits).toEqual([{ code: 'candidates', affected: 6, of: 10, raise, thoroughReads: 10 }]);
    expect(answer.recall.resemblance).toBeLessThan(0.01);
    expect(answer.complete).toBe(false);
    await fixture.close();
  });

  it('say to what they are to be raised, and that is enough', async () => {
    const copies = Array.from({ length: 10 }, (_, copy) => `${make.changed(base, 0.02)} own${copy}`);
    const askedWith = async (limits: Partial<ServiceLimits>, options: Partial<MatchOptions> = {}) => {
      const fixture = createServiceFixture({ limits });
      for (const [copy, text] of copies.entries()) await fixture.put(`https://b.example/${copy}`, text);
      const answer = await fixture.similar(ofText(base), { limit: 100, ...options });
      await fixture.close();
      return answer;
    };
    const [before] = (await askedWith({ candidatesMax: 4, copiesMax: 7 })).limits;
    expect(before).toMatchObject({ raise: { to: 10 }, thoroughReads: 7 });
    expect(await askedWith({ candidatesMax: 10 })).toMatchObject({ complete: true, limits: [] });
    expect((await askedWith({ candidatesMax: 9 })).limits).toMatchObject([{ affected: 1, raise: { to: 10 } }]);
    const thorough = await askedWith({ candidatesMax: 4, copiesMax: 7 }, { thorough: true });
    // what it says of itself is what it cannot read: no setting is for that
    expect([thorough.matches.length, thorough.limits]).toEqual([7, [{ code: 'candidates', affected: 3, of: 10 }]]);
    const none = { resemblance: null, queryInMatch: null, matchInQuery: 0.9 };
    const [lookUps] = (await askedWith({ lookUpsMax: 16 }, { thresholds: none })).limits;
    expect(lookUps).toMatchObject({ code: 'look-ups', raise: { setting: 'LOOK_UPS_MAX' } });
    expect((await askedWith({ lookUpsMax: lookUps!.raise!.to }, { thresholds: none })).limits).toEqual([]);
    const settings = Object.keys(SERVICE_LIMIT_ROWS).map((limit) => settingName('', limit));
    for (const limit of [before, lookUps]) expect(settings).toContain(limit!.raise!.setting);
  });

  it('leave out no document of a family for good, be it the newest', async () => {
    const fixture = createServiceFixture({ limits: { candidatesMax: 6 } });
    const members = 24;
    const paragraph = make.text(60);
    for (let page = 0; page < members; page++) {
      await fixture.put(`https://a.example/${page}`, `${paragraph} ${make.text(80)}`);
    }
    const thresholds = { resemblance: null, queryInMatch: 0.5, matchInQuery: null };
    const found = new Map<string, number>();
    for (let asked = 0; asked < 40; asked++) {
      const answer = await fixture.similar(ofText(`${paragraph} ${make.text(20)}`), { thresholds });
      expect(answer).toMatchObject({ complete: false, limits: [{ code: 'candidates', affected: members - 6 }] });
      for (const { sources } of answer.matches) found.set(sources[0]!.url, (found.get(sources[0]!.url) ?? 0) + 1);
    }
    expect(found.size).toBe(members);
    // 10 in the mean, a standard deviation of 2.7
    expect(Math.max(...found.values())).toBeLessThan(21);
    await fixture.close();
  });

  it('count lists that were read in part, and look-ups left out', async () => {
    const fixture = createServiceFixture({ settings: { listPostingsMax: 2 }, limits: { lookUpsMax: 20 } });
    for (let copy = 0; copy < 10; copy++) await fixture.put(`https://b.example/${copy}`, `${base} ${copy}`);
    const thresholds = { ...OPTIONS.thresholds, matchInQuery: 0.9 };
    const answer = await fixture.similar(ofText(base), { thresholds });
    const codes = answer.limits.map(({ code }) => code);
    expect(codes).toEqual(['look-ups', 'capped-lists']);
    expect(answer.complete).toBe(false);
    for (const { affected, of } of answer.limits) expect(affected).toBeLessThanOrEqual(of);
    await fixture.close();
  });

  it('do not hide exact copies, even where every list is read in part', async () => {
    const fixture = createServiceFixture({ settings: { listPostingsMax: 1 }, limits: { candidatesMax: 1 } });
    for (let copy = 0; copy < 60; copy++) await fixture.put(`https://b.example/${copy}`, `${base} own${copy}`);
    await fixture.put('https://b.example/same', base.toUpperCase());
    const answer = await fixture.similar(ofText(base));
    expect(answer.matches[0]).toMatchObject({ equivalence: 'lexical', sources: [{ url: 'https://b.example/same' }] });
    await fixture.close();
  });

  it('refuse what would wait too long', async () => {
    const limits = { requestsInFlightMax: 1, requestsWaitingMax: 1 };
    const fixture = createServiceFixture({ limits, wrapStore: slowStore({ candidates: 20 }) });
    const answers = await Promise.allSettled([1, 2, 3].map(() => fixture.similar(ofText(base))));
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(answers[2]).toMatchObject({ reason: { ...refused('overloaded'), retryAfterS: 1 } });
    expect(fixture.service.load).toEqual({ requestsInFlight: 0, requestsWaiting: 0, documentsWaiting: 0 });
    await fixture.close();
  });
});

describe('a fetch that takes long', () => {
  it('takes no place among the queries', async () => {
    const fixture = createServiceFixture({ limits: { requestsInFlightMax: 1, requestsWaitingMax: 0 } });
    fixture.web.pages.set('https://slow.example/', new Promise<never>(() => {}));
    const caller = new AbortController();
    const fetching = fixture.service.similar(ofUrl('https://slow.example/'), OPTIONS, ALL, caller.signal);
    await new Promise((resolve) => setImmediate(resolve));
    expect(fixture.web.asked).toHaveLength(1);
    expect(await fixture.similar(ofText(base))).toMatchObject({ matches: [] });
    caller.abort();
    await expect(fetching).rejects.toMatchObject(refused('deadline-exceeded'));
    await fixture.close();
  });
});

describe('the deadline of a query', () => {
  it('is kept with what there is by then, and a cursor to go on', async () => {
    const delays: Delays = { holders: 3_600_000 };
    const fixture = createServiceFixture({ wrapStore: slowStore(delays, 20) });
    for (let copy = 0; copy < 40; copy++) await fixture.put(`https://b.example/${copy}`, `${base} own${copy}`);
    const answer = await fixture.similar(ofText(base), { limit: 40, deadlineMs: 1500 });
    expect(answer.matches.length).toBeGreaterThan(0);
    expect(answer.matches.length).toBeLessThan(40);
    expect(answer).toMatchObject({
      complete: false,
      limits: [{ code: 'deadline', affected: 40 - answer.matches.length, of: 40 }],
    });
    delete delays.holders;
    const rest = await fixture.similar(ofText(base), { limit: 40, cursor: answer.cursor });
    expect(rest.matches.length + answer.matches.length).toBe(40);
    await fixture.close();
  });

  it('is an error where nothing can be said by then', async () => {
    const fixture = createServiceFixture({ wrapStore: slowStore({ candidates: 3_600_000 }) });
    const late = fixture.similar(ofText(base), { deadlineMs: 20 });
    await expect(late).rejects.toMatchObject(
      refused('deadline-exceeded', { limit: { name: 'deadlineMs', value: 20 } }),
    );
    fixture.web.pages.set('https://slow.example/', new Promise<never>(() => {}));
    const fetching = fixture.similar(ofUrl('https://slow.example/'), { deadlineMs: 20 });
    await expect(fetching).rejects.toMatchObject(refused('deadline-exceeded'));
    await fixture.close();
  });

  it('comes at once for a caller who gives up', async () => {
    const fixture = createServiceFixture({ wrapStore: slowStore({ candidates: 3_600_000 }) });
    const caller = new AbortController();
    const answer = fixture.service.similar(ofText(base), OPTIONS, ALL, caller.signal);
    await vi.waitUntil(() => fixture.service.load.requestsInFlight === 1, { interval: 1 });
    caller.abort(new ShingledError('draining', 'The service is stopping.'));
    await expect(answer).rejects.toMatchObject(refused('draining'));
    expect(fixture.service.load.requestsInFlight).toBe(0);
    await fixture.close();
  });
});
