import { describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { createServiceFixture, ofText, type ServiceFixture } from '../../support/service/service-fixture.ts';

const base = createTextMaker(72).text(60);

describe('a thorough query', () => {
  it('takes the places of several queries while it is worked for', async () => {
    let taken = 0;
    const fixture: ServiceFixture = createServiceFixture({
      wrapStore: (store) =>
        new Proxy(store, {
          get(target, name) {
            const method: unknown = Reflect.get(target, name, target);
            if (typeof method !== 'function') return method;
            return (...asked: unknown[]): unknown => {
              if (name === 'candidates') taken = fixture.service.load.requestsInFlight;
              return method.apply(target, asked);
            };
          },
        }),
    });
    for (const [thorough, places] of [
      [true, 10],
      [false, 1],
    ] as const) {
      await fixture.similar(ofText(base), { thorough });
      expect([taken, fixture.service.load.requestsInFlight]).toEqual([places, 0]);
    }
    await fixture.close();
  });
});
