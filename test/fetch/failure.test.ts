import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { concernsOrigin, fetchFailed, reasonOf, tellAfterMs } from '../../src/fetch/failure.ts';
import type { Fetcher } from '../../src/fetch/port.ts';
import { codeOf, errorOf, fetcherFor } from '../support/fetch/loopback-fetcher.ts';

let fetcher: Fetcher | undefined;
afterEach(() => fetcher?.close());

describe('a fetch-failed', () => {
  it('is told at the next whole step, never before it is known', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e8 }), fc.integer({ min: 1, max: 5000 }), (elapsedUs, stepMs) => {
        const elapsedMs = elapsedUs / 1000;
        const told = tellAfterMs(elapsedMs, stepMs);
        expect(told % stepMs).toBe(0);
        expect(told).toBeGreaterThanOrEqual(elapsedMs);
        expect(told - elapsedMs).toBeLessThan(stepMs);
      }),
      { seed: 4 },
    );
    expect(tellAfterMs(123.4, 0)).toBe(123.4);
  });

  it('takes a step even where the address alone is refused', async () => {
    fetcher = fetcherFor({ port: 80 }, { failureStepMs: 150, privateAllowed: [] });
    const startedMs = performance.now();
    expect(await codeOf(fetcher, 'http://127.0.0.1/')).toBe('fetch-failed');
    // a timer may fire a little early
    expect(performance.now() - startedMs).toBeGreaterThan(145);
  });

  it('is told by the deadline at the latest, and not at all to a caller who gives up', async () => {
    fetcher = fetcherFor({ port: 80 }, { failureStepMs: 10_000_000, fetchTimeoutMs: 50, privateAllowed: [] });
    expect(await codeOf(fetcher, 'http://127.0.0.1/')).toBe('fetch-failed');
    const patient = fetcherFor(
      { port: 80 },
      { failureStepMs: 10_000_000, fetchTimeoutMs: 9_000_000, privateAllowed: [] },
    );
    const controller = new AbortController();
    const code = codeOf(patient, 'http://127.0.0.1/', { purpose: 'look-up', signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    expect(await code).toBe('deadline-exceeded');
    await patient.close();
  });

  it('says by nothing whether it came before a caller gave up: not by its code, not by what is remembered', async () => {
    const resolved: string[] = [];
    const resolver = {
      resolve: (name: string) => {
        resolved.push(name);
        return Promise.resolve(name === 'slow.example' ? new Promise<never>(() => {}) : []);
      },
    };
    const limits = { failureStepMs: 200, failureMemoryMs: 60_000, connectTimeoutMs: 150, perHostIntervalMs: 100 };
    fetcher = fetcherFor({ port: 80 }, { ...limits, resolver });
    const ask = async (name: string, giveUpMs: number) => {
      const startedMs = performance.now();
      const signal = AbortSignal.timeout(giveUpMs);
      const error = await errorOf(fetcher!, `http://${name}/`, { purpose: 'look-up', signal });
      return {
        code: error?.code,
        retryAfterS: error?.retryAfterS,
        steps: Math.ceil((performance.now() - startedMs - 30) / 200),
      };
    };
    for (const name of ['none.example', 'slow.example']) {
      expect(await ask(name, 20)).toMatchObject({ code: 'deadline-exceeded', retryAfterS: undefined });
      expect(await ask(name, 10_000)).toMatchObject({ code: 'fetch-failed', retryAfterS: undefined });
    }
    // both were asked for twice: what nobody was told was not remembered; now it is, and is told no other way
    expect(resolved).toEqual(['none.example', 'none.example', 'slow.example', 'slow.example']);
    for (const name of ['none.example', 'slow.example'])
      expect(await ask(name, 10_000)).toEqual({ code: 'fetch-failed', retryAfterS: undefined, steps: 1 });
    expect(resolved.length).toBe(4);
  });

  it('concerns the origin where there was no connection, else the URL alone', () => {
    const concerned = (['dns', 'connect', 'connect-timeout', 'tls', 'address'] as const).map((reason) =>
      concernsOrigin(fetchFailed(reason, 'a.example')),
    );
    expect(concerned).toEqual([true, true, true, true, true]);
    expect(concernsOrigin(fetchFailed('truncated', 'a.example'))).toBe(false);
    expect(concernsOrigin(new ShingledError('fetch-status', 'The server answered with status 500.'))).toBe(false);
  });

  it('has its reason for the log, as others have their code', () => {
    expect(reasonOf(fetchFailed('tls', 'a.example'))).toBe('tls');
    expect(reasonOf(new ShingledError('fetch-timeout', 'The server took too long.'))).toBe('fetch-timeout');
  });
});

describe('a fetch-failed of a command', () => {
  it('says why, at once', async () => {
    fetcher = fetcherFor({ port: 80 }, { failureStepMs: 10_000_000, privateAllowed: [], tellsReasons: true });
    expect(await errorOf(fetcher, 'http://127.0.0.1/')).toMatchObject({
      code: 'fetch-failed',
      message:
        'Fetching from 127.0.0.1 failed: its address is not public; FETCH_ALLOWED_PRIVATE allows networks that are not.',
    });
    await fetcher.close();
    const resolver = { resolve: async () => [] };
    fetcher = fetcherFor({ port: 80 }, { resolver, tellsReasons: true });
    const again = [await errorOf(fetcher, 'http://no.example/a'), await errorOf(fetcher, 'http://no.example/b')];
    for (const error of again) expect(error?.message).toBe('Fetching from no.example failed: the name has no address.');
  });
});
