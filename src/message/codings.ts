/*
 * What Content-Encoding says. Much that stands there names no coding: `none`, `utf-8`, `binary`, `text/html`. Then the bytes
 * are as they are, as browsers take them; of bytes that are packed all the same it is said later that they are no text.
 */

export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** More than any server applies. Codings multiply: two layers of gzip make 400,000 bytes out of one. */
export const CODINGS_MAX = 3;

const NONE: readonly Coding[] = [];

const CODINGS: Readonly<Record<string, Coding>> = {
  ...{ gzip: 'gzip', 'x-gzip': 'gzip', deflate: 'deflate', br: 'br', zstd: 'zstd' },
};

/** The codings that the fields name, in the order in which they are undone; null where they are more than CODINGS_MAX. */
export function codingsOf(fields: readonly string[]): readonly Coding[] | null {
  if (fields.length === 0) return NONE;
  const codings = fields
    .flatMap((field) => field.toLowerCase().split(',', 100))
    .flatMap((name) => (Object.hasOwn(CODINGS, name.trim()) ? CODINGS[name.trim()]! : []));
  return codings.length > CODINGS_MAX ? null : codings.reverse();
}

/** Whether bytes in deflate have the head that RFC 1950 wants, of sixteen bits that 31 divides; many servers leave it out. */
export const isZlib = (bytes: Uint8Array) =>
  bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && ((bytes[0]! << 8) | bytes[1]!) % 31 === 0;
