import type { MovedCandidate } from '../../service/moved/moved-api.ts';

/*
 * Old URLs and where their documents are -> what web servers read. A key is what a server knows of a request without its
 * scheme, as it was sent: https and http are one.
 *
 *   csv       from,to,how,sure                                   for people, and for programs of their own
 *   nginx     "a.example/old?x=1" "https://a.example/new";       inside of: map $host$request_uri $moved_to { include …; }
 *   apache    a.example/old?x=1 https://a.example/new            RewriteMap moved "txt:…", looked up by host and request
 *   htaccess  RedirectMatch 301 "^/old$" "https://a.example/new" of one host; paths without a query
 *
 * A server that is told to lead a request to itself would never end. So what differs from its target by its scheme alone is
 * left out, and what is itself the target of another one.
 */

export const MAP_FORMATS = ['csv', 'nginx', 'apache', 'htaccess'] as const;
export type MapFormat = (typeof MAP_FORMATS)[number];

export interface Redirect extends Pick<MovedCandidate, 'how' | 'sure'> {
  readonly from: string;
  readonly to: string;
}

export interface WrittenMap {
  readonly text: string;
  /** Those that the format cannot say, or that would lead in a circle. */
  readonly left: readonly Redirect[];
}

/** A whole map, its entries in the order of the redirects. */
export function redirectMap(redirects: readonly Redirect[], format: MapFormat): WrittenMap {
  if (format === 'csv') return { text: [CSV_HEAD, ...redirects.map(csvLine)].map(ended).join(''), left: [] };
  const targets = new Set(redirects.map(({ to }) => keyOf(to, format)));
  const seen = new Set<string>();
  const lines: string[] = [];
  const left: Redirect[] = [];
  for (const redirect of redirects) {
    const key = keyOf(redirect.from, format);
    const line = key === null || targets.has(key) || seen.has(key) ? null : LINES[format](redirect);
    if (key === null || line === null) {
      left.push(redirect);
      continue;
    }
    seen.add(key);
    lines.push(ended(line));
  }
  return { text: lines.join(''), left };
}

const ended = (line: string) => `${line}\n`;

const CSV_HEAD = 'from,to,how,sure';

const csvLine = ({ from, to, how, sure }: Redirect): string => [from, to, how, sure].map(csvField).join(',');

const csvField = (field: string) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);

/**
 * What a server of this format tells apart; null of names, which no server is asked for. Capitals and small letters are one
 * to nginx. A query is nothing to a .htaccess.
 */
function keyOf(url: string, format: MapFormat): string | null {
  if (!/^https?:/.test(url)) return null;
  const { hostname, host, pathname, search } = new URL(url);
  if (format === 'nginx') return `${hostname}${pathname}${search}`.toLowerCase();
  if (format === 'apache') return `${host}${pathname}${search}`;
  return `${host}${decoded(pathname) ?? pathname}`;
}

const LINES: Readonly<Record<Exclude<MapFormat, 'csv'>, (redirect: Redirect) => string | null>> = {
  nginx: ({ from, to }) => {
    const { hostname, pathname, search } = new URL(from);
    return `${quoted(`${hostname}${pathname}${search}`)} ${quoted(literal(to))};`;
  },
  apache: ({ from, to }) => {
    const { host, pathname, search } = new URL(from);
    return `${host}${pathname}${search} ${literal(to)}`;
  },
  htaccess: ({ from, to }) => {
    const { pathname, search } = new URL(from);
    const path = decoded(pathname);
    if (path === null || search !== '') return null;
    const pattern = `^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`;
    return `RedirectMatch 301 ${quoted(pattern)} ${quoted(literal(to))}`;
  },
};

/** A target in which $ begins no variable of a server. */
const literal = (url: string) => url.replaceAll('$', '%24');

/** Both servers read \\\\ as one backslash, and \\" as a quote. */
const quoted = (text: string) => `"${text.replaceAll(/[\\"]/g, '\\$&')}"`;

/** A path as Apache matches it; null where it is no text, or has what a line cannot. */
function decoded(path: string): string | null {
  try {
    const text = decodeURIComponent(path);
    return /\p{Cc}/u.test(text) ? null : text;
  } catch {
    return null;
  }
}
