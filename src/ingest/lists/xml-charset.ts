import type { Buffer } from 'node:buffer';

/** The first bytes say in which character set the rest is. */
export const HEAD_BYTES = 256;
const ENCODING = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i;

export type ListDecoder = InstanceType<typeof TextDecoder>;

/**
 * @param head the first bytes of a list in XML
 * @param otherwise the charset of a list that declares none
 */
export function listDecoder(head: Buffer, otherwise = 'utf-8'): ListDecoder {
  return new TextDecoder(declaredListCharset(head) ?? otherwise);
}

/** By the byte order mark, else by the encoding that the XML declaration says; null where neither is there. */
export function declaredListCharset(head: Buffer): string | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  // without a mark, by the first character: <
  if (head[0] === 0x3c && head[1] === 0) return 'utf-16le';
  if (head[0] === 0 && head[1] === 0x3c) return 'utf-16be';
  const label = ENCODING.exec(head.toString('latin1', 0, HEAD_BYTES))?.[1];
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    // a declaration that can be read a byte a character is not in UTF-16
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return null;
  }
}
