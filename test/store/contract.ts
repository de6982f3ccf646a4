import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postedFingerprints } from '../../src/store/contents.ts';
import type { Holder, NewContent, Retention, Store } from '../../src/store/port.ts';
import { RETENTION_DEFAULT, type StoreSettings } from '../../src/store/settings.ts';
import { TEST_RANK_KEY } from '../support/level-folder.ts';
import { contentOf, deletePlan, digest, fingerprintsOf, gonePlan, putPlan, seenPlan } from '../support/level-plans.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';
const DAY = 24 * 3_600_000;

/** What every store owes to the service. `open` gives an empty one; `close` whatever it needs to be thrown away. */
export function describeStore(
  name: string,
  open: (settings: StoreSettings) => Promise<{ store: Store; close: () => Promise<void> }>,
): void {
  describe(name, () => {
    let store: Store;
    let close: () => Promise<void>;

    const start = async (retention: Partial<Retention> = {}, listPostingsMax?: number) => {
      await close?.();
      const limits = listPostingsMax === undefined ? {} : { listPostingsMax };
      const settings = { rankKey: TEST_RANK_KEY, retention: { ...RETENTION_DEFAULT, ...retention }, ...limits };
      ({ store, close } = await open(settings));
    };
    beforeEach(() => start());
    afterEach(() => close());

    const text = (number: number, size = 40) => contentOf(number, fingerprintsOf(number * 10_000, size));
    const put = (url: string, content: NewContent, time: number, more = {}) =>
      store.apply(putPlan(url, content, time, more));
    const holders = async (content: NewContent): Promise<readonly Holder[]> =>
      store.holders(content.id, { limit: 100 });
    const urlsAndStates = async (content: NewContent) => (await holders(content)).map(({ url, state }) => [url, state]);
    const history = async (url: string) =>
      (await store.versions(url, { limit: 100 })).map(({ observedAt, state, contentId }) => [
        observedAt,
        state,
        contentId,
      ]);
    const lookUp = (content: NewContent, candidatesMax = 100) =>
      store.candidates({ keys: postedFingerprints(content, 8), candidatesMax });
    const counts = async () => {
      const { sources, contents, postings } = await store.stats();
      return { sources, contents, postings };
    };

    it('knows nothing at first', async () => {
      expect(await store.source(A)).toBeUndefined();
      expect(await store.content(digest(1, 1))).toBeUndefined();
      expect(await store.versions(A, { limit: 10 })).toEqual([]);
      expect(await holders(text(1))).toEqual([]);
      expect(await store.contentsByShingleDigest(digest(1, 2))).toEqual([]);
      expect(await lookUp(text(1))).toEqual({
        candidates: [],
        found: 0,
        cappedShares: new Float64Array(),
        unreadable: 0,
      });
      expect(await counts()).toEqual({ sources: 0, contents: 0, postings: 0 });
      expect([store.writable, store.damaged]).toEqual([true, false]);
    });

    it('gives back what was put, whole', async () => {
      const content = text(1, 2000);
      const outcome = await put(A, content, 1000, {
        receivedAt: 1500,
        spelling: 'HTTPS://A.EXAMPLE',
        httpStatus: 203,
        finalUrl: B,
        title: 'Überschrift',
        language: 'de',
        meta: { nested: { list: [1, null, 'é'] } },
      });
      expect(outcome).toEqual({ status: 'created', contentId: content.id, contentIsNew: true });
      expect(await store.source(A)).toEqual({
        url: A,
        spelling: 'HTTPS://A.EXAMPLE',
        state: 'live',
        contentId: content.id,
        httpStatus: 203,
        firstSeen: 1000,
        lastSeen: 1000,
        observedAt: 1000,
        bytesDigest: content.id,
        finalUrl: B,
        title: 'Überschrift',
        language: 'de',
        meta: { nested: { list: [1, null, 'é'] } },
      });
      expect(await store.content(content.id)).toEqual({ ...content, createdAt: 1500 });
      expect(content.sample.modulus).toBe(4);
      expect(await store.contentsByShingleDigest(content.shingleDigest)).toEqual([content.id]);
      const posted = content.sample.fingerprints.filter((value) => value % 8 === 0).length;
      expect(await counts()).toEqual({ sources: 1, contents: 1, postings: posted });
    });

    it('holds one content for all sources of the same words, listed by host and URL', async () => {
      const urls = [
        'urn:x:1',
        'http://10.0.0.1/',
        'https://example.com/b',
        'https://example.com/a',
        'https://www.example.com/',
      ];
      const statuses = [];
      for (const url of urls)
        statuses.push((await put(url, text(1), 1000, { bytesDigest: digest(urls.indexOf(url)) })).contentIsNew);
      expect(statuses).toEqual([true, false, false, false, false]);
      expect(await counts()).toEqual({ sources: 5, contents: 1, postings: 40 });
      const listed = (await holders(text(1))).map(({ url }) => url);
      expect(listed).toEqual([
        'urn:x:1',
        'http://10.0.0.1/',
        'https://example.com/a',
        'https://example.com/b',
        'https://www.example.com/',
      ]);
      const page = await store.holders(text(1).id, { limit: 2, after: 'http://10.0.0.1/' });
      expect(page.map(({ url }) => url)).toEqual(listed.slice(2, 4));
      expect(await store.holders(text(1).id, { limit: 2, after: listed[4]! })).toEqual([]);
    });

    it('takes the same bytes again as one more sighting and no new version', async () => {
      await put(A, text(1), 1000, { meta: { kept: true } });
      const again = { status: 'unchanged', contentId: text(1).id, contentIsNew: false };
      expect(await store.apply(seenPlan(A, text(1).id, 2000))).toEqual(again);
      expect(await put(A, text(1), 3000)).toEqual(again);
      expect(await store.source(A)).toMatchObject({
        firstSeen: 1000,
        lastSeen: 3000,
        observedAt: 3000,
        meta: { kept: true },
      });
      expect(await history(A)).toEqual([[1000, 'live', text(1).id]]);
      expect(await holders(text(1))).toMatchObject([{ firstSeen: 1000, lastSeen: 3000 }]);
    });

    it('makes a version of other bytes with the same words', async () => {
      await put(A, text(1), 1000);
      expect(await put(A, text(1), 2000, { bytesDigest: digest(9), title: 'new' })).toMatchObject({
        status: 'unchanged',
      });
      expect(await history(A)).toEqual([
        [2000, 'live', text(1).id],
        [1000, 'live', text(1).id],
      ]);
      expect(await store.source(A)).toMatchObject({ bytesDigest: digest(9), title: 'new' });
    });

    it('asks for a put where bytes that were seen are not the present ones', async () => {
      expect(await store.apply(seenPlan(A, digest(1), 1000))).toEqual({
        status: 'stale',
        contentId: null,
        contentIsNew: false,
      });
      await put(A, text(1), 1000);
      expect(await store.apply(seenPlan(A, digest(1), 2000))).toMatchObject({ status: 'stale', contentId: text(1).id });
      expect(await store.source(A)).toMatchObject({ lastSeen: 1000 });
    });

    it('keeps the old content of an updated source as past, and finds it', async () => {
      await put(A, text(1), 1000, { title: 'old' });
      const outcome = await put(A, text(2), 5000, { title: 'new' });
      expect(outcome).toEqual({ status: 'updated', contentId: text(2).id, contentIsNew: true });
      expect(await holders(text(1))).toMatchObject([
        { url: A, state: 'past', firstSeen: 1000, lastSeen: 1000, title: 'old' },
      ]);
      expect(await holders(text(2))).toMatchObject([{ url: A, state: 'live', firstSeen: 5000, title: 'new' }]);
      expect((await lookUp(text(1))).candidates.map(({ record }) => record.id)).toEqual([text(1).id]);
      expect(await store.source(A)).toMatchObject({ firstSeen: 1000, lastSeen: 5000, contentId: text(2).id });
    });

    it('drops an old content at once where the new one hardly differs, and says so in its versions', async () => {
      const [before, after] = [contentOf(1, fingerprintsOf(0, 100)), contentOf(2, fingerprintsOf(4, 100))];
      await put(A, before, 1000);
      await put(A, after, 2000);
      expect(await store.content(before.id)).toBeUndefined();
      expect(await counts()).toMatchObject({ contents: 1 });
      expect(
        (await store.versions(A, { limit: 9 })).map(({ contentId, contentKept }) => [contentId, contentKept]),
      ).toEqual([
        [after.id, true],
        [before.id, false],
      ]);
      // a content that comes again is a new one, but the version knows its name
      await put(B, before, 3000);
      expect((await store.versions(A, { limit: 9 })).map(({ contentKept }) => contentKept)).toEqual([true, true]);
    });

    it('keeps so many past contents a source, those seen last', async () => {
      for (let i = 1; i <= 6; i++) await put(A, text(i), i * 1000);
      expect(await counts()).toMatchObject({ contents: 4 });
      for (const gone of [1, 2]) expect(await store.content(text(gone).id)).toBeUndefined();
      for (const past of [3, 4, 5]) expect(await urlsAndStates(text(past))).toEqual([[A, 'past']]);
      await start({ pastContentsMax: 0 });
      for (let i = 1; i <= 3; i++) await put(A, text(i), i * 1000);
      expect(await counts()).toMatchObject({ contents: 1 });
    });

    it('lets a content come back from the past', async () => {
      await put(A, text(1), 1000);
      await put(A, text(2), 2000);
      expect(await put(A, text(1), 3000)).toEqual({ status: 'updated', contentId: text(1).id, contentIsNew: false });
      expect(await holders(text(1))).toMatchObject([{ state: 'live', firstSeen: 1000, lastSeen: 3000 }]);
      expect(await urlsAndStates(text(2))).toEqual([[A, 'past']]);
      expect(await counts()).toMatchObject({ contents: 2 });
    });

    it('enters an older sighting into the history and leaves the present alone', async () => {
      await put(A, text(1), 5000, { meta: { mine: 1 } });
      const outcome = await put(A, text(2), 1000, { receivedAt: 6000, meta: { older: 1 } });
      expect(outcome).toEqual({ status: 'history', contentId: text(1).id, contentIsNew: true });
      expect(await store.source(A)).toMatchObject({
        contentId: text(1).id,
        firstSeen: 1000,
        lastSeen: 5000,
        observedAt: 5000,
        meta: { mine: 1 },
      });
      expect(await history(A)).toEqual([
        [5000, 'live', text(1).id],
        [1000, 'live', text(2).id],
      ]);
      expect(await urlsAndStates(text(2))).toEqual([[A, 'past']]);
    });

    it('does not keep an older content that has run out already or hardly differs', async () => {
      await put(A, contentOf(1, fingerprintsOf(0, 100)), 1000 * DAY);
      const expired = await put(A, text(2), 100 * DAY, { receivedAt: 1000 * DAY });
      const near = await put(A, contentOf(3, fingerprintsOf(4, 100)), 999 * DAY, { receivedAt: 1000 * DAY });
      expect([expired, near]).toMatchObject([
        { status: 'history', contentIsNew: false },
        { status: 'history', contentIsNew: false },
      ]);
      expect(await counts()).toMatchObject({ contents: 1 });
      expect((await store.versions(A, { limit: 9 })).map(({ contentKept }) => contentKept)).toEqual([
        true,
        false,
        false,
      ]);
    });

    it('keeps the present version the newest, whatever is said later of the time between', async () => {
      await put(A, text(1), 1000);
      await store.apply(seenPlan(A, text(1).id, 5000));
      await put(A, text(2), 3000, { receivedAt: 6000 });
      expect(await history(A)).toEqual([
        [5000, 'live', text(1).id],
        [3000, 'live', text(2).id],
        [1000, 'live', text(1).id],
      ]);
    });

    it('lets the later plan win where two speak of the same moment', async () => {
      await put(A, text(1), 1000);
      await store.apply(seenPlan(A, text(1).id, 5000));
      await put(A, text(2), 1000, { receivedAt: 6000, title: 'first' });
      expect(await history(A)).toEqual([
        [5000, 'live', text(1).id],
        [1000, 'live', text(2).id],
      ]);
      await put(A, text(2), 1000, { receivedAt: 7000, title: 'second' });
      expect(await holders(text(2))).toMatchObject([{ state: 'past', title: 'second' }]);
      expect(await put(A, text(3), 5000)).toMatchObject({ status: 'updated' });
      expect(await history(A)).toEqual([
        [5000, 'live', text(3).id],
        [1000, 'live', text(2).id],
      ]);
    });

    it('tells gone sources from live ones and finds their content still', async () => {
      expect(await store.apply(gonePlan(A, 500))).toEqual({ status: 'unknown', contentId: null, contentIsNew: false });
      await put(A, text(1), 1000);
      const gone = { status: 'gone', contentId: text(1).id, contentIsNew: false };
      expect(await store.apply(gonePlan(A, 2000, { httpStatus: 410 }))).toEqual(gone);
      expect(await store.apply(gonePlan(A, 3000))).toEqual(gone);
      expect(await store.source(A)).toMatchObject({ state: 'gone', httpStatus: 404, lastSeen: 1000, observedAt: 3000 });
      expect(await urlsAndStates(text(1))).toEqual([[A, 'gone']]);
      expect((await lookUp(text(1))).found).toBe(1);
      expect(await store.apply(seenPlan(A, text(1).id, 4000))).toMatchObject({ status: 'unchanged' });
      expect(await history(A)).toEqual([
        [4000, 'live', text(1).id],
        [2000, 'gone', text(1).id],
        [1000, 'live', text(1).id],
      ]);
      expect(await store.apply(gonePlan(A, 1500))).toMatchObject({ status: 'history' });
      expect(await store.source(A)).toMatchObject({ state: 'live', lastSeen: 4000 });
    });

    it('forgets on delete all that nobody else holds', async () => {
      await put(A, text(1), 1000);
      await put(A, text(2), 2000);
      await put(B, text(2), 2000);
      expect(await store.apply(deletePlan(A, 3000))).toEqual({
        status: 'deleted',
        contentId: null,
        contentIsNew: false,
      });
      expect(await store.apply(deletePlan(A, 3000))).toMatchObject({ status: 'unknown' });
      expect(await store.source(A)).toBeUndefined();
      expect(await history(A)).toEqual([]);
      expect(await store.content(text(1).id)).toBeUndefined();
      expect((await lookUp(text(1))).found).toBe(0);
      expect(await urlsAndStates(text(2))).toEqual([[B, 'live']]);
      await store.apply(deletePlan(B, 4000));
      expect(await counts()).toEqual({ sources: 0, contents: 0, postings: 0 });
    });

    it('keeps so many versions, the newest', async () => {
      await start({ versionsMax: 3 });
      for (let i = 1; i <= 5; i++) await put(A, text(1), i * 1000, { bytesDigest: digest(i) });
      expect((await history(A)).map(([time]) => time)).toEqual([5000, 4000, 3000]);
      expect((await store.versions(A, { limit: 1, before: 5000 })).map(({ observedAt }) => observedAt)).toEqual([4000]);
      expect(await store.versions(A, { limit: 9, before: 3000 })).toEqual([]);
      await put(A, text(1), 100, { bytesDigest: digest(9) });
      expect((await history(A)).map(([time]) => time)).toEqual([5000, 4000, 3000]);
    });

    it('forgets past contents when their time is up, and only when it is swept', async () => {
      await put(A, text(1), 1 * DAY);
      await put(A, text(2), 2 * DAY);
      await put(A, text(3), 3 * DAY);
      await put(B, text(2), 3 * DAY);
      expect(await store.sweep(365 * DAY, 10)).toEqual({ examined: 0, forgotten: 0 });
      expect(await store.sweep(400 * DAY, 1)).toEqual({ examined: 1, forgotten: 1 });
      expect(await store.content(text(1).id)).toBeUndefined();
      expect(await store.sweep(400 * DAY, 10)).toEqual({ examined: 1, forgotten: 0 });
      expect(await urlsAndStates(text(2))).toEqual([[B, 'live']]);
      expect(await store.sweep(900 * DAY, 10)).toEqual({ examined: 0, forgotten: 0 });
    });

    it('sweeps as many as it is told to, however many there are', async () => {
      const urls = Array.from({ length: 50 }, (_, i) => `https://${i}.example/`);
      await Promise.all(urls.map((url, i) => put(url, contentOf(i, [i]), 1000)));
      await Promise.all(urls.map((url, i) => put(url, contentOf(100 + i, [100 + i]), 2000)));
      expect(await store.sweep(900 * DAY, 33)).toEqual({ examined: 33, forgotten: 33 });
      expect(await store.sweep(900 * DAY, 1000)).toEqual({ examined: 17, forgotten: 17 });
      expect(await counts()).toEqual({ sources: 50, contents: 50, postings: 50 });
    });

    it('orders candidates by overlap, then age, and returns as many as asked for', async () => {
      const query = contentOf(0, fingerprintsOf(0, 40));
      const overlaps = [10, 40, 25, 10];
      for (const [i, shift] of overlaps.entries()) {
        await put(`https://${i}.example/`, contentOf(i + 1, fingerprintsOf(40 - shift, 40)), 1000 + i);
      }
      const all = await lookUp(query);
      expect(all.candidates.map(({ overlap, cappedOverlap, record }) => [overlap, cappedOverlap, record.id])).toEqual([
        [40, 0, digest(2, 1)],
        [25, 0, digest(3, 1)],
        [10, 0, digest(1, 1)],
        [10, 0, digest(4, 1)],
      ]);
      expect(await lookUp(query, 2)).toEqual({ ...all, candidates: all.candidates.slice(0, 2) });
      expect((await lookUp(query, 0)).candidates).toEqual([]);
    });

    it('reads the first of common lists by rank, so that each member of a family is found', async () => {
      await start({}, 8);
      const members = 40;
      const common = fingerprintsOf(0, 30);
      await Promise.all(
        Array.from({ length: members }, (_, i) =>
          put(`https://${i}.example/`, contentOf(i, [...common, ...fingerprintsOf(50_000 + i * 10, 5)]), 1000),
        ),
      );
      const { candidates, found, cappedShares, unreadable } = await lookUp(contentOf(99, common));
      expect(found).toBe(members);
      expect(candidates.every(({ overlap, cappedOverlap }) => overlap === 0 && cappedOverlap > 0)).toBe(true);
      expect(cappedShares.length).toBe(30);
      // 8 of 40 in the mean, each list on its own
      const mean = cappedShares.reduce((sum, share) => sum + share, 0) / 30;
      expect(mean).toBeGreaterThan(0.14);
      expect(mean).toBeLessThan(0.26);
      expect(unreadable).toBe(0);
      const own = await lookUp(contentOf(98, [...common.slice(0, 3), ...fingerprintsOf(50_000, 5)]));
      expect(own.candidates[0]).toMatchObject({ overlap: 5, record: { id: digest(0, 1) } });
      expect(own.cappedShares.length).toBe(3);
    });

    it('does not call a list of exactly K common', async () => {
      await start({}, 4);
      for (let i = 0; i < 4; i++) await put(`https://${i}.example/`, contentOf(i, [7, 100 + i]), 1000);
      expect((await lookUp(contentOf(9, [7]))).cappedShares.length).toBe(0);
      await put('https://5.example/', contentOf(5, [7]), 1000);
      expect((await lookUp(contentOf(9, [7]))).cappedShares.length).toBe(1);
    });

    it('names contents with the same set of shingles, oldest first', async () => {
      const twins = [3, 1, 2].map((i) => contentOf(i, [5, 6, 7], digest(7, 2)));
      for (const [i, twin] of twins.entries()) await put(`https://${i}.example/`, twin, 1000);
      expect(await store.contentsByShingleDigest(digest(7, 2))).toEqual(twins.map(({ id }) => id));
      const more = Array.from({ length: 1000 }, (_, i) => contentOf(10 + i, [5, 6, 7], digest(7, 2)));
      await Promise.all(more.map((twin, i) => put(`https://more.example/${i}`, twin, 2000)));
      expect((await store.contentsByShingleDigest(digest(7, 2))).length).toBe(1000);
    });

    it('comes to the same when a plan is applied twice', async () => {
      const plans = [
        putPlan(A, text(1), 1000),
        putPlan(A, text(2), 2000),
        gonePlan(A, 3000),
        putPlan(A, text(3), 1500),
      ];
      for (const plan of plans) await store.apply(plan);
      const known = async () => [await store.source(A), await history(A), await holders(text(3)), await counts()];
      const before = await known();
      for (const plan of plans.slice(2)) await store.apply(plan);
      expect(await known()).toEqual(before);
    });

    it('refuses a source that is no normalised URL and a plan that could not be read back, and stays as it was', async () => {
      for (const url of ['', 'https://é.example/', 'https://a.example/\0', 'https://a.example/\n']) {
        await expect(put(url, text(1), 1000)).rejects.toMatchObject({ code: 'invalid-url', field: 'url' });
      }
      const broken: [string, Partial<NewContent>][] = [
        ['content.id', { id: 'ABC' }],
        ['content.shingleDigest', { shingleDigest: '' }],
        ['content.tokenCount', { tokenCount: -1 }],
        ['content.shingleCount', { shingleCount: 1.5 }],
        ['content.sample.modulus', { sample: { modulus: 2, fingerprints: Float64Array.of(2) } }],
        ['content.sample.fingerprints', { sample: { modulus: 1, fingerprints: Float64Array.of(5, 5) } }],
        ['content.sample.fingerprints', { sample: { modulus: 1, fingerprints: Float64Array.of(2 ** 40) } }],
      ];
      for (const [field, part] of broken) {
        const content = { ...text(1), ...part };
        await expect(put(A, content, 1000, { bytesDigest: digest(1) })).rejects.toMatchObject({
          code: 'internal',
          field,
        });
      }
      await expect(put(A, text(1), Number.NaN)).rejects.toMatchObject({ code: 'internal' });
      expect(await counts()).toEqual({ sources: 0, contents: 0, postings: 0 });
    });

    it('takes documents of no shingle and of very many', async () => {
      const [none, many] = [contentOf(1, []), contentOf(2, fingerprintsOf(0, 60_000))];
      expect(await Promise.all([put(A, none, 1000), put(B, many, 1000)])).toMatchObject([
        { status: 'created' },
        { status: 'created' },
      ]);
      expect(await store.content(none.id)).toMatchObject({ shingleCount: 0 });
      expect((await store.content(many.id))?.sample).toEqual(many.sample);
      await store.apply(deletePlan(B, 2000));
      expect(await counts()).toEqual({ sources: 1, contents: 1, postings: 0 });
    });

    it('answers no more after it is closed', async () => {
      await store.close();
      await store.close();
      await expect(store.source(A)).rejects.toMatchObject({ code: 'draining' });
      await expect(put(A, text(1), 1000)).rejects.toMatchObject({ code: 'draining' });
    });
  });
}
