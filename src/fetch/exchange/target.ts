import { ShingledError } from '../../errors.ts';
import { fetchFailed } from '../failure.ts';
import type { FetchLimits } from '../limits.ts';

/** A URL that may be fetched as far as its text tells; its addresses are checked by the connector. */
export interface Target {
  /** http or https, no userinfo, no fragment, an allowed port. */
  readonly url: URL;
  /** Lower case, without the brackets of IPv6 and without a last dot: by this a host has its turns. */
  readonly hostname: string;
  readonly port: number;
}

type UrlLimits = Pick<FetchLimits, 'portsAllowed' | 'urlBytesMax'>;

/**
 * The URL that a caller asks for.
 *
 * @param base what a relative URL is of
 * @throws ShingledError `invalid-url` (unparsable, too long, with userinfo) or `not-fetchable` (another scheme, another
 * port), field `url`: both follow from the text alone, so they tell nothing about the network.
 */
export function targetOf(text: string, { portsAllowed, urlBytesMax }: UrlLimits, base?: string): Target {
  if (text.length > urlBytesMax) throw tooLong(urlBytesMax);
  const url = URL.parse(text, base);
  if (url === null) throw invalid('The URL is not absolute, or not a URL.');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw notFetchable('Only http and https URLs can be fetched.');
  }
  if (url.username !== '' || url.password !== '') throw invalid('The URL may not hold a user name or a password.');
  url.hash = '';
  if (url.href.length > urlBytesMax) throw tooLong(urlBytesMax);
  const port = url.port === '' ? { 'http:': 80, 'https:': 443 }[url.protocol] : Number(url.port);
  if (!portsAllowed.includes(port)) {
    throw notFetchable(`Port ${port} is not fetched from; allowed are ${portsAllowed.join(', ')} (FETCH_PORTS).`);
  }
  return { url, hostname: url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''), port };
}

/**
 * The URL that `location` leads to from `from`, checked like the first one.
 *
 * @throws ShingledError `fetch-failed`
 */
export function redirectTargetOf(location: string, from: Target, limits: UrlLimits): Target {
  let target: Target;
  try {
    target = targetOf(location, limits, from.url.href);
  } catch {
    throw fetchFailed('redirect-target', from.hostname);
  }
  if (from.url.protocol === 'https:' && target.url.protocol === 'http:') {
    throw fetchFailed('redirect-downgrade', from.hostname);
  }
  return target;
}

const invalid = (message: string) => new ShingledError('invalid-url', message, { field: 'url' });
const notFetchable = (message: string) => new ShingledError('not-fetchable', message, { field: 'url' });
const tooLong = (value: number) =>
  new ShingledError('invalid-url', 'The URL is too long.', { field: 'url', limit: { name: 'urlBytesMax', value } });
