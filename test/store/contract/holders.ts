import { expect, it } from 'vitest';
import { contentRecord, evidenceOfVersions, sketchOfContent } from '../../../src/store/contents.ts';
import { digest, gonePlan } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';

/** What a source of a content is said to have been before, and to lead to. */
export function describeHolders(fixture: StoreFixture): void {
  const { start, text, put, holders } = fixture;
  const FIRST = { knownSince: 1000, contentsBefore: 0, change: null, finalUrl: null };

  it('tells of a source what it showed before', async () => {
    await put(A, text(1), 1000);
    expect(await holders(text(1))).toMatchObject([{ ...FIRST, url: A, state: 'live' }]);
    await put(A, text(2), 2000);
    const records = [text(1), text(2)].map((content) => contentRecord(content, 8));
    const change = {
      since: 1000,
      from: text(1).id,
      evidence: evidenceOfVersions(sketchOfContent(records[0]!), sketchOfContent(records[1]!)),
    };
    expect(await holders(text(2))).toMatchObject([{ ...FIRST, state: 'live', contentsBefore: 1, change }]);
    expect(await holders(text(1))).toMatchObject([{ ...FIRST, state: 'past' }]);
    await put(A, text(3), 3000);
    expect(await holders(text(3))).toMatchObject([{ state: 'live', contentsBefore: 2 }]);
    expect(await holders(text(2))).toMatchObject([{ ...FIRST, state: 'past', contentsBefore: 1 }]);
    expect(await holders(text(1))).toMatchObject([{ ...FIRST, state: 'past' }]);
  });

  it('knows of a change though nothing is kept of what was before', async () => {
    await start({ pastContentsMax: 0 });
    await put(A, text(1), 1000);
    await put(A, text(2), 2000);
    expect(await holders(text(2))).toMatchObject([{ knownSince: 1000, contentsBefore: 1, change: { since: 1000 } }]);
  });

  it('tells of no change of a version that only came in other bytes, or says that it is gone: of past contents still', async () => {
    await put(A, text(1), 1000);
    await put(A, text(2), 2000);
    await put(A, text(2), 3000, { bytesDigest: digest(7) });
    expect(await holders(text(2))).toMatchObject([{ state: 'live', change: null, contentsBefore: 1 }]);
    await fixture.store.apply(gonePlan(A, 4000));
    expect(await holders(text(2))).toMatchObject([{ state: 'gone', change: null, contentsBefore: 1 }]);
  });

  it('does not count what came later as having been before: a content that is back, a past one that is told late', async () => {
    await put(A, text(1), 1000);
    await put(A, text(2), 2000);
    await put(A, text(1), 3000);
    expect(await holders(text(1))).toMatchObject([{ state: 'live', firstSeen: 1000, contentsBefore: 1 }]);
    expect(await holders(text(2))).toMatchObject([{ state: 'past', contentsBefore: 0 }]);
    await put(B, text(1), 2000);
    await put(B, text(4), 1000);
    const ofB = (await holders(text(1))).find(({ url }) => url === B);
    expect(ofB).toMatchObject({ knownSince: 1000, contentsBefore: 1 });
  });

  it('tells where the last answer came from, and of a past content nothing', async () => {
    await put(A, text(1), 1000, { finalUrl: B });
    expect(await holders(text(1))).toMatchObject([{ finalUrl: B }]);
    await put(A, text(2), 2000, { finalUrl: `${B}2` });
    expect(await holders(text(1))).toMatchObject([{ state: 'past', finalUrl: null }]);
    expect(await holders(text(2))).toMatchObject([{ finalUrl: `${B}2` }]);
  });
}
