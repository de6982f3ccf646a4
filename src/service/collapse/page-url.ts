import { ShingledError } from '../../errors.ts';
import type { UrlPart } from '../api.ts';
import { hostOf, nameSource } from '../url.ts';
import type { PlatformUrl } from './platform-url.ts';
import { platformPage } from './platforms.ts';

/*
 * When two URLs of a list of results are one page, read or not. Two rules, the same names in every call that takes them:
 *
 *   exact    equal as the index knows them (url.ts)
 *   loose    and these make no difference, for http and https:
 *              http or https                             www. before a host that has a dot without it
 *              one slash at the end of the path          %-encodings of characters that need none, %2f or %2F
 *              parameters of TRACKING_PARAMETERS         a ? with nothing after it
 *              a cache of AMP pages before the URL       what a platform has for one page (platforms.ts)
 *
 * docs/api.md has them in a table, which a test holds against this file. They are what meta-searches and web archives
 * take for granted: SearXNG's comparison of results, the archives' SURT. Left out is what may name other pages: letter
 * case, order of parameters, session ids, index.html, and the mobile hosts and AMP paths of hosts whose rule is not known.
 * Where those are the same page, their words say so.
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
/** Ghost and others name the page that linked: `ref=news.example.com`. A `ref` of another form may name a branch, an order. */
const REFERRING_HOST =
  /^ref=(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|co|ai|app|me|news|blog|info|de|fr|es|uk|eu|ru|in|jp|br)$/i;
const WEB = /^(https?):\/\/(www\.(?=[^/:?]*\.))?([^/?]*)([^?]*)\??(.*)$/;
const AMP_CACHE =
  /^((?:google\.(?:[a-z]{2,3}|com?\.[a-z]{2})\/amp|[a-z0-9-]+\.cdn\.ampproject\.org\/[cv])\/(?:s\/)?)([a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/.*)?)$/i;
const HAS_AMP_CACHE = /^google\.|\.ampproject\.org$/;
const AMP_PARAMETER = /^(?:amp_js_v|amp_gsa|usqp|outputtype)(?:=|$)/i;
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

/**
 * The parts of the loose rule by which two URLs of one key are one page, in order; empty where they are equal already.
 *
 * @param a normalised, as `url` of {@link PageUrl}
 */
export function urlRulesBetween(a: string, b: string): UrlPart[] {
  if (a === b || !a.startsWith('http') || !b.startsWith('http')) return [];
  const [ofA, ofB] = [a, b].map((url) => {
    const parts: Parts = {};
    looseKey(url, parts);
    return parts;
  });
  return URL_PARTS.filter((part) => ofA![part] !== ofB![part]);
}

/** In the order in which they are told. */
const URL_PARTS: readonly UrlPart[] = ['amp-cache', 'platform', 'scheme', 'www', 'slash', 'tracking', 'encoding'];
/** Of each part what was left out or written otherwise. */
type Parts = Partial<Record<UrlPart, string>>;

/** @param parts is told what does not count */
function looseKey(url: string, parts: Parts = {}): string {
  const whole = pieces(url);
  parts.scheme = whole.scheme;
  const cached = HAS_AMP_CACHE.test(whole.host) ? AMP_CACHE.exec(`${whole.host}${whole.path}`) : null;
  const { www, host, path, query } = cached === null ? whole : ofCached(cached, whole.query, parts);
  parts.www = www;
  const given = query === '' ? [] : query.split('&').filter((parameter) => parameter !== '');
  const parameters = given.filter((parameter) => !isTracking(parameter));
  if (parameters.length < given.length) parts.tracking = given.filter(isTracking).join('&');
  const hasSlash = path.endsWith('/');
  const plain = { host, path: hasSlash ? path.slice(0, -1) : path, parameters };
  if (hasSlash && path !== '/') parts.slash = '/';
  const found = platformPage(plain);
  if (found !== null) parts.platform = spelled(plain);
  const spelling = spelled(found === null ? plain : found.page);
  const key = decoded(spelling);
  if (found === null && key !== spelling) parts.encoding = spelling;
  return key;
}

interface Pieces {
  readonly scheme: string;
  /** '' or www. */
  readonly www: string;
  readonly host: string;
  readonly path: string;
  readonly query: string;
}

function pieces(url: string): Pieces {
  const parts = WEB.exec(url);
  if (parts === null) throw new ShingledError('internal', 'A normalised URL has another form.');
  const [, scheme, www = '', host, path, query] = parts;
  return { scheme: scheme!, www, host: host!, path: path!, query: query! };
}

/** The URL behind a cache of AMP pages: google.com/amp/s/HOST/PATH, x.cdn.ampproject.org/c/s/HOST/PATH. */
function ofCached([, cache, address]: RegExpExecArray, query: string, parts: Parts): Pieces {
  parts['amp-cache'] = cache!;
  const kept = query.split('&').filter((parameter) => !AMP_PARAMETER.test(parameter));
  return pieces(`https://${address}${kept.length === 0 ? '' : `?${kept.join('&')}`}`);
}

function spelled({ host, path, parameters }: PlatformUrl): string {
  return `//${host}${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`;
}

function isTracking(parameter: string): boolean {
  const end = parameter.indexOf('=');
  const name = (end < 0 ? parameter : parameter.slice(0, end)).toLowerCase();
  if (name === 'ref') return REFERRING_HOST.test(parameter);
  return TRACKING_NAMES.has(name) || TRACKING_PREFIXES.some((prefix) => name.startsWith(prefix));
}

function decoded(url: string): string {
  if (!url.includes('%')) return url;
  return url.replace(ENCODED, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return NEEDS_NO_ENCODING.test(character) ? character : encoded.toUpperCase();
  });
}
