import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectLeft, sharedBytesIn } from '../../src/sharing/garbage.ts';

const ROOM = new URL('../../src/sharing/garbage.ts', import.meta.url).href;

/**
 * 1.2 GB are allocated beside the heap, of which 80 MB are in use at any time: full collections meanwhile, and MiB beside the
 * heap at the most. By V8 alone, with room for 256 MB, and afterwards.
 */
const SCRIPT = `
import { PerformanceObserver } from 'node:perf_hooks';
import { giveGarbageRoom } from ${JSON.stringify(ROOM)};
let majors = 0;
new PerformanceObserver((list) => {
  majors += list.getEntries().filter(({ detail }) => detail.kind === 4).length;
}).observe({ entryTypes: ['gc'] });
async function waste() {
  const before = majors;
  const inUse = [];
  let most = 0;
  for (let i = 0; i < 1200; i++) {
    inUse[i % 80] = [new ArrayBuffer(2 ** 20), Array.from({ length: 3000 }, (_, j) => ({ j }))];
    if (i % 20 > 0) continue;
    await new Promise((resolve) => setTimeout(resolve, 1));
    most = Math.max(most, process.memoryUsage().external / 2 ** 20);
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
  return { collections: majors - before, most };
}
const alone = await waste();
const takeBack = giveGarbageRoom(2 ** 28);
await waste();
const roomy = await waste();
takeBack();
// its next full collection is still set by the room
await waste();
console.log(JSON.stringify([alone, roomy, await waste()]));
`;

it('all garbage is looked for seldom while there is room, which it never exceeds by much, and as before afterwards', () => {
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    encoding: 'utf8',
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
  });
  expect(status).toBe(0);
  const [alone, roomy, afterwards] = JSON.parse(stdout) as { collections: number; most: number }[];
  expect(roomy!.collections).toBeLessThan(0.75 * alone!.collections);
  expect(roomy!.collections).toBeGreaterThan(2);
  expect(roomy!.most).toBeLessThan(80 + 256 + 64);
  expect(afterwards!.collections).toBeGreaterThan(1.5 * roomy!.collections);
});

/** Whether an object that nobody has any more is gone, once so much was left in steps. */
async function isGoneAfter(...steps: readonly number[]): Promise<boolean> {
  const held = new WeakRef(new SharedArrayBuffer(8));
  // what a WeakRef was just made of is held until this turn is over
  await setTimeout(1);
  for (const bytes of steps) collectLeft(bytes);
  return held.deref() === undefined;
}

it('collects once a megabyte that threads share was left since the last time, and not before', async () => {
  expect(await isGoneAfter(2 ** 20 + 1)).toBe(true);
  expect(await isGoneAfter(2 ** 19, 2 ** 19)).toBe(false);
  expect(await isGoneAfter(1)).toBe(true);
});

it('counts memory that threads share, wherever it lies in plain data', () => {
  const shared = () => new Uint32Array(new SharedArrayBuffer(12));
  expect(sharedBytesIn({ kind: 'x', a: shared(), of: [shared(), { b: shared() }], own: new Uint32Array(9) })).toBe(36);
  expect(sharedBytesIn(null)).toBe(0);
});
