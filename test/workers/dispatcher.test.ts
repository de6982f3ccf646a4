import { afterEach, describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { DocumentWorkers } from '../../src/workers/document-workers.ts';
import { Gatherer, type GathererParts } from '../../src/workers/gatherer.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../src/workers/limits.ts';
import type { ProcessedDocument } from '../../src/workers/port.ts';
import type { Outcome } from '../../src/workers/protocol.ts';
import { IDENTITY, input } from '../support/pipeline.ts';

/** A gatherer whose batches end when they are told to: `batches` are the sizes of its documents, in KB and in order. */
function handled(parts: Partial<GathererParts> = {}) {
  const batches: { sizes: number[]; end: (error?: Error) => void }[] = [];
  const gatherer = new Gatherer({
    workers: 2,
    queueMax: 1000,
    failure: (error) => error as ShingledError,
    processHere: async ({ bytes }) => documentOf(`${bytes.length / KB} here`),
    processThere: (inputs) =>
      new Promise<Outcome[]>((resolve, reject) => {
        const sizes = inputs.map(({ bytes }) => bytes.length / KB);
        const end = (error?: Error) => (error ? reject(error) : resolve(sizes.map((size) => documentOf(`${size}`))));
        batches.push({ sizes, end });
      }),
    ...parts,
  });
  return { gatherer, batches, add: (kb: number, small = true) => gatherer.add(input(Buffer.alloc(kb * KB)), small) };
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
    const { gatherer, batches, add } = handled();
    const all = Array.from({ length: 400 }, () => add(3));
    all.push(...[200, 200, 200, 200].map((size) => add(size)));
    await turn();
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([128, 128, 128, 18]);
    expect(gatherer.queued).toBe(2);
    for (let ended = 0; ended < batches.length; ended++) {
      batches[ended]!.end();
      await turn();
    }
    expect(batches.map(({ sizes }) => sizes.length)).toEqual([128, 128, 128, 18, 2]);
    expect((await Promise.all(all)).length).toBe(404);
    expect(gatherer.queued).toBe(0);
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

  it('go alone where they are large or have a selector', async () => {
    const { batches, add } = handled({ workers: 10 });
    const all = [add(9), add(9), add(3, false), add(4), add(600), add(17), add(6)];
    await turn();
    expect(batches.map(({ sizes }) => sizes)).toEqual([[9, 9], [3], [600], [17, 6]]);
    for (const { end } of batches) end();
    const titles = (await Promise.all(all)).map(({ title }) => title);
    expect(titles).toEqual(['9', '9', '3', '4 here', '600', '17', '6']);
  });

  it('are refused where too many wait', async () => {
    const { batches, add } = handled({ queueMax: 2, workers: 1 });
    const all = [add(10), add(20)];
    await expect(add(30)).rejects.toMatchObject({
      code: 'overloaded',
      limit: { name: 'bulkQueueMax', value: 2 },
      retryAfterS: 1,
    });
    await turn();
    batches[0]!.end();
    await Promise.all(all);
  });

  it('that wait are given up when the pipeline closes, and those at work are not', async () => {
    const { gatherer, batches, add } = handled({ workers: 1 });
    const running = [add(10), add(20)];
    await turn();
    const waiting = add(3);
    const closing = new ShingledError('draining', 'The service is stopping');
    gatherer.refuse(closing);
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

describe('with real workers', () => {
  // as selectorBomb, and small enough for a batch
  const smallBomb = input('<i></i>'.repeat(35_000), { select: 'i:nth-last-child(5)' });
  let workers: DocumentWorkers | null = null;
  afterEach(() => workers?.close());

  it('a document that is ended takes no other with it', async () => {
    workers = new DocumentWorkers({
      ...DEFAULT_PIPELINE_LIMITS,
      identity: IDENTITY,
      limits: DEFAULT_EXTRACT_LIMITS,
      kernel: 'wasm',
      threads: 1,
      timeoutMs: 1500,
    });
    const { gatherer } = handled({ workers: 1, processThere: (inputs) => workers!.process(inputs) });
    const documents = [input('<p>a rose'), smallBomb, input(''), input('<p>is a rose')];
    const outcomes = await Promise.allSettled(documents.map((document) => gatherer.add(document, true)));
    expect(outcomes).toMatchObject([
      { value: { sketch: { tokenCount: 2 } } },
      { reason: { code: 'document-too-complex', limit: { name: 'timeoutMs' } } },
      { reason: { code: 'empty-document' } },
      { value: { sketch: { tokenCount: 3 } } },
    ]);
  });
});
