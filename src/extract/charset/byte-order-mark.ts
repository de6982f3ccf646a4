export interface ByteOrderMark {
  readonly charset: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Bytes that the mark itself takes. */
  readonly bytes: number;
}

/** The byte order mark that a document begins with, null where there is none. It overrules every declaration. */
export function byteOrderMark(bytes: Uint8Array): ByteOrderMark | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { charset: 'utf-8', bytes: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { charset: 'utf-16le', bytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { charset: 'utf-16be', bytes: 2 };
  return null;
}
