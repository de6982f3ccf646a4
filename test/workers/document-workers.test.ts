import { afterEach, describe, expect, it } from 'vitest';
import { DocumentWorkers } from '../../src/workers/document-workers.ts';
import { IDENTITY, input, SLOW_LIMITS, slowPage } from '../support/pipeline.ts';

let workers: DocumentWorkers | null = null;
afterEach(() => workers?.close());

const startWorkers = (timeoutMs: number) => {
  const options = { identity: IDENTITY, limits: SLOW_LIMITS, kernel: 'wasm', threads: 1, memoryMb: 128 } as const;
  workers = new DocumentWorkers({ ...options, timeoutMs });
  return workers;
};
const batch = (...texts: string[]) => texts.map((text) => input(text));
const batchDone = [{ sketch: { tokenCount: 2 } }, { sketch: { tokenCount: 3 } }];

describe('a worker that takes too long', () => {
  it('is ended and replaced, and another one does what lay at hand', { timeout: 240_000 }, async () => {
    const pool = startWorkers(500);
    const failure = expect(pool.process([input('a rose'), slowPage()])).rejects.toMatchObject({
      code: 'document-too-complex',
      limit: { name: 'timeoutMs', value: 500 },
    });
    const atHand = pool.process(batch('a rose', 'is a rose'));
    await failure;
    expect(await atHand).toMatchObject(batchDone);
  });

  it('is told to all who wait for it where the pool closes', async () => {
    const pool = startWorkers(300);
    const given = [pool.process([input('a rose'), slowPage()]), pool.process(batch('a rose', 'is a rose'))];
    const settled = Promise.allSettled(given);
    await pool.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
