import { hasSampleRow, sourceHash } from '../../../src/store/host-sample.ts';
import type { CandidateQuery, NewContent, SourceRange, Store, WritePlan } from '../../../src/store/port.ts';
import { TEST_RANK_KEY } from '../store/level-folder.ts';
import {
  ANY_OVERLAP,
  below,
  contentOf,
  deletePlan,
  digest,
  fingerprintsOf,
  gonePlan,
  markedContent,
  putPlan,
  samePlan,
  withoutLocator,
} from '../store/level-plans.ts';

/* Random plans and questions about a few URLs and families of contents, so that they meet one another all the time. */

const HOSTS = ['https://example.com', 'http://www.example.com:8080', 'https://a.example.org', 'http://10.0.0.1'];
/** Of one host those by which it is sampled, of which there are few. */
const SAMPLED = Array.from({ length: 100 }, (_, i) => `${HOSTS[0]}/h${i}`).filter((url) =>
  hasSampleRow(sourceHash(TEST_RANK_KEY, url)),
);
const URLS = [
  ...SAMPLED,
  ...HOSTS.flatMap((host) => Array.from({ length: 8 }, (_, i) => `${host}/p${'a'.repeat(i)}`)),
  'urn:isbn:1',
  'urn:isbn:12',
  'tag:x',
];

/** Families of contents that share none, some, most or all of their fingerprints; short, sampled and empty ones. */
const TEXTS: readonly NewContent[] = Array.from({ length: 60 }, (_, i) => {
  const family = i % 12;
  const member = Math.floor(i / 12);
  if (family === 11) return contentOf(i, fingerprintsOf(7000, member));
  const size = [3, 20, 40, 70, 90, 130, 300, 600, 1100, 8, 30][family]!;
  const shift = [0, 1, 2, Math.ceil(size / 3), size][member]!;
  const twin = family === 10 ? digest(family, 3) : undefined;
  return contentOf(i, fingerprintsOf(family * 5000 + (family === 10 ? 0 : shift), size), twin);
});

/** Some of them come with main parts, too: of one text two that differ. */
export const CONTENTS: readonly NewContent[] = [
  ...TEXTS,
  ...[13, 18, 19, 20, 32].flatMap((i) => [2, 3].map((nth) => markedContent(100 * nth + i, TEXTS[i]!, nth))),
];

const NO_KEYS = new Float64Array(0);

export function randomPlans(random: () => number, clock: { now: number }): WritePlan[] {
  return Array.from({ length: 1 + below(random, 40) }, () => {
    clock.now += below(random, 6);
    return randomPlan(random, clock.now);
  });
}

