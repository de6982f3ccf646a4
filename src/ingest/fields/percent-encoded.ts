/** Bytes of a name that are no UTF-8, as inputs/byte-names.ts has them. With the flag u, halves of a pair are none of these. */
export const LONE_BYTE = /[\udc80-\udcff]/u;

/** A name or a part of it, percent-encoded byte by byte for a URL. Lone surrogates that are no byte become U+FFFD. */
export function percentEncoded(name: string): string {
  if (!LONE_BYTE.test(name)) return encodeURIComponent(name.toWellFormed());
  return name
    .match(/[\udc80-\udcff]|[^\udc80-\udcff]+/gu)!
    .map((part) =>
      LONE_BYTE.test(part)
        ? `%${(part.charCodeAt(0) - 0xdc00).toString(16).toUpperCase()}`
        : encodeURIComponent(part.toWellFormed()),
    )
    .join('');
}
