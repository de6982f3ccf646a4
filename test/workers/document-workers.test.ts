import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { DocumentWorkers } from '../../src/workers/document-workers.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../src/workers/limits.ts';
import { IDENTITY, input, selectorBomb } from '../support/pipeline.ts';

let workers: DocumentWorkers | null = null;
afterEach(() => workers?.close());

const startWorkers = (options: { threads: number; timeoutMs: number }) => {
  workers = new DocumentWorkers({
    ...DEFAULT_PIPELINE_LIMITS,
    identity: IDENTITY,
    limits: { ...DEFAULT_EXTRACT_LIMITS, documentBytesMax: 10_000_000, nodesMax: 1e9 },
    kernel: 'wasm',
    memoryMb: 64,
    ...options,
  });
  return workers;
};
const batch = (...texts: string[]) => texts.map((text) => input(text));
const batchDone = [{ sketch: { tokenCount: 2 } }, { sketch: { tokenCount: 3 } }];

describe('a document that fills the heap of its worker, since the limits of its tree are too wide', () => {
  it.each([
    ['elements', '<br>'.repeat(600_000)],
    ['elements and texts', '<br>x'.repeat(400_000)],
    ['parts of one text', '<'.repeat(4_000_000)],
  ])('%s: is ended, and its worker is replaced', { timeout: 120_000 }, async (_what, page) => {
    startWorkers({ threads: 1, timeoutMs: 100_000 });
    await expect(workers!.process([input(page, { select: 'p' })])).rejects.toMatchObject({
      code: 'document-too-complex',
      limit: { name: 'memoryMb', value: 64 },
    });
    expect(await workers!.process([input('<p>a rose', { select: 'p' })])).toMatchObject([
      { sketch: { tokenCount: 2 } },
    ]);
  });
});

describe('a batch at hand', () => {
  it.each([
    ['takes too long', selectorBomb(), 1500, 'timeoutMs'],
    ['fills the heap', input('<br>'.repeat(600_000), { select: 'p' }), 100_000, 'memoryMb'],
  ])('goes to another worker where the one at work %s', { timeout: 120_000 }, async (_what, bomb, timeoutMs, name) => {
    const pool = startWorkers({ threads: 1, timeoutMs });
    const atWork = pool.process([input('a rose'), bomb]);
    const failure = expect(atWork).rejects.toMatchObject({ code: 'document-too-complex', limit: { name } });
    const others = Promise.all([1, 2].map(() => pool.process(batch('a rose', 'is a rose'))));
    expect(pool.queued).toBe(1);
    await failure;
    for (const done of await others) expect(done).toMatchObject(batchDone);
  });

  it('is told of the end where the pool closes', async () => {
    const pool = startWorkers({ threads: 1, timeoutMs: 300 });
    const given = [pool.process([input('a rose'), selectorBomb()]), pool.process(batch('a rose', 'is a rose'))];
    const settled = Promise.allSettled(given);
    await pool.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('never lies behind a document by itself, and has no such one behind it', async () => {
    const pool = startWorkers({ threads: 2, timeoutMs: 1500 });
    let ended = false;
    const bomb = pool.process([selectorBomb()]).catch(() => {
      ended = true;
    });
    const rest = [
      ...Array.from({ length: 6 }, () => pool.process(batch('a rose', 'is a rose'))),
      pool.process([input('a rose')]),
    ];
    await Promise.all(rest);
    expect(ended).toBe(false);
    await bomb;
    expect(ended).toBe(true);
  });
});
