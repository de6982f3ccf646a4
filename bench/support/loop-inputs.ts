import { randomFrom, textOf } from './texts.ts';

/*
 * What is sent to hold the event loop, some of it for no other reason: a kind of input each, at the size that the limits let
 * through. Each says which statuses it may be answered by, since what is refused for another reason measures nothing.
 */

export interface LoopInput {
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Made only when its turn comes: all of them together are half a gigabyte. */
  readonly body?: () => Buffer | string;
  readonly statuses: readonly number[];
  /** How many are sent at a time. */
  readonly times?: number;
}

type Made = readonly [name: string, statuses: readonly number[], body: () => Buffer | string, path?: string];

const BODY = 8 * 2 ** 20;
const LINES = 10_000;
const [INLINE_TEXT, INLINE_HTML] = [256 * 1024, 64 * 1024];
const WORDS = 'a b c d e f g h i';
const OK = [200] as const;
const REFUSED = [400] as const;

/** The URLs, all with one content and with long names, that an answer can list. */
export const SOURCES = 9000;
export const sourceUrl = (i: number) => `https://h${i}.example/${'path-of-a-long-name/'.repeat(98)}${i}`;
export const SOURCES_TEXT = textOf(77, 5000);
/** The family of near-copies, each with all the meta that it may have. */
export const FAMILY = 300;
export const familyText = (i: number) => `${textOf(78, 20_000)} member ${i}`;
export const familyMeta = () => ({ note: 'n'.repeat(4000) });
/** A URL with as many versions as one page can list. */
export const VERSIONED = 'https://versions.example/';

const repeat = (text: string, bytes: number) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
const list = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i));
const random = randomFrom(5);
/** Words that no other text has. */
const words = (bytes: number) => {
  let text = '';
  while (text.length < bytes) text += `w${Math.floor(random() * 2 ** 32).toString(36)} `;
  return text;
};
const keys = (count: number, key: (i: number) => string) => `{${list(count, (i) => `"${key(i)}":1`).join(',')}}`;
const question = (document: object, options: object = {}) =>
  JSON.stringify({ document, deadlineMs: 20_000, ...options });
const lines = (count: number, make: (i: number) => unknown) =>
  list(count, (i) => {
    const line = make(i);
    return typeof line === 'string' ? line : JSON.stringify(line);
  }).join('\n');
const results = (make: (i: number) => object, options: object = {}) =>
  JSON.stringify({ results: list(1000, make), deadlineMs: 20_000, ...options });

