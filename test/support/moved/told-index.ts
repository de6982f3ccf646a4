import { afterEach, beforeEach, expect } from 'vitest';
import type { PutRequest } from '../../../src/service/api.ts';
import type { MovedAnswer, MovedOptions } from '../../../src/service/moved/moved-api.ts';
import { DEFAULT_MOVED_OPTIONS } from '../../../src/service/moved/moved-options.ts';
import type { StoreSettings } from '../../../src/store/settings.ts';
import { createTextMaker } from '../core/make-documents.ts';
import { ALL, createServiceFixture, type ServiceFixture, START_MS } from '../service/service-fixture.ts';
import { operationOf } from './sightings.ts';

/* An index that is told of what was seen on day 0, 1, 2 …, and asked where documents are; a new one for each test. */

export const DAY = 86_400_000;
export const at = (path: string, host = 'a.example') => `https://${host}/${path}`;
export const OLD = at('docs/old.html');
export const NEW = at('manual/new.html');
export const textOf = (seed: number, words = 120) => createTextMaker(seed).text(words);
export const DOCUMENT = textOf(1);

/** A word changed in so many: of shingles of five words five are others for each. */
export const edited = (text: string, every: number) =>
  text
    .split(' ')
    .map((word, i) => (i % every === every - 1 ? `${word}x` : word))
    .join(' ');

export const brief = ({ candidates }: MovedAnswer) => candidates.map(({ url, how, sure }) => [url, how, sure]);

/** In a test file, before its tests. */
export function eachWithAnIndex() {
  let fixture: ServiceFixture;
  const timeOf = (day: number) => START_MS + (day - 30) * DAY;
  beforeEach(() => {
    fixture = createServiceFixture();
  });
  afterEach(() => fixture.close());
  return {
    again: async (settings: Partial<StoreSettings>) => {
      await fixture.close();
      fixture = createServiceFixture({ settings });
    },
    put: (day: number, url: string, text: string, more: Partial<PutRequest> = {}) =>
      fixture.put(url, text, { observedAt: timeOf(day), ...more }),
    gone: (day: number, url: string) => fixture.service.gone({ url, httpStatus: 404, observedAt: timeOf(day) }, ALL),
    forget: (url: string) => fixture.service.forget(url, ALL),
    /** As a fetch that was led elsewhere tells it. */
    led: async (day: number, url: string, finalUrl: string, text: string) => {
      const operation = operationOf({ url, time: timeOf(day), text, finalUrl });
      async function* lines() {
        yield { line: 1, operation };
      }
      for await (const answer of fixture.service.bulk(lines(), ALL)) expect(answer.status).toBeLessThan(300);
    },
    ask: (url = OLD, more: Partial<MovedOptions> = {}): Promise<MovedAnswer> =>
      fixture.service.moved({ url, ...DEFAULT_MOVED_OPTIONS, deadlineMs: 20_000, ...more }, ALL),
  };
}
