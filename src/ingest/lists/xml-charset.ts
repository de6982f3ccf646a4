import type { Buffer } from 'node:buffer';

/** The first bytes say in which character set the rest is. */
export const HEAD_BYTES = 256;
const ENCODING = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/i;

export type ListDecoder = InstanceType<typeof TextDecoder>;

/**
 * By the byte order mark, else by the encoding that the XML declaration says, else UTF-8.
 *
 * @param head the first bytes of a list in XML
 */
export function listDecoder(head: Buffer): ListDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le');
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be');
  // without a mark, by the first character: <
  if (head[0] === 0x3c && head[1] === 0) return new TextDecoder('utf-16le');
  if (head[0] === 0 && head[1] === 0x3c) return new TextDecoder('utf-16be');
  const label = ENCODING.exec(head.toString('latin1', 0, HEAD_BYTES))?.[1];
  try {
    const decoder = new TextDecoder(label ?? 'utf-8');
    // a declaration that can be read a byte a character is not in UTF-16
    return decoder.encoding.startsWith('utf-16') ? new TextDecoder() : decoder;
  } catch {
    return new TextDecoder();
  }
}
