import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import { afterAll, describe, expect, it } from 'vitest';
import { encode } from '../support/extract/encode.ts';
import { begin, input } from '../support/workers/pipeline.ts';

const TEXT = 'Съешь же ещё этих мягких французских булок, да выпей чаю.';
const document = input(encode(TEXT, 'windows-1251'), { contentType: 'text/plain' });
const sound = input('Eat some more of these soft French rolls.', { contentType: 'text/plain' });

describe('a small document whose charset must be guessed', () => {
  const pipeline = begin();
  afterAll(() => pipeline.close());

  it.each([
    ['by itself', () => pipeline.process(document)],
    ['one of many', () => pipeline.processInBulk(document)],
    ['among others', async () => (await pipeline.processAll([sound, document, sound]))[1]],
  ])('is read in a worker thread, which has the models: %s', async (_, read) => {
    const read1251 = await read();
    expect(read1251).toMatchObject({ charset: 'windows-1251' });
    expect(read1251).toHaveProperty('text', Uint8Array.from(Buffer.from(TEXT)));
    const { cache } = createRequire(import.meta.url);
    expect(Object.keys(cache).filter((path) => path.includes('jschardet'))).toEqual([]);
  });
});
