import { expect, it } from 'vitest';
import { contentRecord } from '../../../src/store/contents.ts';
import type { NewContent } from '../../../src/store/port.ts';
import {
  contentOf,
  deletePlan,
  digest,
  fingerprintsOf,
  gonePlan,
  putPlan,
  withoutLocator,
} from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';

/** What is known of a URL, from the first plan to the last; sightings.ts has what is only seen again, or gone. */
export function describeSources(fixture: StoreFixture): void {
  const { text, put, holders, urlsAndStates, history, lookUp, counts } = fixture;

  it('knows nothing at first', async () => {
    expect(await fixture.store.source(A)).toBeUndefined();
    expect(await fixture.store.content(digest(1, 1))).toBeUndefined();
    expect(await fixture.store.contentHead(digest(1, 1))).toBeUndefined();
    expect(await fixture.store.versions(A, { limit: 10 })).toEqual([]);
    expect(await holders(text(1))).toEqual([]);
    expect(await fixture.twins(text(1))).toEqual({ ids: [], twinsCut: false });
    expect(await lookUp(text(1))).toEqual({
      candidates: [],
      found: 0,
      passedOver: 0,
      passedOverHits: 0,
      cut: null,
      drawn: [],
      twinsCut: false,
      shares: new Float64Array(40).fill(1),
      unreadable: 0,
    });
    expect(await counts()).toEqual({ sources: 0, contents: 0, postings: 0 });
    expect([fixture.store.writable, fixture.store.damaged]).toEqual([true, false]);
  });

  it('keeps a content without words, as a set of features is', async () => {
    const content = { ...text(1, 50), tokenCount: 0 };
    await put(A, content, 1000);
    for (const read of [fixture.store.content, fixture.store.contentHead])
      expect(await read.call(fixture.store, content.id)).toMatchObject({ tokenCount: 0, shingleCount: 50 });
    expect((await lookUp(content)).candidates).toMatchObject([{ record: { id: content.id, tokenCount: 0 } }]);
  });

  it('applies the plans of a caller in the order in which they were handed over, however large each is', async () => {
    const { store } = fixture;
    const caller = 'one';
    // the first becomes bytes in steps
    const plans = [
      putPlan(A, text(1, 60_000), 1000),
      gonePlan(A, 2000),
      putPlan(A, text(2), 3000),
      deletePlan(A, 4000),
    ];
    const outcomes = await Promise.all(plans.map((plan) => store.apply(plan, { caller })));
    expect(outcomes.map(({ status }) => status)).toEqual(['created', 'gone', 'updated', 'deleted']);
    expect(await store.source(A)).toBeUndefined();
  });

  it('gives back what was put, whole', async () => {
    const content = text(1, 3000);
    const outcome = await put(A, content, 1000, {
      receivedAt: 1500,
      spelling: 'HTTPS://A.EXAMPLE',
      httpStatus: 203,
      finalUrl: B,
      title: 'Überschrift',
      language: 'de',
      meta: { nested: { list: [1, null, 'é'] } },
    });
    const held = { contentIsNew: true, contentKept: true };
    expect(outcome).toEqual({ status: 'created', contentId: content.id, ...held, observedAt: 1000 });
    expect(await fixture.store.source(A)).toEqual({
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
    const record = contentRecord({ ...content, createdAt: 1500 }, 8);
    expect(withoutLocator(await fixture.store.content(content.id))).toEqual(record);
    const { sample: _, ...head } = record;
    expect(await fixture.store.contentHead(content.id)).toEqual(head);
    expect(content.sample.modulus).toBe(4);
    expect((await fixture.twins(content)).ids).toEqual([content.id]);
    const posted = content.sample.fingerprints.filter((value) => value % 8 === 0).length;
    expect(await counts()).toEqual({ sources: 1, contents: 1, postings: posted });
  });

  it('knows when the newest content came that is still there', async () => {
    expect(await fixture.store.newestContentAt()).toBeNull();
    await put(A, text(1), 1000, { receivedAt: 1500 });
    await put(B, text(2), 1000, { receivedAt: 2500 });
    await put(A, text(2), 3000, { receivedAt: 3500 });
    expect(await fixture.store.newestContentAt()).toBe(2500);
    await fixture.store.apply(deletePlan(A, 4000));
    await fixture.store.apply(deletePlan(B, 4000));
    await put(A, text(3), 1000, { receivedAt: 5000 });
    expect(await fixture.store.newestContentAt()).toBe(5000);
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
    const page = await fixture.store.holders({ id: text(1).id }, { limit: 2, after: 'http://10.0.0.1/' });
    expect(page.map(({ url }) => url)).toEqual(listed.slice(2, 4));
    expect(await fixture.store.holders({ id: text(1).id }, { limit: 2, after: listed[4]! })).toEqual([]);
  });

  it('forgets on delete all that nobody else holds', async () => {
    await put(A, text(1), 1000);
    await put(A, text(2), 2000);
    await put(B, text(2), 2000);
    expect(await fixture.store.apply(deletePlan(A, 3000))).toEqual({
      status: 'deleted',
      contentId: null,
      contentIsNew: false,
      contentKept: false,
      observedAt: 3000,
    });
    expect(await fixture.store.apply(deletePlan(A, 3000))).toMatchObject({ status: 'unknown' });
    expect(await fixture.store.source(A)).toBeUndefined();
    expect(await history(A)).toEqual([]);
    expect(await fixture.store.content(text(1).id)).toBeUndefined();
    expect((await lookUp(text(1))).found).toBe(0);
    expect(await urlsAndStates(text(2))).toEqual([[B, 'live']]);
    await fixture.store.apply(deletePlan(B, 4000));
    expect(await counts()).toEqual({ sources: 0, contents: 0, postings: 0 });
  });

  it('comes to the same when a plan is applied twice', async () => {
    const plans = [putPlan(A, text(1), 1000), putPlan(A, text(2), 2000), gonePlan(A, 3000), putPlan(A, text(3), 1500)];
    for (const plan of plans) await fixture.store.apply(plan);
    const known = async () => [await fixture.store.source(A), await history(A), await holders(text(3)), await counts()];
    const before = await known();
    for (const plan of plans.slice(2)) await fixture.store.apply(plan);
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
      ['content.main', { main: { shingleCount: 1, lexicalDigest: 'ABC', bits: new Uint8Array(1) } }],
      ['content.main', { main: { shingleCount: 0, lexicalDigest: digest(1), bits: new Uint8Array(1) } }],
      ['content.main', { main: { shingleCount: 1, lexicalDigest: digest(1), bits: new Uint8Array(9) } }],
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
    const early = { content: text(1) };
    await expect(put(A, text(1), 1000, early)).rejects.toMatchObject({ code: 'internal', field: 'content.createdAt' });
    await expect(put(A, text(1), Number.NaN)).rejects.toMatchObject({ code: 'internal' });
    expect(await counts()).toEqual({ sources: 0, contents: 0, postings: 0 });
  });

  it('takes documents of no shingle and of very many', async () => {
    const [none, many] = [contentOf(1, []), contentOf(2, fingerprintsOf(0, 60_000))];
    expect(await Promise.all([put(A, none, 1000), put(B, many, 1000)])).toMatchObject([
      { status: 'created' },
      { status: 'created' },
    ]);
    expect(await fixture.store.content(none.id)).toMatchObject({ shingleCount: 0 });
    const record = contentRecord({ ...many, createdAt: 1000 }, 8);
    expect(withoutLocator(await fixture.store.content(many.id))).toEqual(record);
    await fixture.store.apply(deletePlan(B, 2000));
    expect(await counts()).toEqual({ sources: 1, contents: 1, postings: 0 });
  });

  it('answers no more after it is closed', async () => {
    await fixture.store.close();
    await fixture.store.close();
    await expect(fixture.store.source(A)).rejects.toMatchObject({ code: 'draining' });
    await expect(put(A, text(1), 1000)).rejects.toMatchObject({ code: 'draining' });
  });
}
