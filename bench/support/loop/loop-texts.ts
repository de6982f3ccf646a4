import { BODY, INLINE_HTML, INLINE_TEXT, list, type Made, OK, repeat, words } from './loop-bodies.ts';

/* Texts and pages that hold the event loop, as they are. */

export const TEXTS: readonly Made[] = [
  ['U+FDFA', OK, () => repeat('\ufdfa', INLINE_TEXT)],
  ['marks in the wrong order', OK, () => `a${repeat('\u0301\u0316', INLINE_TEXT - 10)}`],
  ['Hangul in parts', OK, () => repeat('\u1100\u1161\u11a8', INLINE_TEXT)],
  ['Thai', OK, () => repeat('ภาษาไทย', INLINE_TEXT)],
  ['words', OK, () => words(INLINE_TEXT - 20)],
  [
    'words of one letter',
    OK,
    () => list(131_000, (i) => String.fromCharCode(97 + ((i * 7 + (i >> 7)) % 26))).join(' '),
  ],
  ['bytes that are no UTF-8', [200, 400], () => Buffer.alloc(INLINE_TEXT, 0xff)],
  ['words, 8 MiB', OK, () => words(BODY - 20)],
];

export const PAGES: readonly Made[] = [
  ['"<"', [200, 422], () => '<'.repeat(INLINE_HTML)],
  ['"&lt"', [200, 422], () => repeat('&lt', INLINE_HTML)],
  ['entities without an end', OK, () => repeat('&notit; a ', INLINE_HTML)],
  ['attributes', [200, 422], () => `<p ${repeat('a=b ', INLINE_HTML - 20)}>one`],
  ['elements inside one another', OK, () => `${repeat('<div><b>', INLINE_HTML - 20)}one two`],
  ['comments', OK, () => `${repeat('<!---->', INLINE_HTML - 20)}one`],
  ['U+FDFA', OK, () => repeat('\ufdfa', INLINE_HTML)],
  ['a page of 8 MiB', OK, () => repeat('<p class=x>one two three</p>', BODY - 20)],
  [
    '8 MiB, parts chosen',
    [200, 422, 503],
    () => repeat('<p class=x>one two three</p>', BODY - 20),
    '/similar?select=p.x&deadlineMs=20000',
  ],
];
