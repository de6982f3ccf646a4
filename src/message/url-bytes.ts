import { Buffer, isUtf8 } from 'node:buffer';

/**
 * A URL as it was sent, byte by byte: UTF-8, or percent-encoded where it is none, as browsers do with a Location. So two
 * URLs that differ in such bytes stay two.
 *
 * @param latin1 a character a byte
 */
export function urlOfBytes(latin1: string): string {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return latin1.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
