import { BODY, list, type Made, OK, question, words } from './loop-bodies.ts';
import { familyText, SHORT_FAMILY, SOURCES_TEXT, shortText, shortUrl } from './loop-index.ts';

/* JSON bodies whose answers are large. */

export const LARGE: readonly Made[] = [
  ['1,000 sources of 2 KB', OK, () => question({ text: SOURCES_TEXT }, { sourcesPerMatch: 1000 })],
  [
    '300 matches with 4 KB of meta',
    OK,
    () => question({ text: familyText(0) }, { limit: 1000, sourcesPerMatch: 1000 }),
  ],
  ['300 matches with passages', OK, () => question({ text: familyText(0) }, { limit: 1000, passages: true })],
  [
    'a thorough page',
    OK,
    () => question({ text: shortText(0) }, { limit: 1000, thorough: true, thresholds: { resemblance: 0.3 } }),
  ],
  [
    'differences of 2 × 4 MiB',
    OK,
    () => {
      const [a, b] = [{ text: words(BODY / 2 - 200) }, { text: words(BODY / 2 - 200) }];
      return JSON.stringify({ a, b, differences: true, deadlineMs: 20_000 });
    },
    '/compare',
  ],
  [
    'differences of 2 × 4 MiB, every sixth word another, with the texts',
    OK,
    () => {
      const a = words(BODY / 2 - BODY / 64);
      const b = a
        .split(' ')
        .map((word, i) => (i % 6 === 0 ? `x${word}` : word))
        .join(' ');
      return JSON.stringify({ a: { text: a }, b: { text: b }, differences: true, texts: true, deadlineMs: 20_000 });
    },
    '/compare',
  ],
  [
    'made of 100 parts with 1,000 sources of 2 KB each',
    OK,
    () => question({ text: SOURCES_TEXT }, { sourcesPerPart: 1000, limit: 100 }),
    '/composition',
  ],
  [
    'where 1,000 old URLs are',
    OK,
    () => JSON.stringify({ urls: list(1000, (i) => shortUrl((i * 5) % SHORT_FAMILY)), always: true }),
    '/moved',
  ],
];
