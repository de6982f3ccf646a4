import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { MemoryStore } from '../../src/store/memory-store.ts';
import type { NewContent, Retention, Store, WriteOutcome, WritePlan } from '../../src/store/port.ts';
import { openFolder, TEST_DESCRIPTION, TEST_RANK_KEY } from '../support/level-folder.ts';
import {
  ANY_OVERLAP,
  below,
  contentOf,
  deletePlan,
  digest,
  fingerprintsOf,
  gonePlan,
  putPlan,
  randomFrom,
  seenPlan,
} from '../support/level-plans.ts';
import { problemsOf } from '../support/level-rows.ts';

/*
 * LevelDB against memory: random plans, sweeps, reads and reopenings, and the same answer to every one. Plans go to the
 * committer several at a time, so that they meet in one batch.
 */

const OPERATIONS = 50_000;
const SEED = 20_260_713;
/** Small, so that past contents, versions and common lists run over all the time. */
const RETENTION: Retention = { pastContentsMax: 2, pastMs: 120, pastResemblanceMax: 0.9, versionsMax: 4 };
const SETTINGS = { rankKey: TEST_RANK_KEY, retention: RETENTION, listPostingsMax: 3 };

const HOSTS = ['https://example.com', 'http://www.example.com:8080', 'https://a.example.org', 'http://10.0.0.1'];
const URLS = [
  ...HOSTS.flatMap((host) => Array.from({ length: 8 }, (_, i) => `${host}/p${'a'.repeat(i)}`)),
  'urn:isbn:1',
  'urn:isbn:12',
  'tag:x',
];

/** Families of contents that share none, some, most or all of their fingerprints; short, sampled and empty ones. */
const CONTENTS: NewContent[] = Array.from({ length: 60 }, (_, i) => {
  const family = i % 12;
  const member = Math.floor(i / 12);
  if (family === 11) return contentOf(i, fingerprintsOf(7000, member));
  const size = [3, 20, 40, 70, 90, 130, 300, 600, 1100, 8, 30][family]!;
  const shift = [0, 1, 2, Math.ceil(size / 3), size][member]!;
  const twin = family === 10 ? digest(family, 3) : undefined;
  return contentOf(i, fingerprintsOf(family * 5000 + (family === 10 ? 0 : shift), size), twin);
});

const NO_KEYS = new Float64Array(0);

