import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Redirect, redirectMap } from '../../../src/cli/moved/redirect-map.ts';

const redirect = (from: string, to: string): Redirect => ({ from, to, how: 'within-host', sure: 'certain' });
const OLD = 'https://a.example/old';
const NEW = 'https://a.example/new';

/** Words of a line as nginx and Apache read them: in quotes, or up to the next space. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, inQuotes, bare]) => bare ?? inQuotes!.replaceAll(/\\(["\\])/g, '$1'),
  );
}

/** Where a server with this map leads a request at first; null: nowhere. Each says it in other words than the map does. */
const SERVERS = {
  nginx: (map: string) => {
    const entries = map
      .split('\n')
      .filter(Boolean)
      .map((line) => wordsOf(line.replace(/;$/, '')));
    // nginx refuses to start with two entries of one key, and takes letters of both cases for one
    const keys = entries.map(([key]) => key!.toLowerCase());
    expect(new Set(keys).size).toBe(keys.length);
    return (url: URL) =>
      entries[keys.indexOf(`${url.hostname}${url.pathname}${url.search}`.toLowerCase())]?.[1] ?? null;
  },
  apache: (map: string) => {
    const entries = map
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' '));
    expect(entries.every((words) => words.length === 2)).toBe(true);
    return (url: URL) => entries.find(([key]) => key === url.host + url.pathname + url.search)?.[1] ?? null;
  },
  htaccess: (map: string) => {
    const entries = map.split('\n').filter(Boolean).map(wordsOf);
    expect(entries.every(([name, status]) => name === 'RedirectMatch' && status === '301')).toBe(true);
    return (url: URL) =>
      entries.find(([, , pattern]) => new RegExp(pattern!, 'u').test(decodeURIComponent(url.pathname)))?.[3] ?? null;
  },
};

const partOf = fc.oneof(
  fc.constantFrom('old', 'Old', 'new', 'a b', 'é', '"', '\\', '$1', ';', '{x}', '#', '?', '*', '.', '(', '%20', '日本'),
  fc.string({ maxLength: 6 }),
);
const urlOf = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.array(partOf, { maxLength: 3 }),
    fc.option(partOf, { nil: undefined, freq: 4 }),
  )
  .map(([scheme, parts, query]) => {
    const path = parts.map((part) => encodeURI(part.toWellFormed()).replaceAll(/[?#]/g, encodeURIComponent)).join('/');
    return new URL(`${scheme}://a.example/${path}${query === undefined ? '' : `?${query.toWellFormed()}`}`).href;
  });
/** As the command makes them: a URL is old only once. */
const redirectsOf = fc
  .uniqueArray(fc.tuple(urlOf, urlOf), { selector: ([from]) => from, maxLength: 8 })
  .map((pairs) => pairs.filter(([from, to]) => from !== to).map(([from, to]) => redirect(from, to)));

describe('a redirect map', () => {
  it.each(['nginx', 'apache', 'htaccess'] as const)(
    'of %s leads each old URL where it is told, and none in a circle',
    (format) => {
      fc.assert(
        fc.property(redirectsOf, (redirects) => {
          const { text, left } = redirectMap(redirects, format);
          const lead = SERVERS[format](text);
          expect(text.split('\n').length - 1 + left.length).toBe(redirects.length);
          for (const one of redirects.filter((each) => !left.includes(each))) {
            const first = lead(new URL(one.from));
            expect(first).toBe(one.to.replaceAll('$', '%24'));
            expect(lead(new URL(one.to))).toBeNull();
          }
        }),
        { numRuns: 500 },
      );
    },
  );

  it('is one line each', () => {
    const redirects = [redirect(`${OLD}?x=1`, NEW), redirect(`${OLD}.html`, `${NEW}?a="b"`)];
    expect(redirectMap(redirects, 'csv')).toEqual({
      text: `from,to,how,sure\n${OLD}?x=1,${NEW},within-host,certain\n${OLD}.html,"${NEW}?a=""b""",within-host,certain\n`,
      left: [],
    });
    expect(redirectMap(redirects, 'nginx').text).toBe(
      `"a.example/old?x=1" "${NEW}";\n"a.example/old.html" "${NEW}?a=\\"b\\"";\n`,
    );
    expect(redirectMap(redirects, 'apache').text).toBe(`a.example/old?x=1 ${NEW}\na.example/old.html ${NEW}?a="b"\n`);
    const written = redirectMap(redirects, 'htaccess');
    expect(written.text).toBe(`RedirectMatch 301 "^/old\\\\.html$" "${NEW}?a=\\"b\\""\n`);
    expect(written.left).toEqual([redirects[0]]);
  });

  it('leaves out names, what would lead to itself, and what nginx cannot tell apart', () => {
    const redirects = [
      redirect('urn:x:1', NEW),
      redirect('http://a.example/same', 'https://a.example/same'),
      redirect(OLD, NEW),
      redirect('https://a.example/OLD', `${NEW}2`),
    ];
    expect(redirectMap(redirects, 'nginx').left).toEqual([redirects[0], redirects[1], redirects[3]]);
    expect(redirectMap(redirects, 'apache').left).toEqual([redirects[0], redirects[1]]);
    expect(redirectMap(redirects, 'csv').left).toEqual([]);
  });
});
