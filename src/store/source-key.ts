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

const HTTP = /^https?:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/;
const ADDRESS = /^\[|^[0-9.]+$/;

function reversedHost(url: string): string {
  const host = HTTP.exec(url)?.[1];
  if (host === undefined) return '';
  if (ADDRESS.test(host)) return host;
  let reversed = '';
  let end = host.length;
  for (let dot = host.lastIndexOf('.'); dot >= 0 && end > 0; dot = host.lastIndexOf('.', dot - 1)) {
    reversed += `${host.slice(dot + 1, end)}.`;
    end = dot;
    if (dot === 0) break;
  }
  return reversed + host.slice(0, end);
}
