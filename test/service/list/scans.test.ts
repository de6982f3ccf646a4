import { describe, expect, it, onTestFinished } from 'vitest';
import type { Access } from '../../../src/service/api.ts';
import type { Service } from '../../../src/service/service.ts';
import { ALL, createServiceFixture } from '../../support/service/service-fixture.ts';
import { withMethods } from '../../support/store/store-methods.ts';

/* How lists share what they read: a few steps at a time, of each caller no more than he leaves free, and none for nobody. */

const PAGE = { limit: 1000, cursor: null };
const LISTS: Readonly<Record<string, (service: Service, access: Access, signal?: AbortSignal) => Promise<unknown>>> = {
  list: (service, access, signal) => service.list({ state: 'gone' }, PAGE, access, signal),
  hosts: (service, access, signal) => service.countByHost({}, PAGE, access, signal),
  changes: (service, access, signal) => service.changesByHost({}, PAGE, access, signal),
  'a dry run': (service, access, signal) =>
    service.forgetSelected({ state: 'live' }, { dryRun: true, confirm: null }, access, signal),
};

/** A service that has 5,000 documents, or so the store says of steps; each waits a while. */
function watchedService() {
  const seen = { underWay: 0, most: 0, steps: 0 };
  const step = async <T>(page: (at: number) => T): Promise<T> => {
    const at = seen.steps++;
    seen.most = Math.max(seen.most, ++seen.underWay);
    await new Promise((resolve) => void setImmediate(resolve));
    seen.underWay--;
    return page(at);
  };
  const fixture = createServiceFixture({
    wrapStore: withMethods(() => ({
      sources: () => step((at) => ({ listed: [], after: `https://a.example/${at}` })),
      sourceUrls: () => step((at) => ({ urls: [], after: `https://a.example/${at}` })),
    })),
  });
  onTestFinished(() => fixture.close());
  return { seen, service: fixture.service };
}

describe.each(Object.keys(LISTS))('steps of %s', (name) => {
  it('are read for nobody who has gone, and no more than two of one caller at a time', async () => {
    const { seen, service } = watchedService();
    const gone = new AbortController();
    const asked = Array.from({ length: 30 }, () => LISTS[name]!(service, ALL, gone.signal));
    const settled = Promise.allSettled(asked);
    while (seen.steps < 100) await new Promise((resolve) => void setImmediate(resolve));
    gone.abort();
    const stepsThen = seen.steps;
    for (const { status } of await settled) expect(status).toBe('rejected');
    expect(seen.steps - stepsThen).toBeLessThanOrEqual(2);
    expect(seen.most).toBe(2);
  });
});
