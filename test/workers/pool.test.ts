import { afterAll, describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { DEFAULT_EXTRACT_LIMITS, heapBytesNeeded } from '../../src/extract/limits.ts';
import { begin, input, PAGE, selected, selectorBomb, settled, start } from '../support/workers/pipeline.ts';

/** Longer than a page takes where other tests run too; a bomb takes all of it. */
const TIMEOUT_MS = 800;

const hurried = begin({ queueMax: 2, timeoutMs: TIMEOUT_MS });
afterAll(() => hurried.close());

describe('the way of a document', () => {
  const inline = begin();
  const inWorkers = begin({ inlineHtmlBytesMax: 0, inlineTextBytesMax: 0 });
  afterAll(() => Promise.all([inline.close(), inWorkers.close()]));

  it('leads to the same result on the event loop and in a worker', async () => {
    const documents = [
      input(PAGE),
      input(PAGE, { keepText: false, modulusMax: 1 }),
      input('a rose is a rose', { contentType: 'text/plain' }),
      input(Buffer.from('caf\xe9', 'latin1'), { contentType: null }),
      input(Array.from({ length: 5000 }, (_, i) => `word${i}`).join(' '), { contentType: null }),
      // letters of all tables of the kernel, which a worker is given
      input('Ａｌｌ ÉCOLES e\u0301crivent ΣΊΣΥΦΟΣ, Ёлка, Ḁṕ, ﬁn, 漢字かな, \u{1d400}\u{10400}', {
        contentType: 'text/plain',
      }),
    ];
    for (const document of documents) {
      expect(await inWorkers.process(document)).toEqual(await inline.process(document));
    }
  });

  it('is said to be one that may have to begin first, as long as it has not', async () => {
    const pipeline = start({ inlineHtmlBytesMax: 10, inlineTextBytesMax: 10 });
    const [small, large] = ['a word', 'several more words'].map((text) => input(text, { contentType: 'text/plain' }));
    expect([pipeline.isReadApart(small!), pipeline.isReadApart(large!)]).toEqual([false, true]);
    await pipeline.begunApart([large!]);
    expect(pipeline.isReadApart(large!)).toBe(false);
    expect(pipeline.isReadApart(selected('b'))).toBe(true);
  });

  it('leads through a worker where there are selectors', async () => {
    const { text, sketch, title } = await inline.process(selected('b'));
    expect(Buffer.from(text!).toString().trim()).toBe('rose');
    expect(sketch.tokenCount).toBe(1);
    expect(title).toBe('A rose');
  });

  it('never takes the bytes away from the caller, nor hands more than them to a worker', async () => {
    const around = Buffer.from(`secret${PAGE}secret`);
    const bytes = around.subarray(6, 6 + PAGE.length);
    const document = await inWorkers.process(input(bytes));
    expect(around.toString()).toBe(`secret${PAGE}secret`);
    expect(document).toEqual(await inWorkers.process(input(PAGE)));
  });

  it('hands results over whole: each owns exactly its memory', async () => {
    const { text, sketch } = await inWorkers.process(input(PAGE));
    for (const view of [text!, sketch.shingleSum, sketch.sample.fingerprints]) {
      expect(view.buffer.byteLength).toBe(view.byteLength);
    }
  });

  it('serves many documents at once', async () => {
    const pipeline = start({ inlineHtmlBytesMax: 0, inlineTextBytesMax: 0, threads: 2 });
    const texts = Array.from({ length: 60 }, (_, i) => `document number ${i}`);
    const documents = await Promise.all(texts.map((text) => pipeline.process(input(text))));
    expect(documents.map(({ text }) => Buffer.from(text!).toString())).toEqual(texts);
    expect(pipeline.queued).toBe(0);
  });
});

describe('an error', () => {
  const pipeline = begin();
  afterAll(() => pipeline.close());

  it.each([
    ['of a selector', selected('p['), { code: 'invalid-selector', field: 'select' }],
    ['of another selector', input(PAGE, { remove: ':unheard-of' }), { code: 'invalid-selector', field: 'remove' }],
    ['of no words', selected('video'), { code: 'empty-document' }],
    [
      'of depth',
      input('<div>'.repeat(600), { select: 'p' }),
      { code: 'document-too-complex', limit: { name: 'depthMax', value: 512 } },
    ],
    ['of the type', input('%!PS-Adobe', { select: 'p' }), { code: 'unsupported-media-type' }],
    [
      'of the charset',
      input(PAGE, { select: 'p', contentType: 'text/html; charset=utf-7' }),
      { code: 'unsupported-charset' },
    ],
  ])('%s keeps its code, field and limit on its way out of a worker', async (_what, document, expected) => {
    const failure = pipeline.process(document);
    await expect(failure).rejects.toBeInstanceOf(ShingledError);
    await expect(failure).rejects.toMatchObject(expected);
  });

  it('of size is found before anything is handed over, so it does not wait for a worker', async () => {
    const limits = { ...DEFAULT_EXTRACT_LIMITS, documentBytesMax: 420_000 };
    const small = start({ timeoutMs: TIMEOUT_MS, limits });
    let ended = false;
    const bomb = settled(small.process(selectorBomb())).finally(() => {
      ended = true;
    });
    await expect(small.process(input('x'.repeat(420_001), { select: 'p' }))).rejects.toMatchObject({
      code: 'body-too-large',
      limit: { name: 'documentBytesMax', value: 420_000 },
    });
    expect(ended).toBe(false);
    expect(await bomb).toBe('document-too-complex');
  });
});

describe('a document that costs too much', () => {
  it('is ended by the deadline, while the event loop serves others, and its worker is replaced', async () => {
    let ended = false;
    const bomb = hurried.process(selectorBomb()).finally(() => {
      ended = true;
    });
    const failure = expect(bomb).rejects.toMatchObject({
      code: 'document-too-complex',
      limit: { name: 'timeoutMs', value: TIMEOUT_MS },
    });
    let served = 0;
    for (; !ended; served++) {
      await hurried.process(input(PAGE));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(served).toBeGreaterThan(3);
    await failure;
    expect((await hurried.process(selected('b'))).sketch.tokenCount).toBe(1);
  });

  it('does not use up the time of those that wait behind it', async () => {
    const outcomes = [selectorBomb(), selectorBomb(), selected('b')].map((document) =>
      settled(hurried.process(document)),
    );
    expect(await Promise.all(outcomes)).toEqual(['document-too-complex', 'document-too-complex', 'done']);
  });
});

describe('too many documents', () => {
  it('are refused with the time after which to come again', async () => {
    const running = settled(hurried.process(selectorBomb()));
    const waiting = [selected('b'), selected('b')].map((document) => settled(hurried.process(document)));
    expect(hurried.queued).toBe(2);
    await expect(hurried.process(selected('b'))).rejects.toMatchObject({
      code: 'overloaded',
      limit: { name: 'queueMax', value: 2 },
      retryAfterS: 1,
    });
    await expect(hurried.process(input(PAGE))).resolves.toMatchObject({ title: 'A rose' });
    expect(await Promise.all([running, ...waiting])).toEqual(['document-too-complex', 'done', 'done']);
    expect(hurried.queued).toBe(0);
  });
});

describe('a caller that gives up', () => {
  it('is told so at once, whether its document waits, runs or was not begun', async () => {
    const controller = new AbortController();
    const running = settled(hurried.process(selectorBomb(), controller.signal));
    const waiting = settled(hurried.process(selected('b'), controller.signal));
    const other = settled(hurried.process(selected('b')));
    controller.abort();
    expect(await Promise.all([running, waiting, other])).toEqual(['deadline-exceeded', 'deadline-exceeded', 'done']);
    await expect(hurried.process(input(PAGE), controller.signal)).rejects.toMatchObject({ code: 'deadline-exceeded' });
  });

  it('is told its own reason where that is one of ours', async () => {
    const reason = new ShingledError('draining', 'The service is stopping');
    await expect(hurried.process(input(PAGE), AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('afterwards', () => {
  it('no clock is left running, whether a document was done, given up or never begun', async () => {
    const clocks = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    await hurried.process(selected('b'));
    const before = clocks();
    const controller = new AbortController();
    const outcomes = [selectorBomb(), selected('b')].map((document) =>
      settled(hurried.process(document, controller.signal)),
    );
    setTimeout(() => controller.abort(), 200);
    await Promise.all(outcomes);
    await hurried.process(selected('b'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(clocks()).toBeLessThanOrEqual(before);
  });
});

describe('closing', () => {
  it('refuses what comes afterwards, and may be done again', async () => {
    const pipeline = start();
    await pipeline.process(selected('b'));
    await pipeline.close();
    await expect(pipeline.process(input(PAGE))).rejects.toMatchObject({ code: 'draining' });
    await expect(pipeline.process(selected('b'))).rejects.toMatchObject({ code: 'draining' });
    await pipeline.close();
  });

  it('ends what runs and what waits by a typed error, if it does not end by itself', async () => {
    const pipeline = start({ timeoutMs: TIMEOUT_MS });
    const outcomes = [selectorBomb(), selected('b')].map((document) => settled(pipeline.process(document)));
    await pipeline.close();
    expect(await Promise.all(outcomes)).toEqual(['draining', 'draining']);
  });

  it('of a pipeline that never needed a worker is at once', async () => {
    await expect(start().close()).resolves.toBeUndefined();
  });
});

describe('limits that do not fit one another', () => {
  it('are refused at once: a tree of nodesMax must not fill the heap of a worker', () => {
    const memoryMb = Math.ceil(heapBytesNeeded(DEFAULT_EXTRACT_LIMITS) / 2 ** 20);
    expect(() => start({ memoryMb })).not.toThrow();
    for (const tooSmall of [
      { memoryMb: memoryMb - 1 },
      { limits: { ...DEFAULT_EXTRACT_LIMITS, nodesMax: 10_000_000 } },
    ]) {
      expect(() => start(tooSmall)).toThrow(
        expect.objectContaining({
          code: 'invalid-config',
          field: 'memoryMb',
          limit: { name: 'memoryMb', value: expect.any(Number) },
        }),
      );
    }
  });
});
