import { ShingledError } from '../../errors.ts';
import { hostOf, nameSource } from '../url.ts';

/*
 * When two URLs of a list of results are one page, read or not. Two rules, the same names in every call that takes them:
 *
 *   exact    equal as the index knows them (url.ts)
 *   loose    and these make no difference, for http and https:
 *              http or https                             www. before a host that has a dot without it
 *              one slash at the end of the path          %-encodings of characters that need none, %2f or %2F
 *              parameters of TRACKING_PARAMETERS         a ? with nothing after it
 *
 * docs/api.md has them in a table, which a test holds against this file. They are what meta-searches and web archives
 * take for granted: SearXNG's comparison of results, the archives' SURT. Left out is what may name other pages: letter
 * case, order of parameters, session ids, index.html, mobile hosts, AMP. Where those are the same page, their words say
 * so.
 *
 * By either rule a fragment that begins with / or ! counts: behind it pages of one URL hide (matrix.to/#/…).
 */

export type UrlRule = 'exact' | 'loose';

/** What a result's URL says of it. */
export interface PageUrl {
  /** The URL as the index knows it. */
  readonly url: string;
  readonly fetchable: boolean;
  /** Equal for one page. */
  readonly key: string;
}

/** Who puts them into links: Urchin and Google, Facebook, Microsoft, Yandex, X, TikTok, Instagram, LinkedIn, mailers. */
export const TRACKING_PARAMETERS: readonly string[] = [
  ...['utm_*', 'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'srsltid', 'fbclid', 'msclkid', 'yclid', 'ysclid'],
  ...['twclid', 'ttclid', 'igsh', 'igshid', 'li_fat_id', 'mc_cid', 'mc_eid', '_hsenc', '_hsmi', 'mkt_tok'],
];

const TRACKING_NAMES = new Set(TRACKING_PARAMETERS.filter((name) => !name.endsWith('*')));
const TRACKING_PREFIXES = TRACKING_PARAMETERS.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
const WEB = /^https?:\/\/(?:www\.(?=[^/:?]*\.))?([^/?]*)([^?]*)\??(.*)$/;
const WWW = /^www\.(?=.*\.)/;
const ENCODED = /%[0-9a-f]{2}/gi;
/** What encodeURIComponent leaves as it is. */
const NEEDS_NO_ENCODING = /[A-Za-z0-9\-_.!~*'()]/;
const ROUTE = /^[^#]*#([/!].+)$/;

/** @throws ShingledError `invalid-url` */
export function pageUrl(spelling: string, rule: UrlRule, field: string, urlBytesMax: number): PageUrl {
  const { url, fetchable } = nameSource(spelling, field, urlBytesMax);
  const route = fetchable ? (ROUTE.exec(spelling)?.[1] ?? '') : '';
  const key = rule === 'loose' && fetchable ? looseKey(url) : url;
  return { url, fetchable, key: route === '' ? key : `${key}#${route}` };
}

/** The host of a normalised URL, by the loose rule without www; null for a name, which has none. */
export function siteOf(url: string, rule: UrlRule): string | null {
  const host = hostOf(url);
  return host === null ? null : siteOfHost(host, rule);
}

/** A normalised host in the same form. */
export function siteOfHost(host: string, rule: UrlRule): string {
  return rule === 'loose' ? host.replace(WWW, '') : host;
}

function looseKey(url: string): string {
  const parts = WEB.exec(url);
  if (parts === null) throw new ShingledError('internal', 'A normalised URL has another form.');
  const [, host, path, query] = parts;
  const kept = query!.split('&').filter((parameter) => parameter !== '' && !isTracking(parameter));
  return decoded(`//${host}${path!.replace(/\/$/, '')}${kept.length === 0 ? '' : `?${kept.join('&')}`}`);
}

function isTracking(parameter: string): boolean {
  const end = parameter.indexOf('=');
  const name = (end < 0 ? parameter : parameter.slice(0, end)).toLowerCase();
  return TRACKING_NAMES.has(name) || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function decoded(url: string): string {
  if (!url.includes('%')) return url;
  return url.replace(ENCODED, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return NEEDS_NO_ENCODING.test(character) ? character : encoded.toUpperCase();
  });
}
