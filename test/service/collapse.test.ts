import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CollapseAnswer, CollapseRequest, DocumentReference } from '../../src/service/api.ts';
import { createTextMaker, exactShares } from '../support/make-documents.ts';
import {
  ALL,
  createServiceFixture,
  ofText,
  ofUrl,
  READ_ONLY,
  refused,
  type ServiceFixture,
  SHINGLE_SIZE,
} from '../support/service-fixture.ts';

const make = createTextMaker(90);
const THRESHOLDS = { resemblance: 0.8, queryInMatch: 0.9, matchInQuery: 0.9 };
let fixture: ServiceFixture;
beforeAll(() => {
  fixture = createServiceFixture();
});
afterAll(() => fixture.close());

const collapse = (results: readonly DocumentReference[], more: Partial<CollapseRequest> = {}) =>
  fixture.service.collapse({ results, thresholds: THRESHOLDS, fetch: false, deadlineMs: 20_000, ...more }, ALL);

/** Groups as plain lists of positions, representative first. */
const positions = ({ groups }: CollapseAnswer) =>
  groups.map(({ representative, members }) => [representative, ...members.map(({ result }) => result)]);

/** The same by brute force, over whole sets. */
function groupsOf(
  texts: readonly string[],
  { resemblance, queryInMatch, matchInQuery }: CollapseRequest['thresholds'],
) {
  const groups: number[][] = [];
  for (const [result, text] of texts.entries()) {
    const group = groups.find(([representative]) => {
      const shares = exactShares(text, texts[representative!]!, SHINGLE_SIZE);
      return (
        (resemblance !== null && shares.resemblance >= resemblance) ||
        (queryInMatch !== null && shares.aInB >= queryInMatch) ||
        (matchInQuery !== null && shares.bInA >= matchInQuery)
      );
    });
    if (group === undefined) groups.push([result]);
    else group.push(result);
  }
  return groups;
}

