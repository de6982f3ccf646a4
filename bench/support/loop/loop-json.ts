import {
  BODY,
  INLINE_TEXT,
  keys,
  letters,
  list,
  type Made,
  OK,
  question,
  REFUSED,
  repeat,
  results,
  WORDS,
  words,
} from './loop-bodies.ts';
import { sourceUrl } from './loop-index.ts';

/* JSON bodies that hold the event loop: what is hard to read, and what is hard to answer. */

export const JSON_VALUES: readonly Made[] = [
  ['8 MiB of []', REFUSED, () => `{"x":[${repeat('[],', BODY - 40)}[]]}`],
  ['8 MiB of {}', REFUSED, () => `[${repeat('{},', BODY - 40)}{}]`],
  ['8 MiB of different keys', REFUSED, () => keys(600_000, (i) => `k${i}`)],
  ['8 MiB of sparse indices', REFUSED, () => keys(500_000, (i) => String((i * 7919) % 4_294_967_290))],
  ['8 MiB of colliding indices', REFUSED, () => keys(500_000, (i) => String(i * 8192))],
  ['8 MiB of one key', REFUSED, () => `{${repeat('"document":{},', BODY - 40)}"document":{"text":"a"}}`],
  ['20,000 different keys', REFUSED, () => keys(19_999, (i) => `k${i}`)],
  ['20,000 long keys', REFUSED, () => keys(19_999, (i) => `${'k'.repeat(400)}${i}`)],
  ['20,000 shapes', REFUSED, () => `[${list(9999, (i) => `{"a${i}":1}`)}]`],
  ['8 MiB of spaces', REFUSED, () => `${repeat(' ', BODY - 40)}{}`],
  ['8 MiB of one number', REFUSED, () => `{"document":{"text":"a"},"limit":${'9'.repeat(BODY - 100)}}`],
  [
    '8 MiB of digits behind a point',
    REFUSED,
    () => `{"document":{"text":"a"},"deadlineMs":0.${'1'.repeat(BODY - 100)}}`,
  ],
  ['a string without an end', REFUSED, () => `{"document":{"text":"${repeat('\\"', BODY - 40)}`],
  ['a field of 8 MiB', REFUSED, () => `{"${'k'.repeat(BODY - 40)}":1}`],
  ['a cursor of 8 MiB', REFUSED, () => question({ text: WORDS }, { cursor: 'A'.repeat(BODY - 200) })],
  ['a URL of 8 MiB', REFUSED, () => question({ url: `http://${'a'.repeat(BODY - 200)}` })],
  [
    '2,000 empty URLs to leave out',
    REFUSED,
    () => question({ text: WORDS }, { exclude: { urls: list(2000, () => '') } }),
  ],
  [
    '1,000 hosts of 8 KB to leave out',
    [200, 400],
    () => question({ text: WORDS }, { exclude: { hosts: list(1000, (i) => `h${i}${'é'.repeat(4000)}`) } }),
  ],
  [
    '1,000 hosts of 250 letters to leave out',
    [200, 400],
    () =>
      question({ text: WORDS }, { exclude: { hosts: list(1000, (i) => `h${i}.${'é'.repeat(40)}.${'ü'.repeat(40)}`) } }),
  ],
  [
    '1,000 long URLs to leave out',
    OK,
    () => question({ text: WORDS }, { exclude: { urls: list(1000, (i) => `http://h${i}.ex/${'é'.repeat(330)}`) } }),
  ],
  [
    '1,000 URLs of many steps to leave out',
    OK,
    () => question({ text: WORDS }, { exclude: { urls: list(1000, (i) => `http://h${i}.ex/${'a/../'.repeat(400)}`) } }),
  ],
  [
    '1,000 URLs of international hosts to leave out',
    [200, 400],
    () =>
      question(
        { text: WORDS },
        { exclude: { urls: list(1000, (i) => `http://${`${i}é`.repeat(9)}.${'ü'.repeat(400)}/`) } },
      ),
  ],
];

