import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { positions, requestOf, startCollapse } from '../support/service/collapse-fixture.ts';
import { ALL, type FixtureOptions, refused } from '../support/service/service-fixture.ts';
import { withMethods } from '../support/store/store-methods.ts';

/* What a list of results comes to where there is no time, or no place. */

const make = createTextMaker(93);
const NEVER = new Promise<never>(() => {});

describe('a deadline', () => {
  const text = make.text(60);

  /** Documents that are read only when their turn is given. */
  function slowBodies(millisecondsEach: number): FixtureOptions {
    return {
      wrapDocuments: (documents) => ({
        ...documents,
        kernel: documents.kernel,
        queued: 0,
        process: async (input, asking) => {
          const until = performance.now() + millisecondsEach;
          while (performance.now() < until);
          return documents.process(input, asking);
        },
        processInBulk: (input, asking) => documents.processInBulk(input, asking),
        close: () => documents.close(),
      }),
    };
  }

  it('leaves nothing out that the index knows, and reads bodies until then', async () => {
    const slow = slowBodies(5);
    const { fixture, ask } = startCollapse(slow);
    for (let i = 0; i < 50; i++) await fixture.put(`https://h${i}.example/`, i % 2 === 0 ? text : make.text(50));
    const results = Array.from({ length: 100 }, (_, i) =>
      i < 50 ? { html: `<p>${text} ${i}` } : { url: `https://h${i - 50}.example/` },
    );
    const answer = await ask(results, { deadlineMs: 60 });
    const late = answer.unknown.filter(({ reason }) => reason === 'deadline').map(({ result }) => result);
    expect(late.length).toBeGreaterThan(10);
    expect(Math.max(...late)).toBeLessThan(50);
    expect(answer.unknown).toHaveLength(late.length);
    expect(answer).toMatchObject({ complete: false, limits: [{ code: 'deadline', affected: late.length, of: 100 }] });
    // those that were read are with what is known
    const same = [...results.keys()].filter((i) => (i < 50 ? !late.includes(i) : i % 2 === 0));
    expect(positions(answer)).toContainEqual(same);
  });

  it('uses what the index knows of a URL where its body was not read by then', async () => {
    let read = 0;
    const { fixture, ask } = startCollapse({
      wrapDocuments: (documents) => ({
        ...documents,
        kernel: documents.kernel,
        queued: 0,
        process: async (input, asking) => (++read > 12 ? NEVER : documents.process(input, asking)),
        processInBulk: (input, asking) => documents.processInBulk(input, asking),
        close: () => documents.close(),
      }),
    });
    const texts = Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? text : make.text(50)));
    for (const [i, one] of texts.entries()) await fixture.put(`https://h${i}.example/`, one);
    const results = texts.map((one, i) => ({ url: `https://h${i}.example/`, html: `<p>${one}` }));
    const answer = await ask(results, { deadlineMs: 100 });
    expect(answer.unknown).toEqual([]);
    expect(positions(answer)[0]).toEqual([0, 2, 4, 6, 8]);
    const sources = answer.groups.flatMap(({ representative, members }) => [representative, ...members]);
    const late = sources.filter(({ from }) => from === 'index').length;
    expect(late).toBeGreaterThanOrEqual(8);
    // it is told all the same: the index may know an older page
    expect(answer).toMatchObject({ complete: false, limits: [{ code: 'deadline', affected: late, of: 10 }] });
    // of elements that were chosen the index knows nothing; of h1 it is asked for the whole, too
    const chosen = results.map((result) => ({ ...result, select: 'p' }));
    const unread = await ask([{ url: 'https://h1.example/' }, ...chosen], { deadlineMs: 50 });
    expect(unread.unknown).toHaveLength(9);
  });

  it('leaves titles and snippets to compare by', async () => {
    const { ask } = startCollapse(slowBodies(30));
    const snippet = make.text(20);
    const results = ['a', 'b', 'c'].map((host) => ({ url: `https://${host}.example/`, text: make.text(50), snippet }));
    const answer = await ask(results, { deadlineMs: 1 });
    expect(positions(answer)).toEqual([[0, 1, 2]]);
    expect(answer.unknown).toEqual([]);
    expect(answer).toMatchObject({ complete: false, limits: [{ code: 'deadline', affected: 3, of: 3 }] });
  });

  it('is an error where nothing was known by then, never an empty answer', async () => {
    const { ask } = startCollapse(slowBodies(30));
    await expect(ask([{ text }, { text }], { deadlineMs: 1 })).rejects.toMatchObject({
      ...refused('deadline-exceeded', { limit: { name: 'deadlineMs', value: 1 } }),
      retryAfterS: 1,
    });
  });

  it('does not cut off the index, unless it hangs, nor snippets', async () => {
    const { fixture, ask } = startCollapse({
      wrapStore: withMethods((store) => ({
        getMany: async (urls) => {
          if (urls.includes('https://hangs.example/')) await NEVER;
          await new Promise((resolve) => setTimeout(resolve, 30));
          return store.getMany(urls);
        },
      })),
    });
    await fixture.put('https://a.example/', text);
    const shown = make.text(20);
    const results = [
      { url: 'https://a.example/' },
      { url: 'https://x.example/', snippet: shown },
      { url: 'https://y.example/', snippet: shown },
    ];
    const answer = await ask(results, { deadlineMs: 1 });
    expect(positions(answer)).toEqual([[0], [1, 2]]);
    expect(answer.complete).toBe(true);
    await expect(ask([{ url: 'https://hangs.example/' }], { deadlineMs: 1 })).rejects.toMatchObject(
      refused('deadline-exceeded', { limit: { name: 'deadlineMs', value: 1 } }),
    );
  });

  it('ends fetching, which takes no place among the queries; what came by then joins', async () => {
    const { fixture, ask } = startCollapse({ limits: { requestsInFlightMax: 1, requestsWaitingMax: 0 } });
    await fixture.put('https://a.example/', text);
    fixture.web.pages.set('https://quick.example/', text);
    fixture.web.pages.set('https://slow.example/', NEVER);
    const results = [
      { url: 'https://a.example/' },
      { url: 'https://slow.example/', snippet: make.text(20) },
      { url: 'https://quick.example/' },
      { url: 'http://slow.example/x' },
    ];
    fixture.web.pages.set('http://slow.example/x', NEVER);
    const asked = ask(results, { fetch: 'auto', deadlineMs: 500 });
    while (fixture.web.asked.length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect(fixture.service.load.requestsInFlight).toBe(0);
    expect(positions(await ask([{ text }]))).toEqual([[0]]);
    const answer = await asked;
    expect(positions(answer)).toEqual([[0, 2], [1], [3]]);
    expect(answer.unknown).toEqual([{ result: 3, reason: 'deadline' }]);
    expect(answer).toMatchObject({ complete: false, limits: [{ code: 'deadline', affected: 2, of: 4 }] });
  });

  it('is not waited for by a caller who gives up', async () => {
    const { fixture } = startCollapse();
    fixture.web.pages.set('https://slow.example/', NEVER);
    const caller = new AbortController();
    const request = requestOf([{ url: 'https://slow.example/' }], { fetch: 'auto' });
    const asked = fixture.service.collapse(request, ALL, caller.signal);
    while (fixture.web.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    caller.abort(new ShingledError('draining', 'The service is stopping.'));
    await expect(asked).rejects.toMatchObject(refused('draining'));
    expect(fixture.service.load.requestsInFlight).toBe(0);
  });
});

describe('a place among the queries', () => {
  it('is refused at once where too many wait, and after the deadline where it never comes', async () => {
    const open = Promise.withResolvers<void>();
    const { ask } = startCollapse({
      limits: { requestsInFlightMax: 1, requestsWaitingMax: 1 },
      wrapStore: withMethods((store) => ({
        getMany: async (urls) => {
          await open.promise;
          return store.getMany(urls);
        },
      })),
    });
    const results = [{ url: 'https://a.example/' }];
    const first = ask(results);
    const waiting = ask(results, { deadlineMs: 200 });
    await expect(ask(results)).rejects.toMatchObject({ ...refused('overloaded'), retryAfterS: 1 });
    await expect(waiting).rejects.toMatchObject({ ...refused('deadline-exceeded'), retryAfterS: 1 });
    open.resolve();
    expect(positions(await first)).toEqual([[0]]);
  });
});
