import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors.ts';
import type { Access, DocumentReference, FetchWish } from '../../../src/service/api.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  OPTIONS,
  ofText,
  ofUrl,
  READ_ONLY,
  refused,
  type ServiceFixture,
  said,
} from '../../support/service/service-fixture.ts';

const make = createTextMaker(91);
const known = make.text(60);
const KNOWN = 'https://known.example/';
const NEW = 'https://new.example/';
const NAME = 'urn:isbn:1';

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = createServiceFixture();
  await fixture.put(KNOWN, known);
  await fixture.put(NAME, known);
  fixture.web.pages.set(KNOWN, `<title>Now</title><p>${make.text(70)}`);
  fixture.web.pages.set(NEW, `<title>New</title><p>${known}`);
});
afterAll(() => fixture.close());

const THRESHOLDS = { resemblance: 0.5, aInB: null, bInA: null };
const similar = (reference: DocumentReference, fetch: FetchWish, access: Access = ALL) =>
  said(fixture.service.similar(reference, { ...OPTIONS, fetch }, access));
const compare = (a: DocumentReference, b: DocumentReference, fetch: FetchWish, deadlineMs = 10_000) => {
  return fixture.service.compare({ a, b, thresholds: THRESHOLDS, passages: false, fetch, deadlineMs }, ALL);
};

/** Where the document came from, or the code and the field of the refusal. */
async function outcomeOf(reference: DocumentReference, fetch: FetchWish, access: Access): Promise<string> {
  try {
    return (await similar(reference, fetch, access)).query.from;
  } catch (error) {
    const { code, field } = error as { code: string; field?: string };
    return `${code} ${field}`;
  }
}

describe('whether a URL is fetched', () => {
  const selected = (url: string): DocumentReference => ({ ...ofUrl(url), select: 'p' });
  const removed = (url: string): DocumentReference => ({ ...ofUrl(url), remove: 'title' });
  it.each<[string, DocumentReference, Record<FetchWish, readonly [all: string, readOnly: string]>]>([
    [
      'a known URL',
      ofUrl(KNOWN),
      { auto: ['index', 'index'], never: ['index', 'index'], always: ['fetch', 'forbidden fetch'] },
    ],
    [
      'a new URL',
      ofUrl(NEW),
      {
        auto: ['fetch', 'unknown-url url'],
        never: ['unknown-url url', 'unknown-url url'],
        always: ['fetch', 'forbidden fetch'],
      },
    ],
    [
      'a known name',
      ofUrl(NAME),
      { auto: ['index', 'index'], never: ['index', 'index'], always: ['not-fetchable url', 'forbidden fetch'] },
    ],
    [
      'a new name',
      ofUrl('urn:isbn:2'),
      {
        auto: ['unknown-url url', 'unknown-url url'],
        never: ['unknown-url url', 'unknown-url url'],
        always: ['not-fetchable url', 'forbidden fetch'],
      },
    ],
    [
      'other elements of a known URL',
      selected(KNOWN),
      {
        auto: ['fetch', 'forbidden select'],
        never: ['invalid-request select', 'invalid-request select'],
        always: ['fetch', 'forbidden fetch'],
      },
    ],
    [
      'other elements of a new URL',
      removed(NEW),
      {
        auto: ['fetch', 'forbidden remove'],
        never: ['invalid-request remove', 'invalid-request remove'],
        always: ['fetch', 'forbidden fetch'],
      },
    ],
    [
      'a body',
      ofText('a', NEW),
      {
        auto: ['body', 'body'],
        never: ['body', 'body'],
        always: ['invalid-request fetch', 'invalid-request fetch'],
      },
    ],
  ])('follows the table for %s', async (_what, reference, expected) => {
    for (const fetch of ['auto', 'never', 'always'] as const) {
      const found = [await outcomeOf(reference, fetch, ALL), await outcomeOf(reference, fetch, READ_ONLY)];
      expect([fetch, ...found]).toEqual([fetch, ...expected[fetch]]);
    }
  });

  it('asks nobody where the index knows, or where nothing is to be fetched', async () => {
    const before = fixture.web.asked.length;
    await similar(ofUrl(KNOWN), 'auto');
    await similar(ofUrl(NEW), 'never').catch(() => undefined);
    await similar(ofUrl(NEW), 'auto', READ_ONLY).catch(() => undefined);
    await similar({ ...ofUrl(NEW), select: 'p' }, 'never').catch(() => undefined);
    expect(fixture.web.asked.length).toBe(before);
    await similar(ofUrl(KNOWN), 'always');
    expect(fixture.web.asked.slice(before)).toEqual([{ url: KNOWN, purpose: 'look-up' }]);
  });

  it('holds for each of two documents', async () => {
    expect(await compare(ofUrl(KNOWN), ofUrl(NEW), 'auto')).toMatchObject({
      a: { from: 'index' },
      b: { from: 'fetch' },
    });
    expect(await compare(ofUrl(KNOWN), ofText('a'), 'always')).toMatchObject({
      a: { from: 'fetch' },
      b: { from: 'body' },
    });
    const never = compare(ofText('a'), ofUrl(NEW), 'never');
    await expect(never).rejects.toMatchObject(refused('unknown-url', { field: 'b.url' }));
    const nothing = compare(ofText('a'), ofText('b'), 'always');
    await expect(nothing).rejects.toMatchObject(refused('invalid-request', { field: 'fetch' }));
  });
});