function randomPlan(random: () => number, now: number): WritePlan {
  const url = URLS[below(random, URLS.length)]!;
  // in steps, so that observations meet at the same time
  const seenAt = random() < 0.7 ? now : Math.max(0, now - below(random, 200));
  const observedAt = random() < 0.1 ? null : seenAt - (seenAt % 10);
  // a clock that was set back, or runs ahead for a while
  const off = random();
  const receivedAt = off < 0.02 ? Math.max(0, now - 400) : off < 0.04 ? now + 400 : now;
  const times = { observedAt, receivedAt };
  const kind = random();
  if (kind < 0.1) {
    const as = random() < 0.3 ? url : URLS[below(random, URLS.length)]!;
    const asAt = random() < 0.5 ? null : Math.max(0, now - below(random, 200));
    const spelling = `${url}#${below(random, 3)}`;
    return samePlan(url, as, now, { ...times, spelling, asAt, httpStatus: random() < 0.5 ? null : 200 });
  }
  if (kind < 0.78) {
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
  if (kind < 0.9) return gonePlan(url, now, { ...times, httpStatus: random() < 0.5 ? 404 : 410 });
  return deletePlan(url, now);
}

export interface Question {
  readonly name: string;
  ask(store: Store): Promise<unknown>;
}

/** Of how many candidates of a query. */
const HOLDERS_ASKED = 3;

/** What a query meets, as far as every store says the same of it, and who holds that. */
async function met(store: Store, query: CandidateQuery, limit: number) {
  const { candidates, ...set } = await store.candidates(query);
  const all = candidates.map(async ({ record, ...counts }, i) => {
    const { id, main, shingleDigest, tokenCount, shingleCount, createdAt } = record;
    const { modulus, bits, values } = record.sample;
    const holders = i < HOLDERS_ASKED ? await store.holders(record, { limit }) : null;
    const told = { id, main, shingleDigest, tokenCount, shingleCount, createdAt, modulus, bits, values };
    return { ...told, ...counts, holders };
  });
  return { candidates: await Promise.all(all), ...set };
}

/** What is known of some URLs, as far as every store says the same of it. */
async function knownOf(store: Store, urls: readonly string[]) {
  const known = await store.getMany(urls);
  return known.map((one) => {
    if (one === undefined || one === 'unreadable') return one;
    const { id, main, shingleDigest, tokenCount, shingleCount, createdAt, sample } = one.content;
    const { modulus, bits, values } = sample;
    return { source: one.source, id, main, shingleDigest, tokenCount, shingleCount, createdAt, modulus, bits, values };
  });
}

/** What stands for a host, and that it is not given again to who has it. */
async function hostContentsOf(store: Store, host: string) {
  const { sample, contents, unreadable } = await store.hostContents(host, null);
  const again = await store.hostContents(host, sample);
  const told = contents!.map(({ id, main, sample: { modulus, bits, values } }) => ({
    id,
    main,
    modulus,
    bits,
    values,
  }));
  return { told, unreadable, again: again.contents };
}

function randomRange(random: () => number, limit: number): SourceRange {
  const url = URLS[below(random, URLS.length)]!;
  const after = random() < 0.5 ? URLS[below(random, URLS.length)] : undefined;
  const host = url.startsWith('http') ? new URL(url).hostname : '';
  const of = [{}, { host }, { host: 'example.com', subdomains: true }, { prefix: url }][below(random, 4)]!;
  return { ...of, after, limit };
}

export function randomQuestion(random: () => number, now: number): Question {
  const url = URLS[below(random, URLS.length)]!;
  const content = CONTENTS[below(random, CONTENTS.length)]!;
  const limit = 1 + below(random, 6);
  switch (below(random, 9)) {
    case 0:
      return { name: 'source', ask: (store) => store.source(url) };
    case 1:
      return {
        name: 'content',
        ask: async (store) => [withoutLocator(await store.content(content.id)), await store.contentHead(content.id)],
      };
    case 2: {
      const query = { ...ANY_OVERLAP, keys: NO_KEYS, candidatesMax: limit, shingleDigest: content.shingleDigest };
      return { name: 'twins', ask: (store) => met(store, query, limit) };
    }
    case 3: {
      const page = random() < 0.5 ? { limit } : { limit, before: now - below(random, 300) };
      return { name: 'versions', ask: (store) => store.versions(url, page) };
    }
    case 4: {
      const page = random() < 0.5 ? { limit } : { limit, after: url };
      const ask = (store: Store) =>
        Promise.all([
          store.holders({ id: content.id }, page),
          store.holderCounts({ id: content.id }, 'after' in page ? [url] : []),
        ]);
      return { name: 'holders', ask };
    }
    case 5: {
      const urls = Array.from({ length: limit }, () => URLS[below(random, URLS.length)]!);
      return { name: 'many', ask: (store) => knownOf(store, urls) };
    }
    case 6: {
      const host = url.startsWith('http') ? new URL(url).hostname : 'unknown.example';
      return { name: 'hostContents', ask: (store) => hostContentsOf(store, host) };
    }
    case 7: {
      const range = randomRange(random, limit);
      return { name: 'sources', ask: async (store) => (await store.sources(range, { versionsMax: 3 })).listed };
    }
    default: {
      const keys = content.sample.fingerprints.slice(0, 1 + below(random, 24));
      const candidatesMax = below(random, 20);
      const shingleDigest = random() < 0.5 ? content.shingleDigest : null;
      const { shingleCount, sample } = content;
      const share = () => (random() < 0.4 ? null : random() / 2);
      const thresholds = { resemblance: share(), queryInMatch: share(), matchInQuery: share() };
      const undecidedAt = random() < 0.5 ? sample.modulus : null;
      const asked = { shingleCount, modulus: sample.modulus, thresholds, undecidedAt };
      const bounds = { isDeep: random() < 0.5, ...(random() < 0.5 ? { valuesMax: 1 + below(random, 200) } : {}) };
      const query = { ...asked, keys, candidatesMax, shingleDigest, ...bounds };
      return { name: 'candidates', ask: (store) => met(store, query, limit) };
    }
  }
}
