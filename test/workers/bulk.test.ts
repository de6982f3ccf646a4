import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { faultyDocuments } from '../support/workers/faulty-documents.ts';
import { input, PAGE, selected, selectorBomb, settled, start } from '../support/workers/pipeline.ts';

/** 9 KB, so that two of them go to a worker. */
const longPage = (seed: number) => `${PAGE} ${Array.from({ length: 1000 }, (_, i) => `${seed} of ${i}`).join(' ')}`;

describe('documents of bulk requests', () => {
  const documents = [
    input(PAGE),
    input(PAGE, { keepText: false, modulusMax: 1 }),
    input('a rose is a rose', { contentType: 'text/plain' }),
    input(Buffer.from('caf\xe9', 'latin1'), { contentType: null }),
    selected('b'),
    input('', { contentType: 'text/plain' }),
    selected('p['),
    input('%!PS-Adobe'),
    input(Array.from({ length: 5000 }, (_, i) => `word${i}`).join(' '), { contentType: 'text/plain' }),
    input(Array.from({ length: 50_000 }, (_, i) => `word${i}`).join(' '), { contentType: 'text/plain' }),
    ...Array.from({ length: 100 }, (_, i) => input(longPage(i))),
  ];

  it('have the results that each has by itself, and so have errors', async () => {
    const pipeline = start({ threads: 2 });
    const expected = await Promise.allSettled(documents.map((document) => pipeline.process(document)));
    expect(expected.filter(({ status }) => status === 'rejected').length).toBe(3);
    const given = await Promise.allSettled(documents.map((document) => pipeline.processInBulk(document)));
    expect(given).toEqual(expected);
    expect(pipeline.queued).toBe(0);
  });

  it.each([
    ['that go together', documents.filter(({ select }) => select === null)],
    ['some of which are read by themselves', documents],
    ['that are none', []],
  ])('have the same where somebody waits for all of them: those %s', async (_, some) => {
    const pipeline = start({ threads: 2 });
    const expected = await Promise.all(
      some.map((document) => pipeline.process(document).catch((error: unknown) => error)),
    );
    expect(await pipeline.processAll(some)).toEqual(expected);
    expect(pipeline.queued).toBe(0);
  });

  it('are refused one by one, whatever is wrong with them and however large they are', async () => {
    const inlineBytesMax = { inlineHtmlBytesMax: 350, inlineFeaturesBytesMax: 350, inlineTextBytesMax: 500 };
    const limits = { ...DEFAULT_EXTRACT_LIMITS, documentBytesMax: 700, nodesMax: 100 };
    const pipeline = start({ ...inlineBytesMax, limits });
    const sizes = [350, 500, 700].flatMap((size) => [size, size + 1]);
    const faults = sizes.flatMap((size) => faultyDocuments(size));
    const sound = input('a rose is a rose', { contentType: 'text/plain' });
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(faults, { minLength: 1, maxLength: 12 }), async (some) => {
        const given = some.flatMap(({ bytes, contentType = null, select = null }) => [
          sound,
          input(bytes, { contentType, select }),
        ]);
        const outcomes = await pipeline.processAll(given);
        expect(outcomes.map((one) => (one instanceof ShingledError ? one.code : null))).toEqual(
          some.flatMap(({ code, bytes }) => [null, bytes.length > 700 ? 'body-too-large' : code]),
        );
        const alone = given.map((document) => settled(pipeline.processInBulk(document)));
        expect(await Promise.all(alone)).toEqual(
          outcomes.map((one) => (one instanceof ShingledError ? one.code : 'done')),
        );
      }),
      { numRuns: 30 },
    );
  });

  it('own their memory, though they came together', async () => {
    const pipeline = start();
    for (const { text, sketch } of await Promise.all(
      [1, 2, 3].map((seed) => pipeline.processInBulk(input(longPage(seed)))),
    )) {
      for (const view of [text!, sketch.shingleSum, sketch.sample.fingerprints]) {
        expect(view.buffer.byteLength).toBe(view.byteLength);
      }
    }
  });

  it('leave the lines of single ones free, with selectors and without', async () => {
    const pipeline = start({ queueMax: 1, timeoutMs: 800, inlineTextBytesMax: 0 });
    const bulk = [selectorBomb(), selected('b'), selected('b'), input(longPage(1)), input(longPage(2))].map(
      (document) => settled(pipeline.processInBulk(document)),
    );
    const long = { ...input(longPage(3)), contentType: 'text/plain' };
    const single = [selected('b'), long].map((document) => settled(pipeline.process(document, undefined, 'another')));
    expect(await Promise.all(single)).toEqual(['done', 'done']);
    expect(await Promise.all(bulk)).toEqual(['document-too-complex', 'done', 'done', 'done', 'done']);
  });

  it('are refused once the pipeline closes, also those that wait', async () => {
    const pipeline = start({ timeoutMs: 800 });
    const running = settled(pipeline.processInBulk(selectorBomb()));
    const waiting = settled(pipeline.processInBulk(input(PAGE)));
    const closed = pipeline.close();
    expect(await waiting).toBe('draining');
    expect(await settled(pipeline.processInBulk(input(PAGE)))).toBe('draining');
    expect(await pipeline.processAll([input(PAGE)])).toMatchObject([{ code: 'draining' }]);
    await closed;
    expect(await running).toBe('draining');
  });
});
