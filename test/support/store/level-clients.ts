import type { WritePlan } from '../../../src/store/port.ts';
import type { StoreSettings } from '../../../src/store/settings.ts';
import { RETENTION_DEFAULT } from '../../../src/store/settings.ts';
import { TEST_RANK_KEY } from './level-folder.ts';
import { below, contentOf, deletePlan, fingerprintsOf, gonePlan, putPlan, randomFrom } from './level-plans.ts';

/** Clients that write at once, each into sources and contents of its own, so that each can be verified by itself. */
export const CLIENTS = 12;
const URLS_A_CLIENT = 12;
const CONTENTS_A_CLIENT = 60;

export const CRASH_SETTINGS: StoreSettings = {
  rankKey: TEST_RANK_KEY,
  retention: { ...RETENTION_DEFAULT, pastContentsMax: 1, versionsMax: 5 },
};

/** Segments so small that some are flushed and merged in every life of a process. */
export const CRASH_OPTIONS = {
  ...CRASH_SETTINGS,
  segments: { flushContents: 25, idleMs: 20 },
} as const;

export const urlsOf = (client: number) =>
  Array.from({ length: URLS_A_CLIENT }, (_, i) => `https://client${client}.example/${i}`);

/** The n-th operation of a client: always the same. */
export function operation(seed: number, client: number, n: number): WritePlan {
  const random = randomFrom(seed * 1_000_003 + client * 7919 + n * 31);
  const url = urlsOf(client)[below(random, URLS_A_CLIENT)]!;
  const time = 1_000_000 + n * 10;
  const kind = random();
  if (kind < 0.1) return deletePlan(url, time);
  if (kind < 0.18) return gonePlan(url, time);
  const number = client * 1000 + below(random, CONTENTS_A_CLIENT);
  const content = contentOf(number, fingerprintsOf(number * 200, 5 + (number % 30)));
  const observedAt = random() < 0.2 ? time - below(random, 400) : time;
  return putPlan(url, content, time, { observedAt, meta: { n } });
}
