import { describe, expect, it, vi } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { Dispatcher, type DispatcherParts } from '../../src/workers/dispatcher.ts';
import type { Outcome, ProcessedDocument } from '../../src/workers/port.ts';
import { input } from '../support/workers/pipeline.ts';

/** A dispatcher whose tasks end when they are told to: `batches` are the sizes of its documents, in KB and in order. */
function handled(parts: Partial<DispatcherParts> = {}) {
  const batches: { sizes: number[]; end: (error?: Error) => void }[] = [];
  const dispatcher = new Dispatcher({
    workers: 2,
    queueMax: 1000,
    failure: (error) => error as ShingledError,
    worked: () => undefined,
    processHere: async ({ bytes }) => documentOf(`${bytes.length / KB} here`),
    processThere: (inputs) =>
      new Promise<Outcome[]>((resolve, reject) => {
        const sizes = inputs.map(({ bytes }) => bytes.length / KB);
        const end = (error?: Error) => (error ? reject(error) : resolve(sizes.map((size) => documentOf(`${size}`))));
        batches.push({ sizes, end });
      }),
    ...parts,
  });
  return {
    dispatcher,
    batches,
    add: (kb: number, small = true, caller = 'somebody') =>
      dispatcher.addInBulk(input(Buffer.alloc(kb * KB)), small, caller),
    single: (kb: number, caller = 'somebody', signal?: AbortSignal) =>
      dispatcher.add(input(Buffer.alloc(kb * KB)), { caller, signal }),
  };
}

const KB = 1024;
const documentOf = (title: string) => ({ title }) as ProcessedDocument;
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('documents of bulk requests', () => {
  it('that come in one turn of the event loop leave together, in order, and none waits for more', async () => {
    const { batches, add } = handled();
    const first = [30, 1, 20].map((size) => add(size));
    expect(batches).toEqual([]);
    await turn();
    expect(batches.map(({ sizes }) => sizes)).toEqual([[30, 1, 20]]);
    batches[0]!.end();
    expect((await Promise.all(first)).map(({ title }) => title)).toEqual(['30', '1', '20']);
  });

  it('gather while each worker has a batch at work and one at hand, up to 128 documents or 512 KB at a time', async () => {
    const { dispatcher, batches, add } = handled();
    const all = Array.from({ length: 400 }, () => add(3));
    all.push(...[200, 200, 200, 200].map((size) => add(size)));
    await turn();
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([128, 128, 128, 18]);
    expect(dispatcher.queued).toBe(2);
    for (let ended = 0; ended < batches.length; ended++) {
      batches[ended]!.end();
      await turn();
    }
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([128, 128, 128, 18, 2]);
    expect((await Promise.all(all)).length).toBe(404);
    expect(dispatcher.queued).toBe(0);
  });

  it('wait for a worker that is free where they make less than a quarter of a batch', async () => {
    const { batches, add } = handled({ workers: 1 });
    const all = [add(100), add(100)];
    await turn();
    all.push(...Array.from({ length: 31 }, () => add(3)));
    await turn();
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([2]);
    all.push(add(3));
    await turn();
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([2, 32]);
    all.push(add(20), add(20, false));
    await turn();
    expect(batches.length).toBe(2);
    for (let ended = 0; ended < batches.length; ended++) {
      batches[ended]!.end();
      await turn();
    }
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([2, 32, 1, 1]);
    await Promise.all(all);
  });

  it('stay on the event loop where they have few bytes in all', async () => {
    const { batches, add } = handled();
    const few = await Promise.all([add(10), add(5), add(1)]);
    expect(few.map(({ title }) => title)).toEqual(['10 here', '5 here', '1 here']);
    const more = [add(10), add(5), add(1.5)];
    await turn();
    const withSelector = add(1, false);
    await turn();
    expect(batches.map(({ sizes }) => sizes)).toEqual([[10, 5, 1.5], [1]]);
    for (const { end } of batches) end();
    await Promise.all([...more, withSelector]);
  });

  it('go alone where they are large or not small', async () => {
    const { batches, add } = handled({ workers: 10 });
    const all = [add(9), add(9), add(3, false), add(4), add(600), add(17), add(6)];
    await turn();
    expect(batches.map(({ sizes }) => sizes)).toEqual([[9, 9], [3], [600], [17, 6]]);
    for (const { end } of batches) end();
    const titles = (await Promise.all(all)).map(({ title }) => title);
    expect(titles).toEqual(['9', '9', '3', '4 here', '600', '17', '6']);
  });

  it('that wait are given up when the pipeline closes, and those at work are not', async () => {
    const { dispatcher, batches, add } = handled({ workers: 1 });
    const running = [add(10), add(20)];
    await turn();
    const waiting = add(3);
    const closing = new ShingledError('draining', 'The service is stopping');
    dispatcher.refuse(closing);
    await expect(waiting).rejects.toBe(closing);
    batches[0]!.end();
    expect(await Promise.all(running)).toEqual([documentOf('10'), documentOf('20')]);
  });

  it('go again one by one where their batch fails, and only what fails by itself is refused', async () => {
    const { batches, add } = handled({ workers: 1 });
    const all = Promise.allSettled([10, 20, 30].map((size) => add(size)));
    await turn();
    batches[0]!.end(new Error('the worker ended'));
    await turn();
    batches[1]!.end();
    await turn();
    batches[2]!.end(new ShingledError('document-too-complex', 'It ended its worker'));
    await turn();
    batches[3]!.end();
    const [first, second, third] = await all;
    expect(batches.map(({ sizes }) => sizes)).toEqual([[10, 20, 30], [10], [20], [30]]);
    expect([first, third]).toMatchObject([{ value: documentOf('10') }, { value: documentOf('30') }]);
    expect(second).toMatchObject({ reason: { code: 'document-too-complex' } });
  });
});

