import { describe, expect, it } from 'vitest';
import { positions, startCollapse, type TestResult } from '../../../support/service/collapse-fixture.ts';

/* Titles and snippets of two results, and whether they are one page. */

const TEXT = 'Global sea surface temperatures reached a record high in spring, the climate service of the union said';
const OTHER = 'Rail traffic between the two cities came to a standstill after a storm brought down power lines';
const TITLE = 'Ocean temperatures hit a record high again';

type Shown = readonly [title: string | null, snippet: string | null, url?: string];

async function joinedBy(a: Shown, b: Shown): Promise<string | null> {
  const { ask } = startCollapse();
  const results = [a, b].map(
    ([title, snippet, url], i): TestResult => ({
      url: url ?? `https://h${i}.example/x`,
      ...(title === null ? {} : { title }),
      ...(snippet === null ? {} : { snippet }),
    }),
  );
  const answer = await ask(results);
  const back = await ask(results.toReversed());
  expect(positions(back)).toEqual(positions(answer));
  return answer.groups[0]!.members[0]?.by ?? null;
}

const words = (text: string, from: number, to?: number) => text.split(' ').slice(from, to).join(' ');

describe('two results are one page', () => {
  it.each<[string, Shown, Shown, string]>([
    ['by equal captions', [TITLE, TEXT], [TITLE, TEXT], 'title-and-snippet'],
    ['by snippets alone', [null, TEXT], [null, TEXT], 'snippet'],
    ['of which one has no title', [TITLE, TEXT], [null, TEXT], 'snippet'],
    [
      'marked otherwise',
      [`<b>${TITLE}</b>`, TEXT],
      [TITLE, `<em>Global sea</em> ${words(TEXT, 2)}`],
      'title-and-snippet',
    ],
    ['in other letters', [TITLE.toUpperCase(), TEXT], [TITLE, TEXT], 'title-and-snippet'],
    ['cut at other places', [TITLE, `${words(TEXT, 0, 9)} ...`], [TITLE, `… ${words(TEXT, 2)}`], 'title-and-snippet'],
    ['cut in a word', [TITLE, `${words(TEXT, 0, 9)} spri…`], [TITLE, TEXT], 'title-and-snippet'],
    ['one the beginning of the other', [null, words(TEXT, 0, 9)], [null, TEXT], 'snippet'],
    ['with a date in front', [TITLE, `12 Mar 2024 — ${TEXT}`], [TITLE, `vor 3 Tagen - ${TEXT}`], 'title-and-snippet'],
    ['with a byline in front', [TITLE, `LONDON (Wire) - ${TEXT}`], [TITLE, `By Ann Lee. ${TEXT}`], 'title-and-snippet'],
    [
      'with names of sites',
      [`${TITLE} - Daily News`, TEXT, 'https://dailynews.example/a'],
      [`${TITLE} | H1`, TEXT],
      'title-and-snippet',
    ],
    [
      'with a name of a site in front',
      [`Daily News: ${TITLE}`.replace(':', ' -'), TEXT, 'https://dailynews.example/a'],
      [TITLE, TEXT],
      'title-and-snippet',
    ],
    ['with one that is not the host', [`${TITLE} - Reuters`, TEXT], [TITLE, TEXT], 'title-and-snippet'],
    [
      'one of which keeps the name of the site',
      ['Tide - Almanac', TEXT, 'https://almanac.example/a'],
      ['Tide - Almanac', TEXT],
      'title-and-snippet',
    ],
    ['with a title that is cut', ['Ocean temperatures hit a record ...', TEXT], [TITLE, TEXT], 'title-and-snippet'],
    [
      'with a snippet that says nothing',
      [TITLE, 'Please enable JavaScript to view this page.'],
      [TITLE, TEXT],
      'title',
    ],
    ['with no snippet', [TITLE, null], [TITLE, ''], 'title'],
    [
      'by two parts of the text',
      [TITLE, `${TEXT}. ${OTHER} …`],
      [
        TITLE,
        `… ${words(TEXT, 8)}. … He had seen nothing like it, the head of the service said, and would not say more …`,
      ],
      'title-and-snippet',
    ],
    [
      'by two headlines',
      ['Sea surface temperatures at a record, climate service says', TEXT],
      ['Climate service reports record of surface temperatures', TEXT],
      'title-and-snippet',
    ],
  ])('%s', async (_what, a, b, by) => {
    expect(await joinedBy(a, b)).toBe(by);
  });
});

