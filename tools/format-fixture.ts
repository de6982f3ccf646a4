/* What the index of a fixture is made of, and what it is asked: one of each thing that rows tell of. */

interface Sent {
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

interface Question {
  readonly path: string;
  readonly body?: object;
}

export const TALE =
  'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was ' +
  'the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness, it ' +
  'was the spring of hope, it was the winter of despair, we had everything before us, we had nothing before us';
const WHALE =
  'Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, and nothing ' +
  'particular to interest me on shore, I thought I would sail about a little and see the watery part of the world.';

/** Words of no language, the same for ever: `count` of them from the `from`-th on. */
const words = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `w${(((from + i) * 7919) % 9973).toString(36)}`).join(' ');

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

const put = (
  url: string,
  number: number,
  text: string,
  more: Record<string, string> = {},
  type = 'text/plain',
): Sent => {
  const query = new URLSearchParams({ url, observedAt: day(number), ...more });
  return { method: 'PUT', path: `/documents?${query}`, type, body: text };
};

export const DOCUMENTS: readonly Sent[] = [
  put('https://a.example/tale', 1, TALE, { meta: '{"shelf":3,"tags":["novel"]}' }),
  put('https://b.example/copy', 2, TALE),
  put('https://b.example/page.html', 2, `<html lang="en"><title>Tale</title><p>${TALE}`, {}, 'text/html'),
  put('https://c.example/part', 3, TALE.slice(0, 230)),
  put('https://c.example/whale', 3, WHALE),
  put('https://d.example/long', 4, words(0, 5000)),
  put('https://d.example/longer', 4, words(0, 6000)),
  put('https://d.example/short', 4, 'Only five words, no more'),
  put('urn:isbn:9780141439600', 5, `${TALE}. ${WHALE}`),
  // versions: hardly another, another, other bytes, gone, back, and one of before
  put('https://v.example/', 10, words(20_000, 300)),
  put('https://v.example/', 11, words(20_001, 300)),
  put('https://v.example/', 12, words(30_000, 300)),
  put('https://v.example/', 13, `${words(30_000, 300)}.`),
  { method: 'PUT', path: `/documents?url=https://v.example/&status=410&observedAt=${day(14)}` },
  put('https://v.example/', 15, words(30_000, 300)),
  put('https://v.example/', 9, words(40_000, 300)),
  // gone, forgotten, and twenty of one family
  put('https://g.example/gone', 6, words(50_000, 200)),
  { method: 'PUT', path: `/documents?url=https://g.example/gone&status=404&observedAt=${day(7)}` },
  put('https://g.example/forgotten', 6, words(60_000, 200)),
  { method: 'DELETE', path: '/documents?url=https://g.example/forgotten' },
  ...Array.from({ length: 20 }, (_, i) =>
    put(`https://f${i}.example/`, 8, `${words(70_000, 100)} ${words(71_000 + 100 * i, 20)}`),
  ),
  { method: 'POST', path: '/admin/compact' },
  put('https://t.example/tail', 16, `${words(70_000, 110)}`),
  put('https://t.example/tale', 16, `${TALE} and so on`),
];

const URLS = [...new Set(DOCUMENTS.map(({ path }) => new URL(path, 'http://x').searchParams.get('url')))].filter(
  // of the family one will do
  (url): url is string => url !== null && !/forgotten|f[1-9]\d?\.example/.test(url),
);
const all = { thresholds: { resemblance: 0.05, queryInMatch: 0.3, matchInQuery: 0.3 }, limit: 5 };

export const QUESTIONS: readonly Question[] = [
  ...URLS.flatMap((url) => {
    const query = `url=${encodeURIComponent(url)}`;
    return [`/documents?${query}`, `/documents/versions?${query}`].map((path) => ({ path }));
  }),
  ...URLS.map((url) => ({ path: '/similar', body: { document: { url }, ...all } })),
  ...[TALE, WHALE, words(70_000, 105), words(20_000, 300), words(0, 400)].map((text) => ({
    path: '/similar',
    body: { document: { text }, include: ['live', 'gone', 'past'], ...all },
  })),
];