const folder = mkdtempSync(join(tmpdir(), 'shingled-model-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** So small that postings go into segments, are merged and cut, and their contents forgotten, all the time. */
const SEGMENTS = { flushContents: 12, flushPostings: 700, keptPostingsMax: 9, idleMs: 5 };

const open = () => openFolder(folder, { ...SETTINGS, segments: SEGMENTS });

it(`gives the answers of the memory store to ${OPERATIONS} random operations (seed ${SEED})`, {
  timeout: 120_000,
}, async () => {
  const random = randomFrom(SEED);
  const memory = new MemoryStore(TEST_DESCRIPTION, SETTINGS);
  let level = await open();
  let now = 1000;
  let done = 0;
  const seen = new Map<string, number>();
  while (done < OPERATIONS) {
    const what = random();
    if (what < 0.4) {
      const plans = Array.from({ length: 1 + below(random, 40) }, () => {
        now += below(random, 6);
        return randomPlan(random, now);
      });
      const expected: WriteOutcome[] = [];
      for (const plan of plans) expected.push(await memory.apply(plan));
      const outcomes = await Promise.all(plans.map((plan) => level.apply(plan)));
      expect(outcomes, `after ${done} operations`).toEqual(expected);
      for (const { status } of outcomes) seen.set(status, (seen.get(status) ?? 0) + 1);
      done += plans.length;
    } else if (what < 0.44) {
      const limit = 1 + below(random, 10);
      const at = now - below(random, 50);
      expect(await level.sweep(at, limit), `sweep after ${done}`).toEqual(await memory.sweep(at, limit));
      done++;
    } else if (what < 0.444) {
      await level.close();
      level = await open();
      done++;
    } else {
      const questions = Array.from({ length: 24 }, () => randomQuestion(random, now));
      const answers = await Promise.all(questions.map((ask) => ask(level)));
      for (const [i, ask] of questions.entries()) {
        const expected = await ask(memory);
        // vitest's own comparison is slow on samples, so it only explains a difference
        if (isDeepStrictEqual(answers[i], expected)) continue;
        expect(answers[i], `after ${done} operations: ${ask}`).toEqual(expected);
      }
      done += questions.length;
      const { sources, contents, postings } = await level.stats();
      expect(await memory.stats()).toMatchObject({ sources, contents, postings });
    }
  }
  await level.close();
  expect(await problemsOf(folder)).toEqual([]);
  // every outcome was met, or the plans were not the ones that matter
  expect([...seen.keys()].sort()).toEqual(
    ['created', 'deleted', 'gone', 'history', 'stale', 'unchanged', 'unknown', 'updated'].sort(),
  );
});

function randomPlan(random: () => number, now: number): WritePlan {
  const url = URLS[below(random, URLS.length)]!;
  // in steps, so that observations meet at the same time
  const seenAt = random() < 0.7 ? now : Math.max(0, now - below(random, 200));
  const observedAt = seenAt - (seenAt % 10);
  const times = { observedAt, receivedAt: now };
  const kind = random();
  if (kind < 0.62) {
    const content = CONTENTS[below(random, CONTENTS.length)]!;
    // few bytes a content, so that the same ones come again
    const bytesDigest = digest(below(random, 2), 4).slice(0, 24) + content.id.slice(-8);
    return putPlan(url, content, now, {
      ...times,
      bytesDigest,
      spelling: `${url}#${below(random, 3)}`,
      httpStatus: random() < 0.2 ? null : 200 + below(random, 3),
      finalUrl: random() < 0.3 ? `${url}?final` : null,
      title: random() < 0.5 ? `Title ${below(random, 5)} é` : null,
      language: random() < 0.5 ? 'en' : null,
      meta: random() < 0.2 ? { tag: below(random, 5), text: 'ü' } : null,
    });
  }
  if (kind < 0.76) {
    const content = CONTENTS[below(random, CONTENTS.length)]!;
    const bytesDigest = digest(below(random, 2), 4).slice(0, 24) + content.id.slice(-8);
    return seenPlan(url, bytesDigest, now, { ...times, meta: random() < 0.3 ? { seen: now } : null });
  }
  if (kind < 0.9) return gonePlan(url, now, { ...times, httpStatus: random() < 0.5 ? 404 : 410 });
  return deletePlan(url, now);
}

function randomQuestion(random: () => number, now: number): (store: Store) => Promise<unknown> {
  const url = URLS[below(random, URLS.length)]!;
  const content = CONTENTS[below(random, CONTENTS.length)]!;
  const limit = 1 + below(random, 6);
  switch (below(random, 6)) {
    case 0:
      return (store) => store.source(url);
    case 1:
      return (store) => store.content(content.id);
    case 2:
      return (store) =>
        store.candidates({ ...ANY_OVERLAP, keys: NO_KEYS, candidatesMax: limit, shingleDigest: content.shingleDigest });
    case 3: {
      const page = random() < 0.5 ? { limit } : { limit, before: now - below(random, 300) };
      return (store) => store.versions(url, page);
    }
    case 4: {
      const page = random() < 0.5 ? { limit } : { limit, after: url };
      return (store) => store.holders(content.id, page);
    }
    default: {
      const keys = content.sample.fingerprints.slice(0, 1 + below(random, 24));
      const candidatesMax = below(random, 20);
      const shingleDigest = random() < 0.5 ? content.shingleDigest : null;
      const [least, perShingle] = [below(random, 3), random() / 4];
      const overlapNeeded = (shares: Float64Array) => ({
        least: Math.max(0, least - shares.filter((share) => share < 1).length),
        of: (shingleCount: number) =>
          shingleCount === 20 ? Number.POSITIVE_INFINITY : least + perShingle * shingleCount,
      });
      return (store) => store.candidates({ keys, candidatesMax, shingleDigest, overlapNeeded });
    }
  }
}
