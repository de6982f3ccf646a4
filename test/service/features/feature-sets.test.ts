import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_COMPOSITION_OPTIONS } from '../../../src/service/composition/composition-options.ts';
import { DEFAULT_CLUSTER_OPTIONS } from '../../../src/service/limits.ts';
import { DEFAULT_MOVED_OPTIONS } from '../../../src/service/moved/moved-options.ts';
import { featuresOf, ofFeatures } from '../../support/service/feature-documents.ts';
import {
  ALL,
  createServiceFixture,
  ofText,
  ofUrl,
  refused,
  type ServiceFixture,
} from '../../support/service/service-fixture.ts';

const ANY = 1e-6;
const OPTIONS = { thresholds: { resemblance: ANY, queryInMatch: ANY, matchInQuery: ANY }, limit: 100 };

let fixture: ServiceFixture;
beforeAll(() => {
  fixture = createServiceFixture();
});
afterAll(() => fixture.close());

describe('a set of features', () => {
  const A = 'https://set.example/a';
  const B = 'https://set.example/b';

  it('is one content, in whatever order and however often its strings come', async () => {
    const first = await fixture.put(A, '', featuresOf(['red', 'size 42', '']));
    expect(first).toMatchObject({ status: 'created', newContent: true });
    expect(first.content).toMatchObject({ kind: 'features', tokens: 0, shingles: 3, short: true });
    expect(await fixture.put(A, '', featuresOf(['', 'size 42', 'red', 'red']))).toMatchObject({ status: 'unchanged' });
    const again = await fixture.put(B, '', featuresOf(['size 42', '', 'red']));
    expect(again).toMatchObject({ status: 'created', newContent: false, content: { id: first.content!.id } });
    const { matches } = await fixture.similar(ofFeatures(['red', '', 'size 42']));
    expect(matches).toMatchObject([{ equivalence: 'identical', sources: [{ url: A }, { url: B }], sourceCount: 2 }]);
    expect((await fixture.service.document(A, { limit: 10, cursor: null }, ALL)).content.kind).toBe('features');
  });

  it('of one string is a set as well, and one of none is empty', async () => {
    await fixture.put('https://set.example/one', '', featuresOf(['alone']));
    const { matches } = await fixture.similar(ofFeatures(['alone', 'with another']), OPTIONS);
    expect(matches).toMatchObject([{ resemblance: { estimate: 0.5 }, matchInQuery: { estimate: 1 } }]);
    await expect(fixture.similar(ofFeatures([]))).rejects.toMatchObject(refused('empty-document'));
  });

  it('has its versions, beside texts', async () => {
    const url = 'https://versions.example/';
    const says = [
      featuresOf(['a', 'b', 'c', 'd']),
      featuresOf(['a', 'b', 'c', 'e']),
      {},
      featuresOf(['a', 'b', 'c', 'e']),
    ];
    for (const body of says) {
      fixture.clock.nowMs += 60_000;
      await fixture.put(url, 'a b c d e a b c e', body);
    }
    const { versions } = await fixture.service.versions(url, { limit: 10, cursor: null }, ALL);
    expect(versions.map(({ change }) => change && [change.kind, change.resemblance?.estimate])).toEqual([
      ['replaced', 0],
      ['replaced', 0],
      ['edited', 0.6],
      null,
    ]);
  });

  it('is compared with another exactly, and explained in its own words', async () => {
    const [a, b] = [ofFeatures(['a', 'b', 'c']), ofFeatures(['c', 'b', 'x', 'y'])];
    const asked = {
      thresholds: { resemblance: 0.5, aInB: null, bInA: null },
      passages: false,
      fetch: 'auto',
      deadlineMs: null,
    } as const;
    const answer = await fixture.service.compare({ a, b, explain: true, ...asked }, ALL);
    expect(answer).toMatchObject({
      a: { kind: 'features', tokens: 0, shingles: 3 },
      resemblance: { exact: 0.4, decision: 'no' },
      aInB: { exact: 0.666667 },
      bInA: { exact: 0.5 },
      equivalence: 'none',
      whyNot: { shingles: { inBoth: 2, onlyInA: 1, onlyInB: 2, exact: true }, examples: [] },
    });
    expect(answer.whyNot!.detail).toContain('Of features 1 only in a, 2 only in b, 2 in both.');
    const details = answer.explanation!.steps.map(({ detail }) => detail);
    expect(details.slice(0, 6)).toEqual([
      'They are not the same set of features.',
      'Both were read as application/vnd.shingled.features+json in utf-8.',
      'Features have no text.',
      'Features have no words.',
      'Of their features 2 in both, 1 only in a, 2 only in b.',
      'They were compared by all their features: 3 of a, 4 of b, 2 in both.',
    ]);
    expect(details[6]).toContain('a looks up 3 of its 3 features, b has posted 4 of its 4: 2 are in both.');
    const turned = { a, b: ofFeatures(['c', 'b', 'a', 'a']), explain: true, ...asked };
    const same = await fixture.service.compare(turned, ALL);
    expect(same).toMatchObject({ equivalence: 'identical', whyNot: null, explanation: { partAt: null } });
    expect(same.explanation!.steps[6]!.detail).toContain('They have the same features, and are found by their digest.');
    const mixed = await fixture.service.compare({ a, b: ofText('a b c'), explain: true, ...asked }, ALL);
    expect(mixed).toMatchObject({ resemblance: { exact: 0 }, whyNot: { step: 'threshold' } });
    expect(mixed.whyNot!.detail).toContain('One is a text, the other a set of features.');
    expect(mixed.explanation!.steps[3]).toMatchObject({
      same: false,
      detail: 'a is a set of features, b has 3 words.',
    });
    const other = await fixture.service.compare({ a: ofText('a b c'), b: a, explain: true, ...asked }, ALL);
    expect(other.explanation!.steps[3]).toMatchObject({ detail: 'b is a set of features, a has 3 words.' });
    expect(mixed.explanation!.steps[6]!.detail).toContain(
      'a looks up 3 of its 3 features, b has posted 1 of its 1 shingles: 0 are',
    );
  });

  it('is made of others', async () => {
    const half = (name: string) => Array.from({ length: 10 }, (_, i) => `made ${name} ${i}`);
    await fixture.put('https://made.example/one', '', featuresOf(half('one')));
    await fixture.put('https://made.example/two', '', featuresOf(half('two').slice(0, 5)));
    await fixture.put('https://made.example/text', half('one').join(' '));
    const all = [...half('one'), ...half('two')];
    const answer = await fixture.service.compose(ofFeatures(all), DEFAULT_COMPOSITION_OPTIONS, ALL);
    expect(answer.query).toMatchObject({ kind: 'features', shingles: 20 });
    expect(answer.parts.map(({ sources, unique }) => [sources[0]!.url, unique.estimate])).toEqual([
      ['https://made.example/one', 0.5],
      ['https://made.example/two', 0.25],
    ]);
    expect(answer.unexplained.estimate).toBe(0.25);
    expect(answer).not.toHaveProperty('passages');
    expect(answer.limits).toMatchObject([{ code: 'passages-need-text' }]);
  });

  it('hangs together with others, and may be written unless one is similar', async () => {
    const of = (page: number) => `https://chain.example/${page}`;
    const strings = (from: number) => Array.from({ length: 10 }, (_, i) => `chain ${from + i}`);
    for (const page of [0, 2, 4]) await fixture.put(of(page), '', featuresOf(strings(page)));
    const asked = { ...DEFAULT_CLUSTER_OPTIONS, threshold: 0.6, deadlineMs: 20_000 };
    const { index } = await fixture.service.clusters({ url: of(0), ...asked }, ALL);
    expect(index!.members).toMatchObject([
      { tokens: 0, shingles: 10, sources: [{ url: of(0) }] },
      { sources: [{ url: of(2) }] },
      { sources: [{ url: of(4) }] },
    ]);
    const unless = { resemblance: 0.8, queryInMatch: null, matchInQuery: null };
    const near = { ...featuresOf(strings(5)), unless, similar: 3 };
    expect(await fixture.put(of(5), '', near)).toMatchObject({
      status: 'skipped',
      similar: [{ sources: [{ url: of(4) }] }],
    });
    const far = { ...featuresOf(strings(50)), unless };
    expect(await fixture.put(of(50), '', far)).toMatchObject({ status: 'created' });
    const text = { unless };
    expect(await fixture.put(of(51), strings(50).join(' '), text)).toMatchObject({ status: 'created' });
  });

  it('has moved where its URL is gone and another has it', async () => {
    const strings = Array.from({ length: 30 }, (_, i) => `moved ${i}`);
    await fixture.put('https://moved.example/old', '', featuresOf(strings));
    fixture.clock.nowMs += 60_000;
    await fixture.service.gone({ url: 'https://moved.example/old', httpStatus: 410, observedAt: null }, ALL);
    await fixture.put('https://moved.example/new', '', featuresOf([...strings, 'moved more']));
    const asked = { ...DEFAULT_MOVED_OPTIONS, url: 'https://moved.example/old', limit: 5, deadlineMs: 20_000 };
    const { candidates } = await fixture.service.moved(asked, ALL);
    expect(candidates).toMatchObject([{ url: 'https://moved.example/new' }]);
  });

  it('is told from a text in a cluster', async () => {
    const strings = Array.from({ length: 30 }, (_, i) => `cluster ${i}`);
    await fixture.put('https://cluster.example/1', '', featuresOf(strings));
    await fixture.put('https://cluster.example/2', '', featuresOf([...strings, 'one more']));
    await fixture.put('https://cluster.example/3', strings.join(' '));
    const membersOf = async (url: string) => {
      const asked = { ...DEFAULT_CLUSTER_OPTIONS, url, deadlineMs: 20_000 };
      return (await fixture.service.clusters(asked, ALL)).index!.members;
    };
    expect(await membersOf('https://cluster.example/1')).toMatchObject([
      { kind: 'features', tokens: 0, shingles: 30 },
      { kind: 'features', tokens: 0, shingles: 31 },
    ]);
    const texts = await membersOf('https://cluster.example/3');
    expect(texts).toHaveLength(1);
    expect(texts[0]).not.toHaveProperty('kind');
  });

  it('is refused what only a text has', async () => {
    const features = ofFeatures(['a']);
    await expect(fixture.similar(features, { passages: true })).rejects.toMatchObject(
      refused('invalid-request', { field: 'passages' }),
    );
    const asked = {
      thresholds: { resemblance: 0.5, aInB: null, bInA: null },
      fetch: 'auto',
      deadlineMs: null,
    } as const;
    for (const [a, b] of [
      [features, ofText('a')],
      [ofText('a'), features],
    ] as const) {
      for (const field of ['passages', 'differences'] as const) {
        const request = { a, b, passages: false, ...asked, [field]: true };
        await expect(fixture.service.compare(request, ALL)).rejects.toMatchObject(
          refused('invalid-request', { field }),
        );
      }
    }
    const quoted = { ...DEFAULT_COMPOSITION_OPTIONS, find: 'quotations' } as const;
    await fixture.put(A, '', featuresOf(['of the index', 'b']));
    for (const asked of [features, ofUrl(A)]) {
      await expect(fixture.service.compose(asked, quoted, ALL)).rejects.toMatchObject(
        refused('invalid-request', { field: 'find' }),
      );
    }
    for (const field of ['select', 'remove'] as const) {
      await expect(fixture.similar({ ...features, [field]: 'p' })).rejects.toMatchObject(
        refused('invalid-selector', { field }),
      );
    }
  });

  it('of the index is told that it has no text', async () => {
    await fixture.put(A, '', featuresOf(['of the index', 'b']));
    await fixture.put(B, '', featuresOf(['of the index', 'c']));
    const { query, limits } = await fixture.similar(ofUrl(A), { ...OPTIONS, passages: true });
    expect(query).toMatchObject({ from: 'index', kind: 'features' });
    expect(limits).toMatchObject([{ code: 'passages-need-text' }]);
  });
});
