import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompareRequest, DocumentReference } from '../../../src/service/api.ts';
import { differencesBetween } from '../../../src/service/compare/text-differences.ts';
import type { Span, SpannedText } from '../../../src/service/comparison-api.ts';
import type { TimedContext } from '../../../src/service/context.ts';
import type { Query } from '../../../src/service/document/query.ts';
import { SERVICE_LIMITS } from '../../../src/service/limits.ts';
import { Deadline } from '../../../src/sharing/deadline.ts';
import { createTextMaker } from '../../support/core/make-documents.ts';
import { article, frame, framedPage } from '../../support/pages/framed-page.ts';
import {
  ALL,
  createServiceFixture,
  IDENTITY,
  ofText,
  ofUrl,
  refused,
  type ServiceFixture,
} from '../../support/service/service-fixture.ts';

const make = createTextMaker(81);
const text = make.text(300);
const TEXT_MAX = 20_000;
const SPANS_MAX = 40;

let fixture: ServiceFixture;
beforeAll(async () => {
  fixture = createServiceFixture({ limits: { differencesTextBytesMax: TEXT_MAX, differencesSpansMax: SPANS_MAX } });
  await fixture.put('https://a.example/text', text);
});
afterAll(() => fixture.close());

const NONE = { resemblance: null, aInB: null, bInA: null };
const compare = (a: DocumentReference, b: DocumentReference, more: Partial<CompareRequest> = {}) => {
  const asked = { thresholds: NONE, passages: false, fetch: 'auto', deadlineMs: 10_000 } as const;
  return fixture.service.compare({ a, b, ...asked, differences: true, texts: true, ...more }, ALL);
};
const between = async (a: string, b: string) => (await compare(ofText(a), ofText(b))).differences!;
const pieces = ({ text: whole = '', spans }: SpannedText) =>
  spans.map(({ kind, from, to }) => [kind, whole.slice(from, to)]);

function expectPartition({ characters, spans }: SpannedText): void {
  expect(spans.map(({ from }) => from)).toEqual([0, ...spans.slice(0, -1).map(({ to }) => to)]);
  expect(spans.at(-1)!.to).toBe(characters);
  expect(spans.every(({ from, to }) => from < to)).toBe(true);
}

function expectPartners(spans: readonly Span[], others: readonly Span[]): void {
  for (const [i, { kind, partner }] of spans.entries()) {
    if (partner === null) continue;
    expect(others[partner]).toMatchObject({ kind, partner: i });
  }
}

