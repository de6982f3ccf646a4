/**
 * The order in which sources are kept and listed: by host, its labels reversed, then by URL.
 *
 *   https://www.example.com/a   ->   com.example.www NUL https://www.example.com/a
 *   http://10.0.0.1/            ->   10.0.0.1 NUL http://10.0.0.1/           an address is not reversed
 *   urn:isbn:3                  ->   NUL urn:isbn:3                          a name has no host
 *
 * So that all pages of a site, and all sites of a domain, lie side by side.
 *
 * @param url normalised: printable ASCII (check-plan.ts)
 */
export function sourceKey(url: string): string {
  return `${reversedHost(url)}\0${url}`;
}

/** The URL of a source key. */
export function urlOfSourceKey(key: string): string {
  return key.slice(key.indexOf('\0') + 1);
}

const ADDRESS = /^\[|^[0-9.]+$/;

const reversedHost = (url: string) => reversed(hostOf(url));

/** The host of a source as its key begins: its labels reversed, an address as it is. */
export function reversed(host: string): string {
  if (ADDRESS.test(host)) return host;
  let labels = '';
  let end = host.length;
  for (let at = end - 1; at >= 0; at--) {
    if (host.charCodeAt(at) !== DOT) continue;
    labels += `${host.slice(at + 1, end)}.`;
    end = at;
  }
  return labels + host.slice(0, end);
}

const DOT = 0x2e;
const AT = 0x40;
const ENDS = new Set(['/', '?', '#'].map((end) => end.charCodeAt(0)));

/** The host of an http or https URL: after what may stand before an @, as far as a port or a path. Else ''. */
function hostOf(url: string): string {
  let from = url.startsWith('https://') ? 8 : url.startsWith('http://') ? 7 : url.length;
  let end = from;
  while (end < url.length && !ENDS.has(url.charCodeAt(end))) {
    if (url.charCodeAt(end++) === AT) from = end;
  }
  if (url[from] === '[') {
    const close = url.indexOf(']', from);
    return close < 0 || close >= end ? '' : url.slice(from, close + 1);
  }
  const port = url.indexOf(':', from);
  return url.slice(from, port < 0 || port > end ? end : port);
}
