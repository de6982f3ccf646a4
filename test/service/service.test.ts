import { describe, expect, it } from 'vitest';
import type { ServiceLimits } from '../../src/service/limits.ts';
import { createSweep } from '../../src/service/upkeep/sweep.ts';
import type { Store } from '../../src/store/port.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { createServiceFixture, SHINGLE_SIZE, START_MS } from '../support/service/service-fixture.ts';

const make = createTextMaker(95);

describe('stats', () => {
  it('say what the index is and holds', async () => {
    const fixture = createServiceFixture();
    await fixture.put('urn:1', make.text(20));
    fixture.clock.nowMs += 90_500;
    expect(await fixture.service.stats()).toEqual({
      version: '1.2.3',
      fingerprintId: fixture.store.description.fingerprintId,
      kernel: 'wasm',
      shingleSize: SHINGLE_SIZE,
      indexModulusMax: 8,
      recordModulusMax: 4,
      createdAt: new Date(START_MS).toISOString(),
      sources: 1,
      contents: 1,
      postings: 16,
      diskBytes: null,
      freeBytes: null,
      writable: true,
      uptimeS: 90,
      index: null,
      damage: null,
      upkeep: null,
    });
    await fixture.close();
  });
});

describe('the sweep', () => {
  const LIMITS: Pick<ServiceLimits, 'sweepIntervalMs' | 'sweepMax'> = { sweepIntervalMs: 3_600_000, sweepMax: 10 };
  type Swept = Awaited<ReturnType<Store['sweep']>>;

  /** A store that only sweeps, as told. */
  function sweeper(answer: (call: number) => Promise<Swept>) {
    const calls: [number, number][] = [];
    const sweep = (now: number, limit: number) => answer(calls.push([now, limit]));
    return { calls, store: { sweep, newestContentAt: async () => null } as unknown as Store };
  }

  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
  };

  it('forgets what has run out at once, and goes on while there is more', async () => {
    const { store, calls } = sweeper(async (call) => ({ examined: call < 3 ? 10 : 4, forgotten: 1 }));
    const sweep = createSweep({ store, limits: LIMITS, now: () => 17 });
    sweep.start();
    sweep.start();
    await until(() => calls.length === 3);
    await sweep.stop();
    expect(calls).toEqual([1, 2, 3].map(() => [17, 10]));
  });

  it('goes on after a failure, which it reports', async () => {
    const faults: unknown[] = [];
    const { store, calls } = sweeper(async (call) => {
      if (call === 1) throw new Error('planted');
      return { examined: 0, forgotten: 0 };
    });
    const limits = { ...LIMITS, sweepIntervalMs: 1 };
    const sweep = createSweep({ store, limits, now: () => 0, onFault: (fault) => faults.push(fault) });
    sweep.start();
    await until(() => calls.length >= 3);
    await sweep.stop();
    expect(faults).toEqual([new Error('planted')]);
  });

  it('ends with the one under way', async () => {
    let finish: ((swept: Swept) => void) | undefined;
    const { store, calls } = sweeper(() => new Promise((resolve) => (finish = resolve)));
    const sweep = createSweep({ store, limits: LIMITS, now: () => 0 });
    await sweep.stop();
    sweep.start();
    await until(() => calls.length === 1);
    let stopped = false;
    const stopping = sweep.stop().then(() => {
      stopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    finish?.({ examined: 10, forgotten: 0 });
    await stopping;
    expect(calls).toHaveLength(1);
  });

  it('forgets nothing by a clock that has jumped ahead', async () => {
    let elapsed = 0;
    const ahead: number[] = [];
    const { store, calls } = sweeper(async () => ({ examined: 0, forgotten: 0 }));
    const clock = { now: 1e12 };
    const limits = { ...LIMITS, sweepIntervalMs: 1 };
    const parts = { store, limits, now: () => clock.now, elapsed: () => elapsed };
    const sweep = createSweep({ ...parts, onClockAhead: (ms) => ahead.push(ms) });
    sweep.start();
    await until(() => calls.length >= 1);
    clock.now += 4e10;
    await until(() => ahead.length > 0);
    expect(ahead).toEqual([4e10]);
    expect(calls.every(([time]) => time === 1e12)).toBe(true);
    elapsed += 86_400_000;
    await until(() => calls.at(-1)![0] === clock.now);
    await sweep.stop();
  });

  it('forgets a past content of a service that runs', async () => {
    const fixture = createServiceFixture({
      settings: { retention: { pastContentsMax: 1, pastMs: 1000, pastResemblanceMax: 0.9, versionsMax: 9 } },
    });
    await fixture.put('urn:1', make.text(20));
    fixture.clock.nowMs += 10;
    await fixture.put('urn:1', make.text(20));
    fixture.clock.nowMs += 10_000;
    expect((await fixture.service.stats()).contents).toBe(2);
    fixture.service.start();
    while ((await fixture.service.stats()).contents > 1) await new Promise((resolve) => setTimeout(resolve, 1));
    await fixture.close();
  });
});
