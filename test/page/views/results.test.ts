import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asCode, asCurl } from '../../../src/page/views/results/collapse-code.ts';
import { readPasted } from '../../../src/page/views/results/pasted-results.ts';
import { breach, openApi } from '../../support/http/openapi.ts';
import { readText } from '../../support/tree/tree.ts';

const pageOf = (text: string) => {
  const page = readPasted(text);
  if (typeof page === 'string') throw new Error(page);
  return page;
};

describe('a page of results that was pasted', () => {
  it('is read as SearXNG answers it', () => {
    const { kind, results } = pageOf(readText('test/recorded/searxng.json'));
    expect([kind, results.length]).toEqual(['an answer of SearXNG', 9]);
    expect(results[0]!.title).toBe('Tide - Encyclopedia');
    expect(results[0]!.sent).toMatchObject({
      title: 'Tide - Encyclopedia',
      snippet: expect.stringMatching(/^Tides are the rise/),
    });
  });

  it('is read as Elasticsearch answers it, with whole texts and ids', () => {
    const { kind, results } = pageOf(readText('test/recorded/opensearch.json'));
    expect([kind, results.length]).toEqual(['hits of Elasticsearch or OpenSearch', 9]);
    expect(results[0]!.sent).toMatchObject({ id: 'tide', url: 'https://encyclopedia.example/wiki/Tide' });
    expect(results[0]!.sent.text).toMatch(/^Tides are/);
  });

  it.each([
    [
      'a list of objects',
      '[{"url":"https://a.example/","title":"A","text":"x"}]',
      { url: 'https://a.example/', text: 'x', title: 'A' },
    ],
    [
      'a request',
      '{"results":[{"url":"https://a.example/","html":"<p>x"}]}',
      { url: 'https://a.example/', html: '<p>x' },
    ],
    ['an object a line', '{"link":"https://a.example/"}\n\n{"title":"B"}\n', { url: 'https://a.example/' }],
    ['URLs', 'https://a.example/\nurn:isbn:1\n', { url: 'https://a.example/' }],
    ['a text alone', '[{"id":7,"title":"T","snippet":"s"}]', { id: 7, title: 'T', snippet: 's' }],
  ])('is read as %s', (_what, text, first) => {
    expect(pageOf(text).results[0]!.sent).toEqual(first);
  });

  it.each([
    '',
    ' ',
    'no URL at all',
    '{}',
    '[]',
    '[1, null]',
    '{"results":{}}',
    '[{}]',
    '"https://a.example/"',
    '{"hits":{"hits":3}}',
  ])('says what is wrong with %j', (text) => {
    expect(readPasted(text)).toMatch(/^[A-Z].*\.$/);
  });

  it('says so of more than can be sent', () => {
    expect(readPasted(JSON.stringify(Array.from({ length: 1001 }, () => ({ url: 'https://a.example/' }))))).toContain(
      '1001',
    );
  });

  it('becomes a request that the API takes, or a sentence', () => {
    const schema = openApi.components.schemas['CollapseRequest']! as never;
    const field = fc.oneof(fc.string(), fc.webUrl(), fc.integer(), fc.constant(null), fc.array(fc.string()));
    const item = fc.dictionary(
      fc.constantFrom('url', 'title', 'text', 'html', 'content', 'id', '_id', '_source'),
      field,
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.array(item).map((list) => JSON.stringify(list)),
          fc.string(),
        ),
        (text) => {
          const page = readPasted(text);
          if (typeof page === 'string') return;
          expect(breach(schema, { results: page.results.map(({ sent }) => sent) })).toBe(null);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('what a program sends', () => {
  const hostile = ["it's", '$HOME', '`id`', '\\', '"', 'JSON', '\nJSON\n', '</script>', '!x', '%s'];

  it('is, as curl, what the shell hands on', () => {
    const request = { results: hostile.map((text) => ({ text })), perHost: 2 };
    const command = asCurl("http://localhost:8080/it's/collapse", request, true).replace(/^curl/, 'sent');
    const script = `sent() { printf '%s\\n' "$@"; cat; }\nSHINGLED_KEY=secret\n${command}`;
    const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(printed).toContain("http://localhost:8080/it's/collapse\n");
    expect(printed).toContain('Authorization: Bearer secret\n');
    expect(JSON.parse(printed.slice(printed.indexOf('{\n')))).toEqual(request);
  });

  it('is, as code, a module that sends it', async () => {
    const code = asCode(
      'http://localhost:8080/collapse',
      { results: [], perHost: 2, thresholds: { resemblance: null } },
      false,
    );
    const { withoutCopies } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
      withoutCopies: (results: readonly object[]) => Promise<unknown>;
    };
    const sent: unknown[] = [];
    const { fetch } = globalThis;
    globalThis.fetch = (async (url: string, init: RequestInit) => {
      sent.push(url, JSON.parse(String(init.body)));
      return Response.json({ groups: [{ representative: { result: 1 }, members: [{ result: 0 }] }] });
    }) as typeof fetch;
    try {
      const [a, b] = [{ url: 'https://a.example/' }, { url: 'https://b.example/' }];
      expect(await withoutCopies([a, b])).toEqual([{ result: b, alike: [a] }]);
      expect(sent).toEqual([
        'http://localhost:8080/collapse',
        { results: [a, b], perHost: 2, thresholds: { resemblance: null } },
      ]);
    } finally {
      globalThis.fetch = fetch;
    }
  });
});
