import { textOf } from '../texts.ts';
import { LARGE } from './loop-answers.ts';
import {
  BODY,
  INLINE_TEXT,
  keys,
  LINES,
  lines,
  list,
  type Made,
  OK,
  question,
  REFUSED,
  repeat,
  WORDS,
  words,
} from './loop-bodies.ts';
import { familyText, shortUrl, sourceUrl, VERSIONED } from './loop-index.ts';
import { COLLAPSED, COMPARED, JSON_TEXTS, JSON_VALUES, PUTS } from './loop-json.ts';
import { PAGES, TEXTS } from './loop-texts.ts';

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

const QUERY_LINES: readonly Made[] = [
  ['1,000 short questions', OK, () => lines(1000, (i) => question({ text: `${WORDS} ${i}` }))],
  ['10,000 lines of {}', OK, () => lines(LINES, () => '{}')],
  ['10,000 blank lines', OK, () => '\n'.repeat(LINES)],
  ['10,000 lines that are no JSON', OK, () => lines(LINES, () => '{"a":')],
  ['60 questions with every match', OK, () => lines(60, (i) => question({ text: familyText(i) }, { limit: 1000 }))],
  ['10 questions of 800 KB', OK, () => lines(10, () => question({ text: words(800_000) }))],
];

const WRITE_LINES: readonly Made[] = [
  ['10,000 lines of {}', OK, () => lines(LINES, () => '{}')],
  ['10,000 blank lines', OK, () => '\n'.repeat(LINES)],
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
  [
    '10,000 versions of one URL',
    OK,
    () =>
      lines(LINES, (i) => {
        const observedAt = new Date(1.6e12 + i * 3_600_000).toISOString();
        return { op: 'put', url: 'http://versions.example/', text: `${WORDS} ${i}`, observedAt };
      }),
  ],
  [
    '3,000 conditional lines of one family',
    OK,
    () =>
      lines(3000, (i) => {
        const text = `${textOf(80, 1000)} member ${i}`;
        return { op: 'put', url: `http://c.example/${i}`, text, unless: 'similar', thresholds: { resemblance: 0.9 } };
      }),
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
  get('a list of 1,000 long URLs', '/documents/list?limit=1000'),
  get('a list that nothing passes', `/documents/list?limit=1000&meta=${encodeURIComponent('{"a":1}')}`),
  get('1,000 hosts', '/documents/hosts?limit=1000'),
  get('changes of 1,000 hosts', '/documents/changes?limit=1000'),
  get('a cluster of thousands', `/clusters?url=${encodeURIComponent(shortUrl(0))}&threshold=0.3&deadlineMs=20000`),
  get(
    'a cluster by many long URLs',
    `/clusters?url=${encodeURIComponent(sourceUrl(0))}&sourcesPerMember=1000&deadlineMs=20000`,
  ),
  get('/stats', '/stats'),
  get('/metrics', '/metrics'),
  get('/openapi.json', '/openapi.json'),
  get('/docs', '/docs'),
];

const LARGE_ANSWERS: readonly LoopInput[] = [
  ...of('large answer', 'POST', '/similar', 'application/json', LARGE),
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
    ...{
      name: '60 × 10,000 blank lines at a time',
      method: 'POST',
      path: '/documents',
      times: 60,
      statuses: [200, 503],
    },
    ...{ headers: { 'content-type': 'application/x-ndjson' }, body: () => `${' '.repeat(15)}\n`.repeat(LINES) },
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
