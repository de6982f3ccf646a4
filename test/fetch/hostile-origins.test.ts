import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fetcher } from '../../src/fetch/port.ts';
import { HOSTILE, type HostileBehaviour, SLOW } from '../support/fetch/hostile-behaviours.ts';
import { keptMemory } from '../support/fetch/kept-memory.ts';
import { codeOf, fetcherFor } from '../support/fetch/loopback-fetcher.ts';
import { type OriginServer, routes, startOrigin } from '../support/fetch/origin-server.ts';

const quick = HOSTILE.filter((behaviour) => !SLOW.includes(behaviour));
const LIMITS = { bytesMax: 1_000_000, concurrentMax: 4, perHostConcurrent: 4, waitingMax: 1000, turnWaitMaxMs: 60_000 };

let origin: OriginServer;
let patient: Fetcher;
let impatient: Fetcher;

beforeAll(async () => {
  const behave = routes(Object.fromEntries(HOSTILE.map((behaviour) => [pathOf(behaviour), behaviour.behave])));
  // Redirects within one behaviour lead to longer paths of the same number.
  origin = await startOrigin((socket, request) =>
    behave(socket, { ...request, path: request.path.replace(/a+$/, '') }),
  );
  // endless answers are cut here: what is left of half a megabyte still shows in the memory that is kept
  patient = fetcherFor(origin, { ...LIMITS, bytesMax: 500_000, fetchTimeoutMs: 120_000 });
  impatient = fetcherFor(origin, { ...LIMITS, fetchTimeoutMs: 500, concurrentMax: 100, perHostConcurrent: 100 });
});

afterAll(async () => {
  await Promise.all([patient.close(), impatient.close()]);
  await origin.close();
});

const pathOf = (behaviour: HostileBehaviour) => `/${HOSTILE.indexOf(behaviour)}`;

const codeFor = (fetcher: Fetcher, behaviour: HostileBehaviour) =>
  codeOf(fetcher, `http://origin.example:${origin.port}${pathOf(behaviour)}`);

describe('a server that misbehaves', () => {
  it.for(quick)('that $name ends in $code, its connection closed', async (behaviour) => {
    const before = origin.connections;
    expect(await codeFor(patient, behaviour)).toBe(behaviour.code);
    expect(origin.connections - before).toBe(
      behaviour.code === 'fetch-status' && behaviour.name.startsWith('redirects') ? 6 : 1,
    );
    await origin.idle();
    expect(origin.open).toBe(0);
  });

  it('ends by the deadline where it never ends by itself', async () => {
    const ends = await Promise.all(
      SLOW.map(async (behaviour) => [behaviour.name, await codeFor(impatient, behaviour)] as const),
    );
    expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(SLOW.map(({ name, code }) => [name, code])));
    await origin.idle();
    expect(origin.open).toBe(0);
  });

  it('costs no memory that stays, however often', async () => {
    const round = () => Promise.all(quick.map((behaviour) => codeFor(patient, behaviour)));
    for (let warmUp = 0; warmUp < 2; warmUp++) await round();
    await origin.idle();
    const before = await keptMemory();
    for (let times = 0; times < 3; times++) await round();
    await origin.idle();
    // 150 hostile answers, of which a tenth would be endless
    expect((await keptMemory()) - before).toBeLessThan(5_000_000);
  });
});
