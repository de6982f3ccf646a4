import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { DocumentWorkers } from '../../src/workers/document-workers.ts';
import { IDENTITY, input, SLOW_LIMITS, slowPage } from '../support/workers/pipeline.ts';

let workers: DocumentWorkers | null = null;
afterEach(() => workers?.close());

const startWorkers = (timeoutMs: number) => {
  const setup = { identity: IDENTITY, limits: SLOW_LIMITS, kernel: 'wasm' } as const;
  workers = new DocumentWorkers({ setup, threads: 1, memoryMb: 128, timeoutMs });
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

/** How nice each thread of this process is, by /proc/[pid]/task/[tid]/stat. */
const nicenesses = () =>
  readdirSync('/proc/self/task').map((task) => {
    const stat = readFileSync(`/proc/self/task/${task}/stat`, 'utf8');
    // what stands behind the name begins with field 3
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });

it.runIf(process.platform === 'linux')('lets the event loop go first where both want one core', async () => {
  const own = getPriority();
  const nicer = () => nicenesses().filter((niceness) => niceness === Math.min(19, own + 5)).length;
  const before = nicer();
  await startWorkers(20_000).process(batch('a rose'));
  expect(getPriority()).toBe(own);
  expect(nicer()).toBe(before + 1);
});
