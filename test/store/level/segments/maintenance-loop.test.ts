import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Maintenance } from '../../../../src/store/level/segments/maintenance.ts';
import { MaintenanceLoop } from '../../../../src/store/level/segments/maintenance-loop.ts';

const STEP_MS = 40;

/** Steps of a merge that end when the test says so. */
function mergeOf(steps: number, mayRest = true) {
  const begun: (() => void)[] = [];
  const maintenance = {
    mayRest,
    next: () => (begun.length === steps ? undefined : () => new Promise<void>((resolve) => void begun.push(resolve))),
    clearOne: async () => false,
  };
  const options = { idleMs: 1000, retryMs: 1000, onFailure: (error: unknown) => expect.unreachable(String(error)) };
  const loop = new MaintenanceLoop(maintenance as unknown as Maintenance, options);
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  /** Ends the step under way, which has taken STEP_MS. */
  const step = async (isAsked: boolean) => {
    await pass(STEP_MS);
    if (isAsked) loop.asked();
    begun.at(-1)!();
    await pass(0);
  };
  return { loop, pass, step, begun };
}

describe('a merge', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('rests as long as its last step took, where somebody asked meanwhile', async () => {
    const { loop, pass, step, begun } = mergeOf(3);
    loop.wake();
    await pass(0);
    await step(true);
    expect(begun).toHaveLength(1);
    await pass(STEP_MS - 1);
    expect(begun).toHaveLength(1);
    await pass(1);
    expect(begun).toHaveLength(2);
    await step(false);
    expect(begun).toHaveLength(3);
  });

  it('goes on at once where something urgent comes', async () => {
    const { loop, pass, step, begun } = mergeOf(3);
    loop.wake();
    await pass(0);
    await step(true);
    expect(begun).toHaveLength(1);
    loop.wake();
    await pass(0);
    expect(begun).toHaveLength(2);
  });

  it('does not rest where somebody waits for it', async () => {
    const { loop, pass, step, begun } = mergeOf(2, false);
    loop.wake();
    await pass(0);
    await step(true);
    expect(begun).toHaveLength(2);
  });
});
