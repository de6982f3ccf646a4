import type { MovedCandidate } from '../../service/moved/moved-api.ts';

/*
 * Old URLs and where their documents are -> what web servers read. A key is what a server knows of a request without its
 * scheme, as it was sent: https and http are one.
 *
 *   csv       from,to,how,sure                                   for people, and for programs of their own
 *   nginx     "a.example/old?x=1" "https://a.example/new";       inside of: map $host$request_uri $moved_to { include …; }
 *             nginx takes a key that begins with ~ for a regular expression, unless a backslash stands before it
 *   apache    a.example/old?x=1 https://a.example/new            RewriteMap moved "txt:…", looked up by host and request
 *   htaccess  RedirectMatch 301 "^/old$" "https://a.example/new" of one host; paths without a query
 *
 * A server that is told to lead a request to itself would never end. So what differs from its target by its scheme alone is
 * left out, and what is itself the target of another one.
 */

export const MAP_FORMATS = ['csv', 'nginx', 'apache', 'htaccess'] as const;
export type MapFormat = (typeof MAP_FORMATS)[number];
type ServerFormat = Exclude<MapFormat, 'csv'>;

export interface Redirect extends Pick<MovedCandidate, 'how' | 'sure'> {
  readonly from: string;
  readonly to: string;
}

/**
 * A map line by line, its entries in the order of the redirects. Only csv can be written as they come: what else is a target
 * is known once all are there.
 *
 * @param left gets those that the format cannot say, or that would lead in a circle
 */
export async function* mapLines(
  redirects: AsyncIterable<Redirect>,
  format: MapFormat,
  left: Redirect[],
): AsyncGenerator<string, void, undefined> {
  if (format === 'csv') {
    yield ended(CSV_HEAD);
    for await (const redirect of redirects) yield ended(csvLine(redirect));
    return;
  }
  const all: Redirect[] = [];
  for await (const redirect of redirects) all.push(redirect);
  yield* serverLines(all, format, left);
}

function* serverLines(
  redirects: readonly Redirect[],
  format: ServerFormat,
  left: Redirect[],
): Generator<string, void, undefined> {
  const targets = new Set(redirects.map(({ to }) => keyOf(to, format)));
  const told = new Map<string, string>();
  for (const redirect of redirects) {
    const key = keyOf(redirect.from, format);
    // as http and as https, say
    if (key !== null && told.get(key) === redirect.to) continue;
    const isLost = key === null || targets.has(key) || told.has(key) || keyOf(redirect.to, format) === null;
    const line = isLost ? null : LINES[format](redirect);
    if (key === null || line === null) {
      left.push(redirect);
      continue;
    }
    told.set(key, redirect.to);
    yield ended(line);
  }
}

const ended = (line: string) => `${line}\n`;

const CSV_HEAD = 'from,to,how,sure';

const csvLine = ({ from, to, how, sure }: Redirect): string => [from, to, how, sure].map(csvField).join(',');

const csvField = (field: string) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/**
 * What a server of this format tells apart; null of names, which no server is asked for. Capitals and small letters are one
 * to nginx. A query is nothing to a .htaccess.
 */
function keyOf(url: string, format: ServerFormat): string | null {
  if (!/^https?:/.test(url)) return null;
  const { hostname, host, pathname, search } = new URL(url);
  if (format === 'nginx') return `${hostname}${pathname}${search}`.toLowerCase();
  if (format === 'apache') return `${host}${pathname}${search}`;
  return `${host}${decoded(pathname) ?? pathname}`;
}

const LINES: Readonly<Record<ServerFormat, (redirect: Redirect) => string | null>> = {
  nginx: ({ from, to }) => {
    const { hostname, pathname, search } = new URL(from);
    const key = `${hostname}${pathname}${search}`;
    return `${quoted(key.startsWith('~') ? `\\${key}` : key)} ${quoted(literal(to))};`;
  },
  apache: ({ from, to }) => {
    const { host, pathname, search } = new URL(from);
    return `${host}${pathname}${search} ${literal(to)}`;
  },
  htaccess: ({ from, to }) => {
    const { pathname, search } = new URL(from);
    const path = decoded(pathname);
    const target = unescaped(to);
    if (path === null || search !== '' || target === null) return null;
    const pattern = `^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
    return `RedirectMatch 301 ${quoted(pattern)} ${quoted(target)}`;
  },
};

/** A target in which $ begins no variable of a server. */
const literal = (url: string) => url.replaceAll('$', '%24');

/** Both servers read \\\\ as one backslash, and \\" as a quote. */
const quoted = (text: string) => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;

/** A path as Apache matches it; null where it is no text, has what a line cannot, or a slash that parts no folders. */
function decoded(path: string): string | null {
  try {
    const text = decodeURIComponent(path);
    return /%2f/i.test(path) || /\p{Cc}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}

/**
 * A target from which RedirectMatch makes the URL. It escapes what is before the query, % too. It takes a backslash for a sign
 * that the next character is itself. Source: mod_alias.c of Apache 2.4, try_alias_list.
 *
 * @returns null where another URL would come of it
 */
function unescaped(url: string): string | null {
  const [, before, query] = /^([^?]*)(.*)$/s.exec(url)!;
  const text = decoded(before!);
  if (text === null || /[?#]/.test(text) || escapedByApache(text) !== withSmallHex(before!)) return null;
  const target = `${text}${query!}`;
  // ${name} is a variable of its configuration, in quotes too
  return target.includes('${') ? null : target.replaceAll(/[\\$]/g, '\\$&');
}

const escapedByApache = (text: string) =>
  withSmallHex(encodeURIComponent(text).replaceAll(/%(?:24|2b|2c|3a|3b|40|26|3d|2f)/gi, decodeURIComponent));

const withSmallHex = (url: string) => url.replaceAll(/%[0-9A-F]{2}/gi, (sign) => sign.toLowerCase());
