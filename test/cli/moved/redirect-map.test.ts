import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MapFormat, mapLines, type Redirect } from '../../../src/cli/moved/redirect-map.ts';

const redirect = (from: string, to: string): Redirect => ({ from, to, how: 'within-host', sure: 'certain' });
const OLD = 'https://a.example/old';
const NEW = 'https://a.example/new';

async function redirectMap(redirects: readonly Redirect[], format: MapFormat) {
  async function* each() {
    yield* redirects;
  }
  const left: Redirect[] = [];
  let text = '';
  for await (const line of mapLines(each(), format, left)) text += line;
  return { text, left };
}

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
    const keys = entries.map(([key]) => {
      // or takes it for a regular expression
      expect(key).not.toMatch(/^~/);
      return key!.replace(/^\\/, '').toLowerCase();
    });
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
    return (url: URL) => {
      const entry = entries.find(([, , pattern]) => new RegExp(pattern!, 'u').test(decodeURIComponent(url.pathname)));
      return entry === undefined ? null : locationOf(entry[3]!);
    };
  },
};

/** What mod_alias says of a target: groups put in, and all before the query escaped that it does not know as safe. */
function locationOf(target: string): string {
  expect(target).not.toMatch(/\$\{|(?<!\\)(?:\\\\)*\$\d/);
  const url = target.replaceAll(/\\(.)/g, '$1');
  const query = url.indexOf('?') < 0 ? url.length : url.indexOf('?');
  const bytes = Buffer.from(url.slice(0, query));
  const escaped = [...bytes].map((byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9$\-_.+!*'(),:;@&=/~]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  });
  return escaped.join('') + url.slice(query);
}

/** Escapes are the same in capitals and in small letters. */
const sameUrl = (url: string) => url.replaceAll(/%[0-9a-f]{2}/gi, (sign) => sign.toUpperCase());

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
    async (format) => {
      await fc.assert(
        fc.asyncProperty(redirectsOf, async (redirects) => {
          const { text, left } = await redirectMap(redirects, format);
          const lead = SERVERS[format](text);
          expect(text.split('\n').length - 1 + left.length).toBeLessThanOrEqual(redirects.length);
          for (const one of redirects.filter((each) => !left.includes(each))) {
            const first = lead(new URL(one.from));
            expect(sameUrl(first ?? 'nowhere')).toBe(
              sameUrl(format === 'htaccess' ? one.to : one.to.replaceAll('$', '%24')),
            );
            expect(lead(new URL(one.to))).toBeNull();
          }
        }),
        { numRuns: 500 },
      );
    },
  );

  it('is one line each', async () => {
    const redirects = [redirect(`${OLD}?x=1`, NEW), redirect(`${OLD}.html`, `${NEW}?a="b"`)];
    expect(await redirectMap(redirects, 'csv')).toEqual({
      text: `from,to,how,sure\n${OLD}?x=1,${NEW},within-host,certain\n${OLD}.html,"${NEW}?a=""b""",within-host,certain\n`,
      left: [],
    });
    expect((await redirectMap(redirects, 'nginx')).text).toBe(
      `"a.example/old?x=1" "${NEW}";\n"a.example/old.html" "${NEW}?a=\\"b\\"";\n`,
    );
    expect((await redirectMap(redirects, 'apache')).text).toBe(
      `a.example/old?x=1 ${NEW}\na.example/old.html ${NEW}?a="b"\n`,
    );
    const written = await redirectMap(redirects, 'htaccess');
    expect(written.text).toBe(`RedirectMatch 301 "^/old\\\\.html$" "${NEW}?a=\\"b\\""\n`);
    expect(written.left).toEqual([redirects[0]]);
  });

  it('leaves out names, what would lead to itself, and what nginx cannot tell apart', async () => {
    const redirects = [
      redirect('urn:x:1', NEW),
      redirect('http://a.example/same', 'https://a.example/same'),
      redirect(OLD, NEW),
      redirect('https://a.example/OLD', `${NEW}2`),
    ];
    expect((await redirectMap(redirects, 'nginx')).left).toEqual([redirects[0], redirects[1], redirects[3]]);
    expect((await redirectMap(redirects, 'apache')).left).toEqual([redirects[0], redirects[1]]);
    expect((await redirectMap(redirects, 'csv')).left).toEqual([]);
  });

  it('of nginx has no regular expressions, whatever a host is called', async () => {
    const old = 'https://~.example/old';
    const { text, left } = await redirectMap([redirect(old, NEW)], 'nginx');
    expect([text, left]).toEqual([`"\\\\~.example/old" "${NEW}";\n`, []]);
    expect(SERVERS.nginx(text)(new URL(old))).toBe(NEW);
    expect(SERVERS.nginx(text)(new URL(OLD))).toBeNull();
  });

  it('leads to pages alone, and says once what is old as http and as https', async () => {
    const redirects = [redirect(OLD, 'urn:x:1'), redirect(`${OLD}2`, NEW), redirect('http://a.example/old2', NEW)];
    for (const format of ['nginx', 'apache', 'htaccess'] as const) {
      const { text, left } = await redirectMap(redirects, format);
      expect(text.trim().split('\n')).toHaveLength(1);
      expect(left).toEqual([redirects[0]]);
    }
  });

  it('of a .htaccess has targets that Apache escapes', async () => {
    const lineOf = async (to: string, from = OLD) => (await redirectMap([redirect(from, to)], 'htaccess')).text;
    expect(await lineOf(`${NEW}%20caf%C3%A9,1$2?x=%20$1`)).toBe(
      'RedirectMatch 301 "^/old$" "https://a.example/new café,1\\\\$2?x=%20\\\\$1"\n',
    );
    for (const other of ['%2F', '%3Fx', '[1]', `?\${x}`, '%24%7Bx}']) expect(await lineOf(`${NEW}${other}`)).toBe('');
    expect(await lineOf(NEW, `${OLD}%2Fer`)).toBe('');
    expect(await lineOf('https://[::1]/new')).toBe('');
  });

  it('of csv is written as the redirects come', async () => {
    async function* two() {
      yield redirect(OLD, NEW);
      throw new Error('too early');
    }
    const lines = mapLines(two(), 'csv', []);
    expect([(await lines.next()).value, (await lines.next()).value]).toEqual([
      'from,to,how,sure\n',
      `${OLD},${NEW},within-host,certain\n`,
    ]);
  });
});
