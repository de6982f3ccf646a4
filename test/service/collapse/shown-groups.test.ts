import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { behind, collapse, positions, type TestResult } from '../../support/service/collapse-fixture.ts';
import { createServiceFixture, type ServiceFixture } from '../../support/service/service-fixture.ts';

/* What is shown of the groups: one long list and its pages, hosts, representatives, stubs. */

const make = createTextMaker(91);
let fixture: ServiceFixture;
beforeAll(() => {
  fixture = createServiceFixture();
});
afterAll(() => fixture.close());

const ask = (results: readonly TestResult[], options = {}) => collapse(fixture, results, options);
const words = (text: string, count: number) => text.split(' ').slice(0, count).join(' ');

describe('a stub', () => {
  const banner = make.text(18);
  const [first, second] = [make.text(150), make.text(100)];
  const results = [{ text: banner }, { text: `${banner} ${first}` }, { text: `${second} ${banner}` }];

  it('swallows nothing that contains it, and is not swallowed', async () => {
    const answer = await ask(results);
    expect(positions(answer)).toEqual([[0], [1], [2]]);
    expect(answer.groups.map(({ representative }) => representative.short)).toEqual([true, false, false]);
    expect(positions(await ask(results, { minimumShingles: 14 }))).toEqual([[1, 0], [2]]);
  });

  it('joins by equality and by resemblance', async () => {
    const near = `${banner} end`;
    const answer = await ask([{ text: banner }, { text: banner.toUpperCase() }, { text: near }]);
    expect(positions(answer)).toEqual([[0, 1, 2]]);
    expect(answer.groups[0]!.members.map(({ by, short }) => [by, short])).toEqual([
      ['equal', true],
      ['resemblance', true],
    ]);
  });
});

describe('the representative', () => {
  const text = make.text(200);
  const near = make.changed(text, 0.01);
  const part = words(text, 80);

  it('is the first, but the container of what is contained', async () => {
    expect(positions(await ask([{ text: near }, { text }]))).toEqual([[0, 1]]);
    const answer = await ask([{ text: part }, { text: make.text(50) }, { text }]);
    expect(positions(answer)).toEqual([[2, 0], [1]]);
    expect(answer.groups[0]!.members[0]).toMatchObject({
      by: 'resultInRepresentative',
      resemblance: { decision: 'no' },
    });
  });

  it('is the outermost of what is contained in one another, where both meet it', async () => {
    const [inner, middle] = [words(text, 60), words(text, 120)];
    expect(positions(await ask([{ text: inner }, { text: middle }, { text }]))).toEqual([[2, 0, 1]]);
  });

  it('is what is preferred, and everybody in its group meets it', async () => {
    const list = [
      { url: 'https://a.example/a/very/long/path', text: part, observedAt: 3000 },
      { url: 'https://b.example/long', text, observedAt: 2000 },
      { url: 'https://docs.example/', text: `${text} more`, observedAt: 4000 },
      { url: 'https://c.example/longer', text: near, observedAt: 1000 },
    ];
    expect(positions(await ask(list, { prefer: 'longest' }))).toEqual([[2, 0, 1, 3]]);
    // what is contained in it, or contains it, meets the part; near-copies meet each other
    expect(positions(await ask(list, { prefer: 'oldest' }))).toEqual([[3, 0, 1, 2]]);
    expect(positions(await ask(list, { prefer: 'shortest-url' }))).toEqual([[2, 0, 1, 3]]);
    expect(positions(await ask(list, { prefer: ['nowhere.example', 'www.b.example'] }))).toEqual([[1, 0, 2, 3]]);
    expect(positions(await ask(list, { prefer: ['a.example'] }))).toEqual([[0, 1, 2, 3]]);
  });

  it('is the oldest by what the index first saw, also of a result with a body', async () => {
    await fixture.put('https://new.example/', text, { observedAt: 5000 });
    await fixture.put('https://old.example/', near, { observedAt: 1000 });
    const list = [
      { url: 'https://new.example/' },
      { url: 'https://none.example/', text },
      { url: 'https://old.example/', text },
    ];
    expect(positions(await ask(list, { prefer: 'oldest' }))).toEqual([[2, 0, 1]]);
    const dated = [{ ...list[0]!, observedAt: 500 }, ...list.slice(1)];
    expect(positions(await ask(dated, { prefer: 'oldest' }))).toEqual([[0, 1, 2]]);
  });
});

