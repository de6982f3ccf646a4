import { describe, expect, it } from 'vitest';
import { FEATURES_TYPE, featuresBody } from '../../src/features/feature-list.ts';
import { DEFAULT_COMPOSITION_OPTIONS } from '../../src/service/composition/composition-options.ts';
import { DEFAULT_MATCH_OPTIONS } from '../../src/service/limits.ts';
import { DEFAULT_MOVED_OPTIONS } from '../../src/service/moved/moved-options.ts';
import {
  all,
  behindServer,
  eachOf,
  GONE,
  inFolder,
  NEW,
  named,
  OLD,
  put,
  textOf,
  WORDS,
  written,
} from '../support/client/accesses.ts';

/* What commands ask, of a folder and of a service: every answer is the same. */

describe.each([
  ['a folder', inFolder],
  ['a service', behindServer],
])('an index in %s', (_where, open) => {
  it('takes lines, answers them in their order, and says of each what it brought', async () => {
    const index = await open();
    const latin = Buffer.from('<title>é</title><p>Ça et là des mots accentués à côté', 'latin1');
    const answers = await written(index, [
      put('https://a.example/1', textOf(1), { meta: { crawl: 'spring' }, observedAt: Date.parse('2026-01-02') }),
      put('https://b.example/1', textOf(1)),
      put('https://a.example/short', 'a few words'),
      {
        ...put('https://a.example/latin', ''),
        body: { bytes: latin, contentType: 'text/html; charset=iso-8859-1' },
      } as never,
      put('relative', textOf(2)),
      put('https://a.example/picture', '', {
        body: { bytes: Buffer.from('\x89PNG\r\n\x1a\n'), contentType: 'image/png' },
      }),
      put('https://a.example/1', textOf(1), { observedAt: Date.parse('2026-01-03') }),
      { op: 'gone', url: 'https://b.example/1', httpStatus: 404, observedAt: null },
      { op: 'delete', url: 'https://a.example/nowhere' },
    ]);
    expect(answers.map(({ line }) => line)).toEqual(answers.map((_answer, at) => at + 100));
    expect(answers.map((answer) => ('result' in answer ? answer.result : answer.code))).toEqual([
      ...['created', 'created', 'created', 'created', 'invalid-url', 'unsupported-media-type', 'unchanged', 'gone'],
      'unknown-url',
    ]);
    expect(answers.slice(0, 4)).toMatchObject([
      { newContent: true, short: false },
      { newContent: false, short: false },
      { newContent: true, short: true },
      { newContent: true, short: true },
    ]);
    expect(answers[4]).toMatchObject({ field: 'url', url: 'relative', status: 400 });
    expect(await index.lastSeen('https://a.example/1')).toBe(Date.parse('2026-01-03'));
    expect(await index.lastSeen('https://a.example/never')).toBeNull();
    expect(await index.stats()).toMatchObject({ sources: 4, contents: 3 });
    const [latinLine] = await all(index.exportLines({ prefix: 'https://a.example/latin' }));
    expect(JSON.parse(latinLine!)).toMatchObject({ title: 'é' });
  });

  it('skips what resembles another, and names it', async () => {
    const index = await open();
    const unless = { resemblance: 0.9, queryInMatch: null, matchInQuery: null };
    const answers = await written(index, [
      put('https://a.example/1', textOf(1)),
      put('https://b.example/1', textOf(1), { unless, similar: 3 }),
      put('https://b.example/2', `entirely other words ${WORDS.split(' ').reverse().join(' ')}`, { unless }),
    ]);
    expect(answers).toMatchObject([
      { result: 'created' },
      { result: 'skipped', similar: [{ sources: [{ url: 'https://a.example/1' }], equivalence: 'identical' }] },
      { result: 'created' },
    ]);
  });

  it('finds and compares documents, by their bytes and by their URLs', async () => {
    const index = await open();
    await written(index, [put('https://a.example/1', textOf(1)), put('https://a.example/2', textOf(2))]);
    const body = { bytes: Buffer.from(textOf(1)), contentType: 'text/plain' };
    const byBytes = await index.similar(named({ body }), DEFAULT_MATCH_OPTIONS);
    expect(byBytes.matches[0]).toMatchObject({ equivalence: 'identical', resemblance: { estimate: 1 } });
    const byUrl = await index.similar(named({ url: 'https://a.example/1' }), {
      ...DEFAULT_MATCH_OPTIONS,
      thresholds: { resemblance: 0.1, queryInMatch: null, matchInQuery: null },
    });
    expect(byUrl.matches.map(({ sources }) => sources[0]!.url)).toContain('https://a.example/2');
    expect(byUrl.recall).toMatchObject({ queryInMatch: null });
    const compared = await index.compare({
      ...{ a: named({ body }), b: named({ url: 'https://a.example/2' }) },
      ...{ thresholds: { resemblance: 0.5, aInB: 0.8, bInA: 0.8 }, passages: true, fetch: 'never', deadlineMs: null },
    });
    expect(compared).toMatchObject({ a: { from: 'body' }, b: { from: 'index' }, equivalence: 'none' });
    expect(await index.compareAsked({ a: { url: 'https://a.example/1' }, b: { text: textOf(1) } })).toMatchObject({
      equivalence: 'identical',
    });
    await expect(index.compareAsked({ a: {}, b: 1 })).rejects.toMatchObject({ code: 'invalid-request', field: 'b' });
    await expect(
      index.similar(named({ url: 'https://a.example/x' }), { ...DEFAULT_MATCH_OPTIONS, fetch: 'never' }),
    ).rejects.toMatchObject({ code: 'unknown-url' });
  });

  it('takes sets of features like any document', async () => {
    const index = await open();
    const set = (strings: readonly string[]) => ({ body: featuresBody(strings, 'features') });
    const unless = { resemblance: 0.9, queryInMatch: null, matchInQuery: null };
    const answers = await written(index, [
      put('https://a.example/1', '', set(['a', 'b', 'c'])),
      put('https://b.example/1', '', { ...set(['c', 'b', 'a', 'a']), unless, similar: 1 }),
      put('https://a.example/2', 'a b c'),
      put('https://a.example/3', '', { body: { bytes: Buffer.from('{}'), contentType: FEATURES_TYPE } }),
    ]);
    expect(answers).toMatchObject([
      { result: 'created', newContent: true },
      { result: 'skipped', similar: [{ equivalence: 'identical', sources: [{ url: 'https://a.example/1' }] }] },
      { result: 'created', newContent: true },
      { code: 'unreadable-document' },
    ]);
    const near = named(set(['b', 'c', 'd']));
    const found = await index.similar(near, DEFAULT_MATCH_OPTIONS);
    expect(found).toMatchObject({ query: { kind: 'features' }, matches: [{ resemblance: { estimate: 0.5 } }] });
    const options = { ...DEFAULT_COMPOSITION_OPTIONS, deadlineMs: 20_000 };
    expect(await index.composition(near, options)).toMatchObject({ unexplained: { estimate: 0.333333 } });
    const compared = await index.compare({
      ...{ a: near, b: named({ url: 'https://a.example/1' }), passages: false, fetch: 'never', deadlineMs: null },
      thresholds: { resemblance: 0.5, aInB: null, bInA: null },
    });
    expect(compared).toMatchObject({ a: { kind: 'features' }, b: { kind: 'features' }, resemblance: { exact: 0.5 } });
  });

  it('says what a document is made of', async () => {
    const index = await open();
    const other = textOf(7).split(' ').toReversed().join(' ');
    await written(index, [put('https://a.example/1', textOf(1)), put('https://b.example/7', other)]);
    const body = { bytes: Buffer.from(`${textOf(1)}, ${other}`), contentType: 'text/plain' };
    const options = { ...DEFAULT_COMPOSITION_OPTIONS, deadlineMs: 20_000 };
    expect((await index.composition(named({ body }), options)).passages).toHaveLength(2);
    const only = { ...options.only, hosts: ['b.example'] };
    const one = await index.composition(named({ body }), { ...options, find: 'quotations', only });
    expect(one).toMatchObject({ parts: [{ sources: [{ url: 'https://b.example/7' }] }], recall: { share: null } });
    const unknown = index.composition(named({ url: 'https://a.example/x' }), { ...options, fetch: 'never' });
    await expect(unknown).rejects.toMatchObject({ code: 'unknown-url' });
  });

  it('answers a list of questions line by line', async () => {
    const index = await open();
    await written(index, [put('https://a.example/1', textOf(1))]);
    const answers = await all(
      index.similarLines(
        eachOf(
          '{"document":{"url":"https://a.example/1"}}',
          '',
          '{"document":1}',
          'no JSON',
          '{"document":{"text":"a b"}}',
        ),
      ),
    );
    expect(answers.map((text) => JSON.parse(text))).toMatchObject([
      { line: 1, status: 200, answer: { query: { url: 'https://a.example/1' } } },
      { line: 3, code: 'invalid-request', field: 'document' },
      { line: 4, code: 'invalid-json' },
      { line: 5, status: 200 },
    ]);
  });

  it('finds what moved, of one URL and of more than one request asks for', async () => {
    const index = await open();
    const observedAt = Date.parse('2026-01-02');
    await written(index, [put(OLD, textOf(1), { observedAt }), GONE, put(NEW, textOf(1))]);
    const found = { url: OLD, state: 'gone', candidates: [{ url: NEW, sure: 'certain' }] };
    expect(await index.moved({ url: OLD, ...DEFAULT_MOVED_OPTIONS })).toMatchObject(found);
    const urls = [...Array.from({ length: 1000 }, (_, n) => `${NEW}/${n}`), OLD];
    const answers = await all(index.movedLines(eachOf(...urls.map((url) => ({ url, ...DEFAULT_MOVED_OPTIONS })))));
    expect(answers.map(({ line }) => line)).toEqual(urls.map((_url, at) => at + 1));
    expect([answers[0], answers[1000]]).toMatchObject([{ code: 'unknown-url', url: urls[0] }, { answer: found }]);
  });

  it('lists, counts, exports and forgets what is selected', async () => {
    const index = await open();
    const urls = Array.from({ length: 30 }, (_, n) => `https://${n % 3 === 0 ? 'b' : 'a'}.example/${n}`);
    await written(
      index,
      urls.map((url, n) => put(url, textOf(n), { meta: { crawl: n < 10 ? 'spring' : 'autumn' } })),
    );
    const first = await index.list({ host: 'a.example' }, { limit: 12, cursor: null });
    const second = await index.list({ host: 'a.example' }, { limit: 12, cursor: first.cursor });
    const listed = [...first.documents, ...second.documents].map(({ url }) => url);
    expect(listed.toSorted()).toEqual(urls.filter((url) => url.includes('//a.')).toSorted());
    expect(second.cursor).toBeNull();
    const { hosts } = await index.countByHost({ meta: { crawl: 'spring' } }, { limit: 10, cursor: null });
    expect(hosts).toEqual([
      { host: 'a.example', documents: 6 },
      { host: 'b.example', documents: 4 },
    ]);
    expect(await all(index.exportLines({}))).toHaveLength(30);
    const { confirm, matched } = await index.forgetSelected({ host: 'b.example' }, { dryRun: true, confirm: null });
    expect(matched).toBe(10);
    expect(await index.forgetSelected({ host: 'b.example' }, { dryRun: false, confirm })).toMatchObject({
      deleted: 10,
    });
    expect(await all(index.exportLines({}))).toHaveLength(20);
  });
});
