import { expect, it } from 'vitest';
import type { Sample } from '../../../src/core/sketch/modulus.ts';
import { contentRecord } from '../../../src/store/contents.ts';
import type { Content } from '../../../src/store/port.ts';
import { gonePlan } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

const A = 'https://a.example/';
const B = 'https://b.example/';

/** A content as far as a query compares it. */
function comparedOf(content: Content<Sample>) {
  const { id, shingleDigest, tokenCount, shingleCount, sample } = contentRecord(content, 8);
  const { modulus, bits, values } = sample;
  return { id, shingleDigest, tokenCount, shingleCount, sample: { modulus, bits, values } };
}

/** What is known of many URLs at once. */
export function describeMany(fixture: StoreFixture): void {
  const { text, put } = fixture;

  it('gives what is known of many URLs in their order, each as it is alone', async () => {
    await put(A, text(1), 1000);
    await put(A, text(2), 2000);
    await put(B, text(3, 2000), 1000, { meta: { kept: true } });
    await put('urn:x', text(3, 2000), 1000);
    await fixture.store.apply(gonePlan(B, 3000));
    const urls = ['urn:x', 'urn:unknown', B, A, B];
    const known = await fixture.store.getMany(urls);
    expect(known.map((one) => one !== 'unreadable' && one?.source)).toEqual(
      await Promise.all(urls.map((url) => fixture.store.source(url))),
    );
    for (const [i, content] of [text(3, 2000), undefined, text(3, 2000), text(2), text(3, 2000)].entries()) {
      if (content === undefined) expect(known[i]).toBeUndefined();
      else expect(known[i]).toMatchObject({ content: comparedOf(content) });
    }
    expect(await fixture.store.getMany([])).toEqual([]);
  });

  it('gives nothing of URLs that are not there', async () => {
    expect(await fixture.store.getMany([A, B])).toEqual([undefined, undefined]);
  });
}
