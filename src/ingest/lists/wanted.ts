import { shown } from '../fields/shown.ts';

export type WantedUrl =
  | { readonly wanted: string; readonly lastModified: number | null }
  | { readonly refused: 'no-url'; readonly detail: string; readonly url: string | null };

/** @param base against which the address is read, null: none */
export function wantedUrl(address: string, base: string | null, lastModified: number | null): WantedUrl {
  if (address === '') return { refused: 'no-url', detail: 'It has no address.', url: null };
  const url = URL.parse(address, base ?? undefined);
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:'))
    return { wanted: url.href, lastModified };
  if (base === null && !/^[a-z][a-z\d+.-]*:/i.test(address)) {
    const detail = `${shown(address)} is no whole URL, and nothing says to which address it is relative.`;
    return { refused: 'no-url', detail, url: null };
  }
  return { refused: 'no-url', detail: `${shown(address)} is nothing that can be fetched.`, url: null };
}

/** What an entry calls itself, which is its address only if it is a whole URL. */
export function identifiedUrl(identifier: string, lastModified: number | null): WantedUrl {
  if (identifier === '' || /^https?:/i.test(identifier)) return wantedUrl(identifier, null, lastModified);
  return { refused: 'no-url', detail: `It has no address, only the identifier ${shown(identifier)}.`, url: null };
}

/** The address of a list where it was fetched: those in it may be relative to it. */
export function baseOf(file: string): string | null {
  return /^https?:\/\//i.test(file) ? file : null;
}
