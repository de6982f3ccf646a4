import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { encode } from '../support/extract/encode.ts';
import { begin, input } from '../support/workers/pipeline.ts';

const SALUTATION = '\ufdfa';
const text = (body: string | Uint8Array, charset = 'utf-8') =>
  input(body, { contentType: `text/plain; charset=${charset}` });

describe('a document that takes long for its size', () => {
  let atWork = 0;
  const pipeline = begin({ onWorked: () => atWork++ });
  const inWorkers = begin({ inlineHtmlBytesMax: 0, inlineTextBytesMax: 0 });
  afterAll(() => Promise.all([pipeline.close(), inWorkers.close()]));
  beforeEach(() => {
    atWork = 0;
  });

  it.each([
    ['a text that cannot be cut', text('x'.repeat(20_000))],
    ['one that grows, too', text(SALUTATION.repeat(50_000))],
    ['the same in UTF-16', text(Buffer.from(SALUTATION.repeat(50_000), 'utf16le'), 'utf-16le')],
    ['the same as a page', input(`<p>${SALUTATION.repeat(20_000)}`)],
    ['one that can be cut, and grows', text(`${SALUTATION.repeat(1000)} `.repeat(80))],
    ['one whose pieces the kernel makes, each four times as long', text('\ufdfb '.repeat(60_000))],
    ['another of them', text('\u334e '.repeat(60_000))],
  ])('is processed by a worker: %s', async (_, document) => {
    const processed = await pipeline.process(document);
    await nextIteration();
    expect(atWork).toBe(1);
    expect(processed).toEqual(await inWorkers.process(document));
    expect(await pipeline.processAll([document, text('a word')])).toEqual([processed, expect.anything()]);
    await nextIteration();
  });

  it('is processed by a worker where it comes among many and is small', async () => {
    const small = text(SALUTATION.repeat(5000));
    expect(await pipeline.processInBulk(small)).toEqual(await inWorkers.process(small));
  });

  it.each([
    ['words', text('some words and then '.repeat(12_000))],
    ['letters that are a pair each', text('漢字文章。'.repeat(16_000))],
    ['Hangul', text('한국어 문장. '.repeat(13_000))],
    ['Thai', text('ภาษาไทย '.repeat(11_000))],
    ['a few that grow', text(SALUTATION.repeat(1000))],
  ])('is none where it is of %s', async (_, document) => {
    await pipeline.process(document);
    await nextIteration();
    expect(atWork).toBe(0);
  });
});

const TEXT = 'Съешь же ещё этих мягких французских булок, да выпей чаю.';
const inCyrillic = input(encode(TEXT, 'windows-1251'), { contentType: 'text/plain' });
const sound = input('Eat some more of these soft French rolls.', { contentType: 'text/plain' });

describe('a small document whose charset must be guessed', () => {
  const pipeline = begin();
  afterAll(() => pipeline.close());

  it.each([
    ['by itself', () => pipeline.process(inCyrillic)],
    ['one of many', () => pipeline.processInBulk(inCyrillic)],
    ['among others', async () => (await pipeline.processAll([sound, inCyrillic, sound]))[1]],
  ])('is read in a worker thread, which has the models: %s', async (_, read) => {
    const read1251 = await read();
    expect(read1251).toMatchObject({ charset: 'windows-1251' });
    expect(read1251).toHaveProperty('text', Uint8Array.from(Buffer.from(TEXT)));
    const { cache } = createRequire(import.meta.url);
    expect(Object.keys(cache).filter((path) => path.includes('jschardet'))).toEqual([]);
  });
});