describe('pages of one list', () => {
  const originals = Array.from({ length: 12 }, () => make.text(60));
  /** 40 results: each original several times, by hosts that come again. */
  const list = Array.from({ length: 40 }, (_, i) => ({
    url: `https://h${i % 5}.example/${i}`,
    text: i % 3 === 0 ? make.changed(originals[(i * 7) % 12]!, 0.01) : originals[(i * 7) % 12]!,
    id: `r${i}`,
  }));

  it('are as many groups as are wanted, and say how many results they took', async () => {
    const whole = await ask(list);
    for (const want of [1, 5, 11, 12, 20]) {
      const page = await ask(list, { want });
      expect(page.groups).toEqual(whole.groups.slice(0, want));
      const next = whole.groups[want];
      const firstOfNext = next && Math.min(next.representative.result, ...next.members.map(({ result }) => result));
      expect(page.taken).toBe(firstOfNext ?? list.length);
    }
  });

  it.each([
    ['first', null],
    ['longest', null],
    ['first', 1],
    ['longest', 2],
  ])('show together what one page shows, each result once: %s, %s a host', async (prefer, perHost) => {
    const whole = await ask(list, { prefer, perHost });
    const idsOf = (groups: typeof whole.groups) => groups.map(({ representative }) => representative.id);
    const shown: TestResult[] = [];
    const pages: (typeof whole)[] = [];
    let rest: TestResult[] = list;
    while (rest.length > 0) {
      const results = [...shown.map((result) => ({ ...result, shown: true })), ...rest];
      const page = await ask(results, { prefer, perHost, want: 3 });
      pages.push(page);
      shown.push(...page.groups.map(({ representative }) => list.find(({ id }) => id === representative.id)!));
      rest = results.slice(page.taken).filter((result) => result.shown !== true);
    }
    expect(pages.length).toBeGreaterThan(1);
    const ids = pages.flatMap(({ groups }) => idsOf(groups));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(idsOf(whole.groups).toSorted());
    // and nobody is lost
    const named = new Set(JSON.stringify(pages).match(/(?<="id":")r\d+/g));
    expect(named.size).toBe(list.length);
  });

  it('do not answer again what was shown, but what belongs to it', async () => {
    const [text, other] = [make.text(80), make.text(80)];
    const results = [
      { url: 'https://a.example/', text, shown: true },
      { url: 'https://b.example/', text: make.changed(text, 0.01) },
      { url: 'https://c.example/', text: other, shown: true },
      { url: 'https://d.example/', text: make.text(50) },
    ];
    const answer = await ask(results);
    expect(positions(answer)).toEqual([[3]]);
    expect(positions({ ...answer, groups: answer.shownBefore })).toEqual([[0, 1]]);
    expect(answer.taken).toBe(4);
  });

  it('let represent what was shown, whatever is preferred', async () => {
    const text = make.text(80);
    const results = [{ text: `${text} and more` }, { text: words(text, 70), shown: true }];
    for (const prefer of ['first', 'longest']) {
      const answer = await ask(results, { prefer });
      expect(answer.groups).toEqual([]);
      expect(positions({ ...answer, groups: answer.shownBefore })).toEqual([[1, 0]]);
    }
  });
});

describe('perHost', () => {
  const of = (host: string, text = make.text(40)) => ({ url: `https://${host}/${make.prng.below(1e9)}`, text });

  it('lets so many groups of a host in, the others behind the last of them, and counts what was shown', async () => {
    const results = [of('a.example'), of('a.example'), of('b.example'), of('www.a.example'), of('A.example')];
    const answer = await ask(results, { perHost: 2 });
    expect(positions(answer)).toEqual([[0], [1], [2]]);
    expect(behind(answer)).toEqual([[], [[3], [4]], []]);
    const [first, ...rest] = results;
    const later = await ask([{ ...first!, shown: true }, ...rest], { perHost: 1 });
    expect(positions(later)).toEqual([[2]]);
    expect(behind({ groups: later.shownBefore })).toEqual([[[1], [3], [4]]]);
  });

  it('counts www. as another host where URLs are exact, and leaves alone what has no host', async () => {
    const results = [of('a.example'), of('www.a.example'), { text: make.text(40) }, { text: make.text(40) }];
    expect(positions(await ask(results, { perHost: 1 }))).toEqual([[0], [2], [3]]);
    expect(positions(await ask(results, { perHost: 1, urls: 'exact' }))).toEqual([[0], [1], [2], [3]]);
  });

  it('does not count what is behind as wanted', async () => {
    const results = [of('a.example'), of('a.example'), of('b.example'), of('a.example'), of('c.example')];
    const answer = await ask(results, { perHost: 1, want: 2 });
    expect(positions(answer)).toEqual([[0], [2]]);
    expect(behind(answer)).toEqual([[[1], [3]], []]);
    expect(answer.taken).toBe(4);
  });
});
