import type { CandidateQuery, Holder, NewContent, Store } from '../../../src/store/port.ts';
import { RETENTION_DEFAULT, type Retention, type StoreSettings } from '../../../src/store/settings.ts';
import { TEST_RANK_KEY } from '../../support/store/level-folder.ts';
import { ANY_OVERLAP, contentOf, fingerprintsOf, postedOf, putPlan } from '../../support/store/level-plans.ts';

/** Gives an empty store, and what it takes to throw it away. */
export type OpenStore = (settings: StoreSettings) => Promise<{ store: Store; close: () => Promise<void> }>;

export type StoreFixture = ReturnType<typeof createFixture>;

/** One store at a time, and the questions that every part of the contract asks it. */
export function createFixture(open: OpenStore) {
  let opened: Awaited<ReturnType<OpenStore>> | undefined;
  const current = (): Store => {
    if (opened === undefined) throw new Error('start() comes first');
    return opened.store;
  };
  const holders = async (content: NewContent): Promise<readonly Holder[]> =>
    current().holders({ id: content.id }, { limit: 100 });
  return {
    get store(): Store {
      return current();
    },
    start: async (retention: Partial<Retention> = {}, listPostingsMax?: number) => {
      await opened?.close();
      const limits = listPostingsMax === undefined ? {} : { listPostingsMax };
      const settings = { rankKey: TEST_RANK_KEY, retention: { ...RETENTION_DEFAULT, ...retention }, ...limits };
      opened = await open(settings);
    },
    end: async () => opened?.close(),
    text: (number: number, size = 40) => contentOf(number, fingerprintsOf(number * 10_000, size)),
    put: (url: string, content: NewContent, time: number, more = {}) =>
      current().apply(putPlan(url, content, time, more)),
    holders,
    urlsAndStates: async (content: NewContent) => (await holders(content)).map(({ url, state }) => [url, state]),
    history: async (url: string) =>
      (await current().versions(url, { limit: 100 })).map(({ observedAt, state, contentId }) => [
        observedAt,
        state,
        contentId,
      ]),
    lookUp: (content: NewContent, candidatesMax = 100, more: Partial<CandidateQuery> = {}) =>
      current().candidates({ keys: postedOf(content, 8), candidatesMax, ...ANY_OVERLAP, ...more }),
    /** The contents with the same set of shingles, though they share none of the look-ups. */
    twins: async ({ shingleDigest }: Pick<NewContent, 'shingleDigest'>, candidatesMax = 100) => {
      const query = { ...ANY_OVERLAP, keys: new Float64Array(0), candidatesMax, shingleDigest };
      const { candidates, twinsCut } = await current().candidates(query);
      return { ids: candidates.map(({ record }) => record.id), twinsCut };
    },
    counts: async () => {
      const { sources, contents, postings } = await current().stats();
      return { sources, contents, postings };
    },
  };
}