export const JSON_TEXTS: readonly Made[] = [
  ['words, 8 MiB', OK, () => question({ text: words(BODY - 200) })],
  ['quotes, 8 MiB', [422], () => `{"document":{"text":"${repeat('\\"', BODY - 40)}"}}`],
  [
    'escaped letters, 8 MiB',
    OK,
    () => `{"document":{"text":"${repeat('\\u0061\\u0020', BODY - 40)}"},"deadlineMs":20000}`,
  ],
  ['Chinese, 8 MiB', OK, () => question({ text: repeat('漢字', BODY - 100) })],
  ['half a pair at the end, 8 MiB', REFUSED, () => `{"document":{"text":"${repeat('é', BODY - 100)}\\ud800"}}`],
  ['a page, 8 MiB', OK, () => question({ html: repeat('<p>one two three four five six seven eight</p>', BODY - 200) })],
  [
    'words with passages, 256 KiB',
    OK,
    () => question({ text: words(INLINE_TEXT - 200) }, { passages: true, limit: 1000 }),
  ],
];

export const COMPARED: readonly Made[] = [
  ['2 × 4 MiB of words', OK, () => compared(words(BODY / 2 - 200), words(BODY / 2 - 200))],
  ['2 × 4 MiB with passages', OK, () => same(words(BODY / 2 - 200))],
  ['2 × 250 KB with passages', OK, () => same(words(250_000))],
  ['2 × 120 KB that repeat themselves', OK, () => same(repeat('a b c d e f g h ', 125_000))],
  ['2 × 250 KB of one word', OK, () => same(repeat('a ', 250_000))],
  [
    '2 × 250 KB of one letter each',
    OK,
    () => same(list(125_000, (i) => String.fromCharCode(97 + ((i * 7 + (i >> 7)) % 26))).join(' ')),
  ],
  [
    '2 × 250 KB, every eighth word another',
    OK,
    () => {
      const text = words(250_000);
      return compared(
        text,
        text
          .split(' ')
          .map((word, i) => (i % 8 === 0 ? `x${word}` : word))
          .join(' '),
      );
    },
  ],
];

function compared(a: string, b: string): string {
  return JSON.stringify({ a: { text: a }, b: { text: b }, passages: true, deadlineMs: 20_000 });
}

function same(text: string): string {
  return compared(text, text);
}

export const COLLAPSED: readonly Made[] = [
  ['1,000 different texts of 8 KB', OK, () => results(() => ({ text: words(7900) }))],
  [
    '1,000 near-copies of 8 KB',
    OK,
    () => {
      const text = words(7900);
      return results((i) => ({ text: `${text} z${i}` }), { thresholds: { resemblance: 1 } });
    },
  ],
  ['1,000 pages of 8 KB of "<"', OK, () => results((i) => ({ html: `${'<'.repeat(7900)} ${i}` }))],
  ['1,000 snippets of 8 KB', OK, () => results((i) => ({ url: `https://s${i}.example/`, snippet: words(7900) }))],
  ['1,000 known long URLs', OK, () => results((i) => ({ url: sourceUrl(i) }))],
  ['1,000 URLs of many steps', OK, () => results((i) => ({ url: `http://h${i}.ex/${'a/../'.repeat(400)}` }))],
  ['1,000 URLs with 500 parameters', OK, () => results((i) => ({ url: `http://h${i}.ex/?${'utm_a&'.repeat(330)}` }))],
  ['1,000 URLs of encoded letters', OK, () => results((i) => ({ url: `http://h${i}.ex/${'%61%2f'.repeat(330)}` }))],
  [
    '1,000 names of 1,000 letters',
    OK,
    () => results((i) => ({ url: 'https://one.example/', id: `${i}${'n'.repeat(990)}` })),
  ],
  [
    'two pages of 4 MiB',
    OK,
    () =>
      JSON.stringify({
        results: list(2, () => ({ html: repeat('<b>a b c d e f g</b> ', BODY / 2 - 100) })),
        deadlineMs: 20_000,
      }),
  ],
];

export const PUTS: readonly Made[] = [
  ['a meta of 20,000 keys', REFUSED, () => `{"text":"${WORDS}","meta":${keys(19_000, (i) => `k${i}`)}}`],
  ['a meta of 8 MiB', REFUSED, () => JSON.stringify({ text: WORDS, meta: { note: 'é'.repeat(BODY / 2 - 100) } })],
  [
    'a time of 8 MiB',
    [200, 201],
    () => JSON.stringify({ text: WORDS, observedAt: `2026-01-02T03:04:05.${'1'.repeat(BODY - 200)}Z` }),
  ],
  ['words, 8 MiB', [200, 201], () => JSON.stringify({ text: words(BODY - 200) })],
  ['words of one letter, 8 MiB', [200, 201], () => JSON.stringify({ text: letters(BODY / 2 - 100) })],
];
