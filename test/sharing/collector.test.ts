import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectLeft, sharedBytesIn } from '../../src/sharing/collector.ts';

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