describe('single documents', () => {
  it('go one by one where a worker is free, and keep batches from being laid at hand', async () => {
    const { batches, add, single } = handled({ workers: 2 });
    const all = [single(100), ...Array.from({ length: 200 }, () => add(3))];
    await turn();
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([1, 128]);
    all.push(single(50, 'another'));
    batches[0]!.end();
    await turn();
    expect(batches[2]!.sizes).toEqual([50]);
    batches[2]!.end();
    batches[1]!.end();
    await turn();
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([1, 128, 1, 72]);
    batches[3]!.end();
    await Promise.all(all);
  });

  it('of one caller wait behind one batch of his own, not behind all', async () => {
    const { dispatcher, batches, add, single } = handled({ workers: 1 });
    const bulk = Array.from({ length: 500 }, () => add(3));
    await turn();
    const own = single(40);
    expect(dispatcher.queued).toBe(500 - 256 + 1);
    for (let ended = 0; ended < batches.length; ended++) {
      batches[ended]!.end();
      await turn();
    }
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([128, 128, 128, 1, 116]);
    await Promise.all([...bulk, own]);
  });

  it('are refused where too many of the same caller wait, whatever he has in bulk', async () => {
    const { batches, add, single } = handled({ queueMax: 2, workers: 1 });
    const all: Promise<unknown>[] = [add(600), add(600)];
    await turn();
    all.push(single(10), single(20));
    await expect(single(30)).rejects.toMatchObject({
      code: 'overloaded',
      limit: { name: 'queueMax', value: 2 },
      retryAfterS: 1,
    });
    all.push(single(40, 'another'));
    for (let ended = 0; ended < 5; ended++) {
      batches[ended]!.end();
      await turn();
    }
    await Promise.all(all);
  });

  it('whose caller gives up are not begun, and he hears so at once; what is at work goes on', async () => {
    const { dispatcher, batches, single } = handled({ workers: 1 });
    const controller = new AbortController();
    const given = [single(10, 'a', controller.signal), single(20, 'a', controller.signal)];
    const last = single(30);
    controller.abort(new ShingledError('deadline-exceeded', 'enough'));
    for (const one of given) await expect(one).rejects.toMatchObject({ code: 'deadline-exceeded' });
    expect(dispatcher.queued).toBe(1);
    batches[0]!.end();
    await turn();
    batches[1]!.end();
    await last;
    expect(batches.map(({ sizes }) => sizes)).toEqual([[10], [30]]);
  });
});

describe('the documents of several callers', () => {
  it('are processed by turns that count their bytes, single or in bulk', async () => {
    const { batches, add, single } = handled({ workers: 1 });
    const all: Promise<unknown>[] = Array.from({ length: 800 }, () => add(4, true, 'bulk'));
    await turn();
    for (let i = 0; i < 9; i++) all.push(single(300, 'large'));
    for (let i = 0; i < 9; i++) all.push(single(10, 'small'));
    const order: string[] = [];
    for (let ended = 0; ended < batches.length; ended++) {
      const { sizes, end } = batches[ended]!;
      order.push(sizes.length > 1 ? 'bulk' : sizes[0] === 300 ? 'large' : 'small');
      end();
      await turn();
    }
    await Promise.all(all);
    // two batches are gone or at hand before the others come; 9 small ones are less than one large one
    expect(order.slice(0, 12).sort()).toEqual(['bulk', 'bulk', 'large', ...Array(9).fill('small')]);
    // then 512 KB of one caller, with what a document costs beside, against 304 KB of the other
    const rest = order.slice(12, 22);
    expect(rest.filter((kind) => kind === 'bulk').length).toBeGreaterThanOrEqual(2);
    expect(rest.filter((kind) => kind === 'large').length).toBeGreaterThanOrEqual(5);
  });
});

describe('the time of workers', () => {
  it('is told of who had it, of a batch that lay at hand about the half', async () => {
    let nowMs = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const worked: [string, number][] = [];
    const { batches, add } = handled({ workers: 1, worked: (caller, ms) => worked.push([caller, ms]) });
    const documents: Promise<unknown>[] = [];
    for (const caller of ['a', 'b']) {
      documents.push(add(400, true, caller));
      await turn();
    }
    for (const batch of batches) {
      nowMs += 30;
      batch.end();
      await turn();
    }
    await Promise.all([...documents, add(1, true, 'here')]);
    clock.mockRestore();
    expect(worked.flat()).toEqual(['a', 30, 'b', 30]);
  });
});
