import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ShingledError } from '../../../src/errors.ts';
import type { BulkLine, BulkOperation } from '../../../src/service/api.ts';
import type { Store } from '../../../src/store/port.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { ALL, createServiceFixture, putOf, type ServiceFixture } from '../../support/service/service-fixture.ts';
import { withMethods } from '../../support/store/store-methods.ts';

const make = createTextMaker(60);
const put = (url: string, text: string): BulkOperation => ({ op: 'put', ...putOf(url, text) });

let fixture: ServiceFixture;
beforeEach(() => {
  fixture = createServiceFixture();
});
afterEach(() => fixture.close());

async function* linesOf(operations: readonly (BulkOperation | ShingledError)[]): AsyncGenerator<BulkLine> {
  for (const [at, operation] of operations.entries()) {
    await null;
    if (operation instanceof ShingledError) yield { line: at + 1, url: null, error: operation };
    else yield { line: at + 1, operation };
  }
}

const bulk = (operations: readonly (BulkOperation | ShingledError)[], service = fixture.service) =>
  Array.fromAsync(service.bulk(linesOf(operations), ALL));

/** The store with another `apply`. */
const withApply = (apply: (store: Store) => Store['apply']) => withMethods((store) => ({ apply: apply(store) }));

describe('bulk', () => {
  it('says of a line that its content is not kept, and that a URL is back', async () => {
    const [words, older] = [make.text(60), make.text(60)];
    const past = (text: string): BulkOperation => ({ op: 'put', ...putOf('urn:1', text), observedAt: 1000 });
    const gone = (observedAt: number | null): BulkOperation => ({
      op: 'gone',
      url: 'urn:1',
      httpStatus: 410,
      observedAt,
    });
    const lines = [put('urn:1', words), past(older), past(`${words} more`), gone(null), put('urn:1', words), gone(10)];
    const answers = await bulk(lines);
    expect(answers.map((answer) => ('result' in answer ? [answer.result, answer.contentKept] : answer))).toEqual([
      ['created', undefined],
      ['history', undefined],
      ['history', false],
      ['gone', undefined],
      ['back', undefined],
      ['history', undefined],
    ]);
    const { versions } = await fixture.service.versions('urn:1', { limit: 10, cursor: null }, ALL);
    expect(versions.at(-1)).toMatchObject({ observedAt: new Date(10).toISOString(), state: 'gone', content: null });
  });

  it('is synced once, at its end, where it may be relaxed, and says so where the disk refuses', async () => {
    const events: string[] = [];
    let refusal: ShingledError | undefined;
    const watched = createServiceFixture({
      wrapStore: withMethods((store) => ({
        apply(plan, options) {
          events.push(options?.relaxed === true ? 'relaxed' : 'synced');
          return store.apply(plan, options);
        },
        async sync() {
          events.push('sync');
          if (refusal !== undefined) throw refusal;
        },
      })),
    });
    const load = (relaxed: boolean) =>
      Array.fromAsync(
        watched.service.bulk(linesOf([put('urn:1', make.text(30)), put('urn:2', make.text(30))]), ALL, { relaxed }),
      );
    expect((await load(true)).map(({ status }) => status)).toEqual([201, 201]);
    expect(events.splice(0)).toEqual(['relaxed', 'relaxed', 'sync']);
    expect((await load(false)).map(({ status }) => status)).toEqual([200, 200]);
    expect(events.splice(0)).toEqual(['synced', 'synced']);
    refusal = new ShingledError('storage-full', 'full');
    await expect(load(true)).rejects.toMatchObject({ code: 'storage-full' });
    await watched.close();
  });

  it('answers every line in order, and one bad line harms no other', async () => {
    const text = make.text(50);
    const deep = new ShingledError('invalid-json', 'The line is not JSON.', { field: 'lines[2]' });
    const answers = await bulk([
      put('https://a.example/1', text),
      deep,
      put('not absolute', text),
      put('https://a.example/2', ' . '),
      { ...put('https://a.example/3', text), observedAt: 1e15 } as BulkOperation,
      { op: 'gone', url: 'https://a.example/unknown', httpStatus: 410, observedAt: null },
      { op: 'delete', url: 'https://a.example/unknown' },
      { ...put('https://a.example/4', text), body: null } as BulkOperation,
      put('HTTPS://A.example/4#x', text),
      { op: 'gone', url: 'https://a.example/1', httpStatus: 410, observedAt: null },
      { op: 'delete', url: 'https://a.example/4' },
    ]);
    expect(answers).toEqual([
      { line: 1, status: 201, url: 'https://a.example/1', result: 'created' },
      { line: 2, status: 400, url: null, code: 'invalid-json', detail: 'The line is not JSON.', field: 'lines[2]' },
      { line: 3, status: 400, url: 'not absolute', code: 'invalid-url', detail: expect.any(String), field: 'url' },
      { line: 4, status: 422, url: 'https://a.example/2', code: 'empty-document', detail: expect.any(String) },
      expect.objectContaining({ line: 5, status: 422, code: 'observed-in-future', field: 'observedAt' }),
      expect.objectContaining({ line: 6, status: 404, code: 'unknown-url', field: 'url' }),
      expect.objectContaining({ line: 7, status: 404, code: 'unknown-url', field: 'url' }),
      expect.objectContaining({ line: 8, status: 400, code: 'invalid-request', field: 'text' }),
      { line: 9, status: 201, url: 'https://a.example/4', result: 'created' },
      { line: 10, status: 200, url: 'https://a.example/1', result: 'gone' },
      { line: 11, status: 200, url: 'https://a.example/4', result: 'deleted' },
    ]);
    const heads = answers.map((answer) => Object.keys(answer).slice(0, 3).join());
    expect(new Set(heads)).toEqual(new Set(['line,status,url']));
    expect(fixture.faults).toEqual([]);
  });

  it('lets the last of equal URLs win, and answers each', async () => {
    const texts = [make.text(40), make.text(50), make.text(60)];
    // the first line's text takes longest to read: in a worker, since it is large
    const large = make.text(60_000);
    const lines = [put('urn:x', large), ...texts.map((text) => put('urn:x', text)), put('urn:y', texts[0]!)];
    const answers = await bulk([...lines, { op: 'delete', url: 'urn:y' }, put('urn:y', texts[1]!)]);
    expect(answers.map((answer) => ('result' in answer ? answer.result : answer.code))).toEqual([
      ...['created', 'updated', 'updated', 'updated'],
      ...['created', 'deleted', 'created'],
    ]);
    const tokens = async (url: string) =>
      (await fixture.service.document(url, { limit: 1, cursor: null }, ALL)).content.tokens;
    expect([await tokens('urn:x'), await tokens('urn:y')]).toEqual([60, 50]);
  });

  it('keeps no more bytes of documents at work than its limit, but for the last line', async () => {
    const release: (() => void)[] = [];
    const slow = createServiceFixture({
      limits: { bulkBytesInFlightMax: 1000 },
      wrapStore: withApply((store) => async (plan) => {
        await new Promise<void>((resolve) => release.push(resolve));
        return store.apply(plan);
      }),
    });
    const text = make.text(60);
    expect([text.length > 250, text.length < 1000]).toEqual([true, true]);
    const atWork = Math.ceil(1000 / Buffer.byteLength(text));
    const lines = Array.from({ length: 10 }, (_, at) => put(`urn:${at}`, text));
    const answers = Array.fromAsync(slow.service.bulk(linesOf(lines), ALL));
    while (release.length < atWork) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(release.length).toBe(atWork);
    for (let at = 0; at < 10; at++) {
      while (release.length <= at) await new Promise((resolve) => setTimeout(resolve, 1));
      release[at]!();
    }
    expect((await answers).map((answer) => 'result' in answer && answer.result)).toEqual(Array(10).fill('created'));
    await slow.close();
  });

  it('answers a line only when it is written, and reads on meanwhile up to its limit', async () => {
    const release: (() => void)[] = [];
    let written = 0;
    const slow = createServiceFixture({
      limits: { bulkLinesInFlightMax: 4 },
      wrapStore: withApply((store) => async (plan) => {
        await new Promise<void>((resolve) => release.push(resolve));
        const outcome = await store.apply(plan);
        written++;
        return outcome;
      }),
    });
    let read = 0;
    async function* counted() {
      for await (const line of linesOf(Array.from({ length: 10 }, (_, at) => put(`urn:${at}`, make.text(20))))) {
        read++;
        yield line;
      }
    }
    const answers = slow.service.bulk(counted(), ALL);
    const first = answers.next();
    while (release.length < 4) await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    // one line more has been read than is at work
    expect([read, release.length, written]).toEqual([5, 4, 0]);
    release[0]!();
    expect(await first).toMatchObject({ value: { line: 1, result: 'created' } });
    expect(written).toBe(1);
    const rest = Array.fromAsync(answers);
    for (let at = 1; at < 10; at++) {
      while (release.length <= at) await new Promise((resolve) => setTimeout(resolve, 1));
      release[at]!();
    }
    expect((await rest).map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    await slow.close();
  });

  it('lets a line wait for room in the queue of the store for its time', async () => {
    const waits: unknown[] = [];
    const wrapStore = withApply((store) => (plan, options) => {
      waits.push(options);
      return store.apply(plan, options);
    });
    const patient = createServiceFixture({ limits: { bulkWaitMs: 60 }, wrapStore });
    await bulk([put('urn:1', make.text(20)), { op: 'delete', url: 'urn:1' }], patient.service);
    expect(waits).toEqual(Array.from({ length: 2 }, () => ({ caller: ALL.caller, roomWaitMs: 60, relaxed: false })));
    await patient.close();
  });

  it('hides what is not ours in a line, and reports it', async () => {
    const fault = new TypeError('secret');
    const wrapStore = withApply(() => async () => {
      throw fault;
    });
    const broken = createServiceFixture({ wrapStore });
    const [answer] = await bulk([put('urn:1', 'a b c')], broken.service);
    expect(answer).toMatchObject({ status: 500, code: 'internal', detail: expect.not.stringContaining('secret') });
    expect(broken.faults).toEqual([fault]);
    await broken.close();
    const inside = new ShingledError('internal', 'A write plan is malformed.');
    const failing = createServiceFixture({ wrapStore: withApply(() => () => Promise.reject(inside)) });
    expect(await bulk([put('urn:1', 'a b c')], failing.service)).toMatchObject([{ status: 500, code: 'internal' }]);
    expect(failing.faults).toEqual([inside]);
    await failing.close();
  });

  it('answers the lines before the one where the body broke off', async () => {
    async function* broken() {
      yield* linesOf([put('urn:1', make.text(20)), put('urn:2', make.text(20))]);
      throw new ShingledError('body-incomplete', 'cut off');
    }
    const answers: unknown[] = [];
    const reading = (async () => {
      for await (const answer of fixture.service.bulk(broken(), ALL)) answers.push(answer);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'body-incomplete' });
    expect(answers).toMatchObject([{ result: 'created' }, { result: 'created' }]);
  });
});
