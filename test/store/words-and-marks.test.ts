import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeptRanges, MainWindows } from '../../src/core/sketch/main-marks.ts';
import { createSketcher } from '../../src/core/sketch/sketch.ts';
import { contentDigest, createLexicalDigest, shingleDigest } from '../../src/identity/digests.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import { contentRecord } from '../../src/store/contents.ts';
import type { NewContent, PutPlan, Store } from '../../src/store/port.ts';
import { RETENTION_DEFAULT } from '../../src/store/settings.ts';
import { draws } from '../support/draws.ts';
import { MemoryStore } from '../support/memory-store/memory-store.ts';
import {
  inFolder,
  NO_FILTERS,
  openFolder,
  TEST_DESCRIPTION,
  TEST_RANK_KEY,
  THROWN_AWAY,
} from '../support/store/level-folder.ts';
import { putPlan, withoutLocator } from '../support/store/level-plans.ts';

const SIZE = 2;
const identity = deriveIdentity(new Uint8Array(32).fill(5), SIZE);
const sketcher = createSketcher(identity.fingerprint);
/** Which past contents are worth keeping is judged as they come, whatever they are: here none are. */
const retention = { ...RETENTION_DEFAULT, pastContentsMax: 0 };
const URLS = ['https://a.example/1', 'https://a.example/2', 'https://b.example/'];

/** Few words, so that the same windows come again elsewhere, and other ranges have the same windows. */
const pages = fc
  .array(fc.tuple(fc.constantFrom('a b c', 'b c d', 'c d', 'a', 'a b a b'), fc.boolean()), {
    minLength: 1,
    maxLength: 5,
  })
  .map((lines) => {
    let text = '';
    const kept: number[] = [];
    for (const [words, isKept] of lines) {
      if (isKept) kept.push(text.length, text.length + words.length);
      text += `${words}\n`;
    }
    return { text, kept: Uint32Array.from(kept) };
  });

function contentOf(text: string, kept: KeptRanges): NewContent {
  const words = createLexicalDigest(identity);
  const { tokenCount, shingleCount, shingleSum, sample, main } = sketcher.sketch(
    Buffer.from(text),
    4,
    words.add,
    0,
    kept,
  );
  const lexicalDigest = words.value();
  return {
    id: contentDigest(identity, lexicalDigest, main),
    shingleDigest: shingleDigest(identity, shingleSum, shingleCount),
    ...{ tokenCount, shingleCount, sample, createdAt: 0 },
    main: main && { shingleCount: main.shingleCount, lexicalDigest, bits: main.bits },
  };
}

/** What a content is, in words: all of them, and the windows of them that are main where that is a part. */
function meaningOf(text: string, kept: KeptRanges): string {
  const { tokenStarts, tokenEnds, fingerprints, shingleSize } = sketcher.sequence(Buffer.from(text));
  const spans = Array.from(tokenStarts, (start, i) => [start, tokenEnds[i]!]).flat();
  const windows = new MainWindows(kept, shingleSize).next(Uint32Array.from(spans));
  const main = new Set(Array.from(fingerprints).filter((_, i) => windows[i + shingleSize - 1] === 1));
  const isPart = main.size > 0 && main.size < new Set(fingerprints).size;
  return JSON.stringify([text.split(/\s+/), isPart ? [...main].sort((a, b) => a - b) : null]);
}

describe('a content of words and marks', () => {
  it('has one name for one meaning, and what is kept of it follows from that', () => {
    const names = new Map<string, string>();
    const records = new Map<string, unknown>();
    fc.assert(
      fc.property(pages, ({ text, kept }) => {
        const content = contentOf(text, kept);
        const meaning = meaningOf(text, kept);
        const record = contentRecord(content, 8);
        expect(names.get(meaning) ?? content.id).toBe(content.id);
        expect(records.get(content.id) ?? record).toEqual(record);
        names.set(meaning, content.id);
        records.set(content.id, record);
        if (content.main === null) expect(content.id).toBe(contentOf(text, new Uint32Array(0)).id);
      }),
      draws(600, 6),
    );
    expect(new Set(names.values()).size).toBe(names.size);
    expect(names.size).toBeGreaterThan(50);
  });

  it('leaves the same index, in whichever order documents were put', async () => {
    const seen = fc.record({ page: pages, url: fc.constantFrom(...URLS) });
    const histories = fc
      .array(seen, { minLength: 2, maxLength: 8 })
      .map((all) =>
        all.map(({ page, url }, i) =>
          putPlan(url, contentOf(page.text, page.kept), 1000 + i, { receivedAt: 5000, observedAt: 1000 + i }),
        ),
      );
    const orders = histories.chain((plans) =>
      fc.tuple(fc.constant(plans), fc.shuffledSubarray(plans, { minLength: plans.length })),
    );
    await fc.assert(
      fc.asyncProperty(orders, async ([inTime, inAny]) => {
        const [a, b] = [memory(), memory()];
        expect(await stateAfter(b, inAny)).toEqual(await stateAfter(a, inTime));
      }),
      draws(150, 7),
    );
    await inFolder(async (folder) => {
      let index = 0;
      await fc.assert(
        fc.asyncProperty(orders, async ([inTime, inAny]) => {
          const store = await openFolder(`${folder}/${index++}`, { ...NO_FILTERS, ...THROWN_AWAY, retention });
          try {
            expect(await stateAfter(store, inAny)).toEqual(await stateAfter(memory(), inTime));
          } finally {
            await store.close();
          }
        }),
        draws(10, 8),
      );
    });
  });
});

const memory = () => new MemoryStore(TEST_DESCRIPTION, { rankKey: TEST_RANK_KEY, retention });

/** What a store holds once the plans were applied, but for the numbers of contents. */
async function stateAfter(store: Store, plans: readonly PutPlan[]) {
  for (const plan of plans) await store.apply(plan);
  const ids = [...new Set(plans.map(({ content }) => content.id))].sort();
  return {
    sources: await Promise.all(URLS.map((url) => store.source(url))),
    versions: await Promise.all(URLS.map((url) => store.versions(url, { limit: 100 }))),
    contents: await Promise.all(ids.map(async (id) => withoutLocator(await store.content(id)))),
  };
}