describe('a fetch that fails', () => {
  it.each<[string, ErrorCode | 410, ErrorCode, string]>([
    ['a page that is gone', 410, 'fetch-status', 'The server answered with status 410.'],
    ['a page too large', 'fetch-too-large', 'fetch-too-large', 'planted'],
    ['a server that hangs', 'fetch-timeout', 'fetch-timeout', 'planted'],
    ['hosts that are busy', 'overloaded', 'overloaded', 'planted'],
  ])('says of %s what the index knows, and why', async (_what, page, code, why) => {
    const url = 'https://broken.example/';
    fixture.web.pages.set(url, page);
    await expect(similar(ofUrl(url), 'auto')).rejects.toMatchObject({
      ...refused(code, { field: 'url' }),
      message: `The URL is not in the index, and it could not be fetched. ${why}`,
    });
    await expect(similar(ofUrl(url), 'always')).rejects.toMatchObject({
      ...refused(code, { field: 'url' }),
      message: `The URL could not be fetched, as was asked. ${why}`,
    });
    await expect(compare(ofText('a'), { ...ofUrl(url), select: 'p' }, 'auto')).rejects.toMatchObject({
      ...refused(code, { field: 'b.url' }),
      message: `The index keeps no text to select from, and the URL could not be fetched. ${why}`,
    });
  });

  it('says so of one that the deadline cut off, with the deadline', async () => {
    const url = 'https://slow.example/';
    fixture.web.pages.set(url, new Promise<never>(() => undefined));
    await expect(compare(ofText('a'), ofUrl(url), 'auto', 20)).rejects.toMatchObject({
      ...refused('deadline-exceeded', { field: 'b.url', limit: { name: 'deadlineMs', value: 20 } }),
      message: expect.stringMatching(
        /^The URL is not in the index, and it could not be fetched\. .*deadline/,
      ) as string,
    });
  });

  it('waits for a page as long as fetching may take, where no deadline is named', async () => {
    const url = 'https://slow.example/';
    fixture.web.pages.set(url, new Promise<never>(() => undefined));
    const { service, web, close } = createServiceFixture({ limits: { deadlineMsMax: 20 } });
    web.pages.set(url, fixture.web.pages.get(url)!);
    for (const ask of [
      service.similar(ofUrl(url), { ...OPTIONS, deadlineMs: null }, ALL),
      service.compare(
        { a: ofUrl(url), b: ofText('a'), thresholds: THRESHOLDS, passages: false, fetch: 'auto', deadlineMs: null },
        ALL,
      ),
    ]) {
      await expect(ask).rejects.toMatchObject(
        refused('deadline-exceeded', { limit: { name: 'deadlineMs', value: 20 } }),
      );
    }
    await close();
  });

  it.each([
    ['never', ALL, 'With fetch=never it is not fetched either.'],
    ['auto', READ_ONLY, 'To have it fetched needs a key with the scope fetch.'],
  ] as const)('names the way out where nothing is fetched: %s', async (fetch, access, way) => {
    await expect(similar(ofUrl('https://none.example/'), fetch, access)).rejects.toMatchObject({
      message: `The URL is not in the index. ${way}`,
    });
  });
});
