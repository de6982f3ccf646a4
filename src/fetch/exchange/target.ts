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

type Fault = { readonly code: 'invalid-url' | 'not-fetchable'; readonly message: string; readonly value?: number };
type UrlLimits = Pick<FetchLimits, 'portsAllowed' | 'urlBytesMax'>;

/**
 * The URL that a caller asks for.
 *
 * @throws ShingledError `invalid-url` (unparsable, too long, with userinfo) or `not-fetchable` (another scheme, another
 * port), field `url`: both follow from the text alone, so they tell nothing about the network.
 */
export function targetOf(text: string, limits: UrlLimits): Target {
  const read = readTarget(text, undefined, limits);
  if ('url' in read) return read;
  const { code, message, value } = read;
  throw new ShingledError(code, message, {
    field: 'url',
    ...(value === undefined ? {} : { limit: { name: 'urlBytesMax', value } }),
  });
}

/**
 * The URL that `location` leads to from `from`, checked like the first one.
 *
 * @throws ShingledError `fetch-failed`
 */
export function redirectTargetOf(location: string, from: Target, limits: UrlLimits): Target {
  const read = readTarget(location, from.url, limits);
  if (!('url' in read)) throw fetchFailed('redirect-target', from.hostname);
  if (from.url.protocol === 'https:' && read.url.protocol === 'http:') {
    throw fetchFailed('redirect-downgrade', from.hostname);
  }
  return read;
}

function readTarget(text: string, base: URL | undefined, limits: UrlLimits): Target | Fault {
  const { urlBytesMax } = limits;
  if (text.length > urlBytesMax) {
    return { code: 'invalid-url', message: 'The URL is too long.', value: urlBytesMax };
  }
  const url = URL.parse(text, base?.href);
  if (url === null) return { code: 'invalid-url', message: 'The URL is not absolute, or not a URL.' };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    return { code: 'not-fetchable', message: 'Only http and https URLs can be fetched.' };
  }
  if (url.username !== '' || url.password !== '') {
    return { code: 'invalid-url', message: 'The URL may not hold a user name or a password.' };
  }
  url.hash = '';
  if (url.href.length > urlBytesMax)
    return { code: 'invalid-url', message: 'The URL is too long.', value: urlBytesMax };
  const port = url.port === '' ? { 'http:': 80, 'https:': 443 }[url.protocol] : Number(url.port);
  if (!limits.portsAllowed.includes(port)) {
    return {
      code: 'not-fetchable',
      message: `Port ${port} is not fetched from; allowed are ${limits.portsAllowed.join(', ')} (FETCH_PORTS).`,
    };
  }
  return { url, hostname: url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, ''), port };
}