describe('two results are not one page', () => {
  it.each<[string, Shown, Shown]>([
    ['that differ in a number', ['CVE-2024-3094 - Base', TEXT], ['CVE-2024-3095 - Base', TEXT]],
    [
      'that differ in a number of the site',
      ['json - Python 3.11 docs', TEXT, 'https://docs.python.example/1'],
      ['json - Python 3.12 docs', TEXT, 'https://docs.python.example/2'],
    ],
    ['that differ in a name', ['Nurse at St Anne, Leeds', TEXT], ['Porter at St Anne, Leeds', TEXT]],
    ['that differ in a town', ['Tide tables for anglers (Porto)', TEXT], ['Tide tables for anglers (Lisbon)', TEXT]],
    [
      'that differ in a town that the URL has',
      ['Tide tables for all anglers', TEXT],
      ['Tide tables for all anglers - Porto', TEXT, 'https://b.example/porto'],
    ],
    ['of which one is a kind of the other', ['iPhone 15', TEXT], ['iPhone 15 Pro', TEXT]],
    ['with other titles', ['Ablis', TEXT], ['Adainville', TEXT]],
    ['with other snippets', [TITLE, TEXT], [TITLE, OTHER]],
    [
      'with another number in their snippets',
      [null, `${words(TEXT, 0, 8)} 12 ${words(TEXT, 8)}`],
      [null, `${words(TEXT, 0, 8)} 13 ${words(TEXT, 8)}`],
    ],
    ['with a number more', [TITLE, `${words(TEXT, 0, 8)} 12 ${words(TEXT, 8)}`], [TITLE, TEXT]],
    ['with another word', [TITLE, TEXT], [TITLE, TEXT.replace('spring', 'autumn')]],
    ['with another end', [TITLE, `${TEXT} in Porto`], [TITLE, `${TEXT} in Lisbon`]],
    ['with another beginning', [null, `In Porto ${TEXT}`], [null, `In Lisbon ${TEXT}`]],
    [
      'that say nothing',
      ['Apply', 'You need to enable JavaScript to run this app.'],
      ['Shifts', 'You need to enable JavaScript to run this app.'],
    ],
    [
      'that ask to sign in',
      ['Sign in', 'Sign in to continue to your account'],
      ['Sign in', 'Sign in to continue to your account'],
    ],
    ['with a short title alone', ['Press releases', null], ['Press releases', null]],
    ['of one host, with titles alone', [TITLE, null, 'https://a.example/1'], [TITLE, null, 'https://a.example/2']],
    ['with few words', [null, 'Read more about this here today'], [null, 'Read more about this here today']],
    ['of one employer', ['Grand Hotel Porto seeks a gardener', TEXT], ['Waiter - Grand Hotel Porto', TEXT]],
  ])('%s', async (_what, a, b) => {
    expect(await joinedBy(a, b)).toBeNull();
  });

  it('where a snippet stands below titles of several pages', async () => {
    const { ask } = startCollapse();
    const [title, other] = [
      'Sea surface temperatures at a record, climate service says',
      'Climate service reports record of surface temperatures',
    ];
    const two = [
      { url: 'https://a.example/', title, snippet: TEXT },
      { url: 'https://b.example/', title: other, snippet: TEXT },
    ];
    expect(positions(await ask(two))).toEqual([[0, 1]]);
    const third = {
      url: 'https://c.example/',
      title: 'Sea surface temperatures at a record, weather service says',
      snippet: TEXT,
    };
    expect(positions(await ask([...two, third]))).toEqual([[0], [1], [2]]);
  });
});

describe('what is shown of a page', () => {
  it('is of no account between two documents that are known', async () => {
    const { ask } = startCollapse();
    const results = [TEXT, OTHER].map((text, i) => ({
      url: `https://h${i}.example/`,
      text,
      title: TITLE,
      snippet: TEXT,
    }));
    expect(positions(await ask(results))).toEqual([[0], [1]]);
  });

  it('does not chain: each member is one page with what represents it', async () => {
    const { ask } = startCollapse();
    const parts = [`${words(TEXT, 0, 9)} …`, TEXT, `… ${words(TEXT, 9)}`];
    expect(positions(await ask(parts.map((snippet) => ({ snippet }))))).toEqual([[0, 1], [2]]);
  });
});