const JSON_VALUES: readonly Made[] = [
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

const JSON_TEXTS: readonly Made[] = [
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

const COMPARED: readonly Made[] = [
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

const COLLAPSED: readonly Made[] = [
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
  ['1,000 names of 8 KB', OK, () => results((i) => ({ url: 'https://one.example/', id: `${i}${'n'.repeat(7900)}` }))],
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

const PUTS: readonly Made[] = [
  ['a meta of 20,000 keys', REFUSED, () => `{"text":"${WORDS}","meta":${keys(19_000, (i) => `k${i}`)}}`],
  ['a meta of 8 MiB', REFUSED, () => JSON.stringify({ text: WORDS, meta: { note: 'é'.repeat(BODY / 2 - 100) } })],
  [
    'a time of 8 MiB',
    [200, 201],
    () => JSON.stringify({ text: WORDS, observedAt: `2026-01-02T03:04:05.${'1'.repeat(BODY - 200)}Z` }),
  ],
  ['words, 8 MiB', [200, 201], () => JSON.stringify({ text: words(BODY - 200) })],
];

const QUERY_LINES: readonly Made[] = [
  ['1,000 short questions', OK, () => lines(1000, (i) => question({ text: `${WORDS} ${i}` }))],
  ['10,000 lines of {}', OK, () => lines(LINES, () => '{}')],
  ['10,000 lines that are no JSON', OK, () => lines(LINES, () => '{"a":')],
  ['60 questions with every match', OK, () => lines(60, (i) => question({ text: familyText(i) }, { limit: 1000 }))],
  ['10 questions of 800 KB', OK, () => lines(10, () => question({ text: words(800_000) }))],
];

const WRITE_LINES: readonly Made[] = [
  ['10,000 lines of {}', OK, () => lines(LINES, () => '{}')],
  ['10,000 lines of spaces', OK, () => lines(LINES, () => ' '.repeat(800))],
  ['10,000 lines of 900 wrong fields', OK, () => lines(LINES, () => `{${'"a":{},'.repeat(900)}"b":1}`)],
  ['100 lines of 20,000 keys', OK, () => lines(100, () => keys(19_000, (i) => `k${i}`))],
  [
    '10,000 texts of 1 KB',
    OK,
    () => lines(LINES, (i) => ({ op: 'put', url: `http://n.example/${i}`, text: words(1000) })),
  ],
  [
    '200 texts of 200 KB',
    OK,
    () => lines(200, (i) => ({ op: 'put', url: `http://m.example/${i}`, text: words(200_000) })),
  ],
  [
    '10,000 deletions of long URLs',
    OK,
    () => lines(LINES, (i) => ({ op: 'delete', url: `http://h${i}.ex/${'a/../'.repeat(400)}` })),
  ],
  [
    '300 texts for one URL',
    OK,
    () => lines(300, (i) => ({ op: 'put', url: 'http://one.example/', text: `${WORDS} ${i}` })),
  ],
];

const TEXTS: readonly Made[] = [
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

const PAGES: readonly Made[] = [
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

const of = (
  prefix: string,
  method: LoopInput['method'],
  path: string,
  type: string,
  made: readonly Made[],
): LoopInput[] =>
  made.map(([name, statuses, body, own]) => ({
    ...{ name: `${prefix}: ${name}`, method, path: own ?? path, headers: { 'content-type': type }, statuses, body },
  }));

const get = (
  name: string,
  path: string,
  statuses: readonly number[] = OK,
  headers: Record<string, string> = {},
): LoopInput => ({
  ...{ name, method: 'GET', path, statuses, headers },
});

const WITHOUT_BODY: readonly LoopInput[] = [
  get('a query string of 900 names', `/similar?url=http://a/&${list(900, (i) => `a${i}=1`).join('&')}`, REFUSED),
  get('a query string of 4,000 commas', `/similar?url=http://a/&excludeHosts=${','.repeat(7900)}`, REFUSED),
  get('a query string of 2,500 encoded bytes', `/similar?url=http://a/${'%61'.repeat(2500)}`, [400, 404]),
  get('a path of 8 KB', `/${'a/'.repeat(3900)}`, [404]),
  get('a path of encoded letters', `/${'%61'.repeat(2600)}`, [404, 414]),
  get('500 headers', '/health/live', OK, Object.fromEntries(list(500, (i) => [`x-${i}`, 'y'.repeat(12)]))),
  get('a key of 15 KB', '/stats', OK, { authorization: `Bearer ${'k'.repeat(15_000)}` }),
  get('a Content-Type of 15 KB', '/health/live', [200, 415], { 'content-type': `text/plain;${'a=b;'.repeat(3700)}` }),
  get('an Origin of 15 KB', '/stats', [200, 403], { origin: `http://${'a.'.repeat(7000)}example` }),
  get('1,000 versions', `/documents/versions?url=${VERSIONED}&limit=1000`),
  get('/stats', '/stats'),
  get('/metrics', '/metrics'),
  get('/openapi.json', '/openapi.json'),
  get('/docs', '/docs'),
];

const LARGE_ANSWERS: readonly LoopInput[] = [
  ...of('large answer', 'POST', '/similar', 'application/json', [
    ['1,000 sources of 2 KB', OK, () => question({ text: SOURCES_TEXT }, { sourcesPerMatch: 1000 })],
    [
      '300 matches with 4 KB of meta',
      OK,
      () => question({ text: familyText(0) }, { limit: 1000, sourcesPerMatch: 1000 }),
    ],
    ['300 matches with passages', OK, () => question({ text: familyText(0) }, { limit: 1000, passages: true })],
  ]),
  {
    ...get('large answer: 8 at a time', '/similar', OK),
    method: 'POST',
    times: 8,
    headers: { 'content-type': 'application/json' },
    body: () => question({ text: familyText(0) }, { limit: 1000, passages: true }),
  },
];

const SEVERAL: readonly LoopInput[] = [
  {
    ...{
      name: '20 texts of 256 KiB at a time',
      method: 'POST',
      path: '/similar?deadlineMs=20000',
      times: 20,
      statuses: [200, 503, 504],
    },
    ...{ headers: { 'content-type': 'text/plain' }, body: () => words(INLINE_TEXT - 20) },
  },
  {
    ...{
      name: '8 JSON texts of 8 MiB at a time',
      method: 'POST',
      path: '/similar',
      times: 8,
      statuses: [200, 422, 503, 504],
    },
    ...{ headers: { 'content-type': 'application/json' }, body: () => question({ text: repeat('漢字', BODY - 100) }) },
  },
  {
    ...{ name: '20 × 20,000 keys at a time', method: 'POST', path: '/similar', times: 20, statuses: [400, 503] },
    ...{ headers: { 'content-type': 'application/json' }, body: () => keys(19_999, (i) => `k${i}`) },
  },
  {
    ...{ name: '4 bulk loads at a time', method: 'POST', path: '/documents', times: 4, statuses: [200] },
    ...{
      headers: { 'content-type': 'application/x-ndjson' },
      body: () => lines(4000, (i) => ({ op: 'put', url: `http://four.example/${i}`, text: words(3000) })),
    },
  },
];

export const LOOP_INPUTS: readonly LoopInput[] = [
  ...of('JSON', 'POST', '/similar', 'application/json', JSON_VALUES),
  ...of('JSON text', 'POST', '/similar', 'application/json', JSON_TEXTS),
  ...of('compare', 'POST', '/compare', 'application/json', COMPARED),
  ...of('collapse', 'POST', '/collapse', 'application/json', COLLAPSED),
  ...of('put', 'PUT', '/documents?url=http://put.example/&similar=100', 'application/json', PUTS),
  ...of('questions', 'POST', '/similar', 'application/x-ndjson', QUERY_LINES),
  ...of('lines', 'POST', '/documents', 'application/x-ndjson', WRITE_LINES),
  ...of('text', 'POST', '/similar?deadlineMs=20000', 'text/plain', TEXTS),
  ...of('page', 'POST', '/similar?deadlineMs=20000', 'text/html', PAGES),
  ...WITHOUT_BODY,
  ...LARGE_ANSWERS,
  ...SEVERAL,
];
