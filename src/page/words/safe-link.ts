/*
 * URLs of the index come from anywhere. Only http and https ones become links; `javascript:`, `data:` and names of things
 * (`urn:isbn:…`) are text.
 */

/** The URL as a link may have it, null where it is none. */
export function hrefOf(url: string): string | null {
  const read = URL.parse(url);
  return read !== null && (read.protocol === 'https:' || read.protocol === 'http:') ? read.href : null;
}

/** What a URL is told apart by in a drawing: its host, or as much of a name as stands before its last part. */
export function placeOf(url: string): string {
  const read = URL.parse(url);
  if (read !== null && read.host !== '') return read.host.replace(/^www\./, '');
  const [, name] = /^([^/?#]+)/.exec(url) ?? [];
  return name ?? url;
}

/** The rest of a URL behind its host, or all of a name. */
export function pathOf(url: string): string {
  const read = URL.parse(url);
  if (read === null || read.host === '') return url;
  return `${read.pathname}${read.search}` || '/';
}