describe('differences', () => {
  it('are spans of each text in UTF-16 code units, every character in one', async () => {
    const [head, tail] = ['Zwölf Boxkämpfer 𝒥agen 😀 Viktor quer', 'über den großen Sylter Deich, sagte er.'];
    const found = await between(`« ${head}, 😀 heute ${tail} 😀`, `${head} – morgen… ${tail}`);
    expect(pieces(found.a)).toEqual([
      ['common', `« ${head}, 😀 `],
      ['only', 'heute '],
      ['common', `${tail} 😀`],
    ]);
    expect(pieces(found.b)).toEqual([
      ['common', `${head} – `],
      ['only', 'morgen… '],
      ['common', tail],
    ]);
    expect(found.complete).toBe(true);
    for (const side of [found.a, found.b]) {
      expect(side.characters).toBe(side.text!.length);
      expectPartition(side);
    }
    expectPartners(found.a.spans, found.b.spans);
  });

  it('are of the text as it was extracted, which comes only where it is asked for', async () => {
    const html = (body: string): DocumentReference => ({
      ...ofText(''),
      body: { bytes: Buffer.from(`<title>T</title><p>${body}</p><script>x()</script>`), contentType: 'text/html' },
    });
    const asked = await compare(html(text), html(`${text} more`));
    expect(asked.differences!.a.text).toContain(text);
    expect(asked.differences!.a.text).not.toContain('<p>');
    const { differences } = await compare(html(text), html(`${text} more`), { texts: false });
    expect(differences!.a).not.toHaveProperty('text');
    expect(differences!.a.spans).toEqual(asked.differences!.a.spans);
    await expect(compare(html(text), html(text), { differences: false })).rejects.toMatchObject(
      refused('invalid-request', { field: 'texts' }),
    );
    expect(await compare(html(text), html(text), { differences: false, texts: false })).not.toHaveProperty(
      'differences',
    );
  });

  it('take fetched pages, and say so where only the index knows one', async () => {
    const known = ofUrl('https://a.example/text');
    const stored = await compare(known, ofText(text));
    expect(stored).toMatchObject({
      differences: null,
      limits: [{ code: 'differences-need-text', affected: 1, of: 2 }],
    });
    expect((await compare(known, known)).limits).toEqual([{ code: 'differences-need-text', affected: 2, of: 2 }]);
    fixture.web.pages.set('https://a.example/text', `${text} as it says today`);
    const fetched = await compare(known, ofText(text), { fetch: 'always' });
    expect(pieces(fetched.differences!.a)).toEqual([
      ['common', `${text} `],
      ['only', 'as it says today'],
    ]);
    expect(fetched.limits).toEqual([]);
  });

  it('are told of the first part of a long text, cut between words; the rest is unread', async () => {
    const long = make.text(6000);
    const { differences, limits } = await compare(ofText(long), ofText(text));
    const { a, b, complete } = differences!;
    expect(complete).toBe(false);
    const bytes = Buffer.byteLength(long) + Buffer.byteLength(text);
    expect(limits).toEqual([{ code: 'differences-text', affected: long.length - a.text!.length, of: bytes }]);
    expect(a.text).toBe(long.slice(0, a.text!.length));
    expect(long.slice(0, a.text!.length)).toMatch(/ $/);
    expect(a.text!.length).toBeGreaterThan(TEXT_MAX - 100);
    expect(a.spans.at(-1)).toEqual({ kind: 'unread', from: a.text!.length, to: long.length, partner: null });
    expectPartition(a);
    expectPartition(b);
    // without a space, between characters
    const open = await compare(ofText('語'.repeat(TEXT_MAX)), ofText(text));
    expect(open.differences!.a.text).toBe('語'.repeat(Math.floor(TEXT_MAX / 3)));
    expectPartition(open.differences!.a);
  });

  it('are told of a text that has no word as far as it is compared: nothing of it is common', async () => {
    const late = `${'¡ '.repeat(TEXT_MAX / 2)}${text}`;
    const { differences, explanation, limits } = await compare(ofText(late), ofText(text), { explain: true });
    expect(limits).toMatchObject([{ code: 'differences-text' }]);
    expect(explanation!.steps).toHaveLength(9);
    const { a, b } = differences!;
    expectPartition(a);
    expectPartition(b);
    expect(a.spans.map(({ kind }) => kind)).toEqual(['only', 'unread']);
    expect(b.spans.map(({ kind }) => kind)).toEqual(['only']);
    const both = await compare(ofText(late), ofText(`${'! '.repeat(TEXT_MAX / 2)}${text}`));
    expect(both.differences!.b.spans.map(({ kind }) => kind)).toEqual(['only', 'unread']);
  });

  it('are at most so many spans, of which those that are told keep their partners', async () => {
    const passages = Array.from({ length: 60 }, () => make.text(8));
    const found = await compare(ofText(passages.join(' x ')), ofText(passages.join(' y ')));
    const { a, b, complete } = found.differences!;
    expect(complete).toBe(false);
    expect(found.limits).toEqual([{ code: 'differences-spans', affected: 2 * (119 - SPANS_MAX), of: 2 * 119 }]);
    expect([a.spans.length, b.spans.length]).toEqual([SPANS_MAX + 1, SPANS_MAX + 1]);
    for (const side of [a, b]) expectPartition(side);
    expectPartners(a.spans, b.spans);
    expect(a.spans.at(-1)!.kind).toBe('unread');
    // here the partner of what comes first is not told
    const turned = await compare(ofText(passages.join(' x ')), ofText(passages.toReversed().join(' y ')));
    expectPartners(turned.differences!.a.spans, turned.differences!.b.spans);
    const first = turned.differences!.a.spans.filter(({ kind }) => kind !== 'only' && kind !== 'unread');
    expect(first.map(({ partner }) => partner)).toContain(null);
  });

  it('say where the main text of a page stands, and nothing of a text that is all main', async () => {
    const around = frame(make, 200);
    const story = article(make, 150);
    const page = { bytes: Buffer.from(framedPage(around, story)), contentType: 'text/html; charset=utf-8' };
    const { differences } = await compare({ ...ofText(''), body: page }, ofText(story));
    const { text: whole, main } = differences!.a;
    const told = main!.map(({ from, to }) => whole!.slice(from, to)).join(' ');
    const words = (of: string) => of.toLowerCase().match(/word\w+/g)!;
    expect(new Set(words(told)).isSupersetOf(new Set(words(story)))).toBe(true);
    const links = new Set(words(around.before));
    // a link may be taken for a line of the article
    expect(words(told).filter((word) => links.has(word)).length).toBeLessThan(0.2 * links.size);
    for (const [i, { from, to }] of main!.entries()) {
      expect(from).toBeLessThan(to);
      expect(to).toBeLessThanOrEqual(main![i + 1]?.from ?? whole!.length);
    }
    expect(differences!.b.main).toBeNull();
  });

  it('have no empty span where several words are one character', async () => {
    const halves = '½ ¼ ¾ ㍿ ½ ㎏ ½ '.repeat(4);
    const found = await between(`${halves} ${text}`, `${text} ¼ ${halves}`);
    for (const side of [found.a, found.b]) expectPartition(side);
    expectPartners(found.a.spans, found.b.spans);
  });

  it.each([1, 2, 4])(
    'are not there where the deadline comes first, after %d steps, and that is said',
    async (steps) => {
      const deadline = new Deadline(Number.POSITIVE_INFINITY);
      let taken = 0;
      const spent = () => {
        if (++taken === steps) deadline.end();
        return false;
      };
      const turns = { spent, next: () => Promise.resolve() };
      const context = { identity: IDENTITY, limits: SERVICE_LIMITS, turns, deadline } as unknown as TimedContext;
      const query = (words: string) => ({ document: { text: Buffer.from(words) } }) as unknown as Query;
      const [a, b] = [make.text(5000), make.text(3000)];
      const { differences, limits } = await differencesBetween(context, query(a), query(b), {});
      expect(limits).toEqual([{ code: 'deadline', affected: 2, of: 2 }]);
      expect(differences).toEqual({
        complete: false,
        a: { characters: a.length, spans: [{ kind: 'unread', from: 0, to: a.length, partner: null }], main: null },
        b: { characters: b.length, spans: [{ kind: 'unread', from: 0, to: b.length, partner: null }], main: null },
      });
    },
  );
});