describe('collapse', () => {
  it('groups as brute force does: each result once, with the first representative that it meets itself', async () => {
    // drafts of drafts: chains in which neighbours meet and ends do not, and texts within texts
    const threshold = fc.constantFrom(null, 0, 0.3, 0.6, 0.9, 1);
    const thresholds = fc
      .record({ resemblance: threshold, queryInMatch: threshold, matchInQuery: threshold })
      .filter((record) => Object.values(record).some((value) => value !== null));
    await fc.assert(
      fc.asyncProperty(thresholds, fc.nat(), async (asked, seed) => {
        const maker = createTextMaker(seed);
        const texts = [maker.text(60)];
        for (let result = 1; result < 14; result++) {
          const earlier = texts[maker.prng.below(texts.length)]!;
          const kind = maker.prng.below(4);
          if (kind === 0) texts.push(maker.text(40));
          else if (kind === 1) texts.push(`${maker.text(20)} ${earlier}`);
          else if (kind === 2) texts.push(earlier);
          else texts.push(maker.changed(earlier, 0.05));
        }
        const answer = await collapse(
          texts.map((text) => ofText(text)),
          { thresholds: asked },
        );
        expect(positions(answer)).toEqual(groupsOf(texts, asked));
        expect(answer).toMatchObject({ unknown: [], complete: true });
      }),
      { seed: 5, numRuns: 60 },
    );
  });

  it('says of each member how it compares with its representative', async () => {
    const text = make.text(100);
    const part = text.split(' ').slice(0, 60).join(' ');
    const answer = await collapse([ofText(text), ofText(part), ofText(text), ofText(`${text}!`)]);
    expect(answer.groups).toEqual([
      {
        representative: 0,
        members: [
          {
            result: 1,
            equivalence: 'none',
            resemblance: { exact: expect.closeTo(56 / 96, 2), decision: 'no' },
            resultInRepresentative: { exact: 1, decision: 'yes' },
            representativeInResult: { exact: expect.closeTo(56 / 96, 2), decision: 'no' },
          },
          expect.objectContaining({ result: 2, equivalence: 'identical' }),
          expect.objectContaining({ result: 3, equivalence: 'lexical' }),
        ],
      },
    ]);
  });

  it('compares what is given with what is indexed, long and short, by estimates', async () => {
    const long = make.text(3000);
    await fixture.put('urn:long', long);
    await fixture.put('urn:part', long.split(' ').slice(0, 300).join(' '));
    const near = ofText(make.changed(long, 0.003));
    const answer = await collapse([ofUrl('urn:part'), near, ofUrl('urn:long')]);
    expect(positions(answer)).toEqual([[0, 1, 2]]);
    expect(answer.groups[0]?.members[1]).toMatchObject({
      representativeInResult: { estimate: 1, low: expect.any(Number), high: 1, decision: 'yes' },
      resultInRepresentative: { estimate: expect.closeTo(0.1, 1), decision: 'no' },
    });
    expect(positions(await collapse([near, ofUrl('urn:long')]))).toEqual([[0, 1]]);
  });

  it('keeps what cannot be compared, each alone and with its reason', async () => {
    const text = make.text(50);
    await fixture.put('urn:known', text);
    fixture.web.pages.set('https://new.example/', text);
    fixture.web.pages.set('https://down.example/', 'fetch-timeout');
    const results = [
      ofUrl('https://new.example/'),
      ofUrl('urn:known'),
      ofUrl('https://down.example/'),
      ofUrl('urn:unknown'),
      ofText(' ! '),
      ofUrl('no url'),
      { url: null, body: { bytes: Buffer.from([0, 1, 2, 3]), contentType: 'image/png' }, select: null, remove: null },
    ];
    const offline = await collapse(results);
    expect(positions(offline)).toEqual([[0], [1], [2], [3], [4], [5], [6]]);
    expect(offline.unknown).toEqual([
      { result: 0, reason: 'not-indexed' },
      { result: 2, reason: 'not-indexed' },
      { result: 3, reason: 'not-indexed' },
      { result: 4, reason: 'empty-document' },
      { result: 5, reason: 'unusable' },
      { result: 6, reason: 'unusable' },
    ]);
    expect(offline.complete).toBe(true);
    const online = await collapse(results, { fetch: true });
    expect(positions(online)[0]).toEqual([0, 1]);
    expect(online.unknown).toContainEqual({ result: 2, reason: 'fetch-failed' });
    expect(online.unknown).toContainEqual({ result: 3, reason: 'not-indexed' });
  });

  it('leaves alone what its deadline does not reach', async () => {
    const text = make.text(50);
    for (let slow = 0; slow < 3; slow++) {
      fixture.web.pages.set(`https://slow.example/${slow}`, new Promise<never>(() => {}));
    }
    const results = [ofText(text), ofUrl('https://slow.example/0'), ofText(text), ofUrl('https://slow.example/1')];
    const answer = await collapse(results, { fetch: true, deadlineMs: 50 });
    expect(positions(answer).flat().toSorted()).toEqual([0, 1, 2, 3]);
    expect(answer.complete).toBe(false);
    expect(answer.unknown).toContainEqual({ result: 1, reason: 'deadline' });
    expect(answer.unknown).toContainEqual({ result: 3, reason: 'deadline' });
    const caller = AbortSignal.abort();
    const given = { results, thresholds: THRESHOLDS, fetch: true, deadlineMs: 1000 };
    await expect(fixture.service.collapse(given, ALL, caller)).rejects.toMatchObject(refused('deadline-exceeded'));
  });

  it('takes a thousand results, and refuses more, or fetching without the scope', async () => {
    const family = Array.from({ length: 10 }, () => make.text(80));
    const results = Array.from({ length: 1000 }, (_, at) => ofText(make.changed(family[at % 10]!, 0.002)));
    const answer = await collapse(results);
    expect(
      positions(answer)
        .flat()
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 1000 }, (_, at) => at));
    expect(answer.groups.length).toBeLessThan(100);
    await expect(collapse([...results, ofText('x')])).rejects.toMatchObject(
      refused('invalid-request', { field: 'results', limit: { name: 'collapseResultsMax', value: 1000 } }),
    );
    const forbidden = fixture.service.collapse(
      { results: [], thresholds: THRESHOLDS, fetch: true, deadlineMs: 100 },
      READ_ONLY,
    );
    await expect(forbidden).rejects.toMatchObject(refused('forbidden', { field: 'fetch' }));
    expect(await collapse([])).toMatchObject({ groups: [], unknown: [], complete: true });
  });
});
