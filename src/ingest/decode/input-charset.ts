import { Buffer, isUtf8 } from 'node:buffer';
import { decodeText } from '../../extract/charset/decode.ts';
import { lettersBeyondAscii } from '../../extract/charset/guess.ts';
import { byteOrderMark } from '../../extract/charset/signatures.ts';

/* In which charset files of records and lists are: as their byte order mark says, as it was told, as their beginning looks. */

const UTF8 = 'utf-8';

/**
 * @param told what it is where no byte order mark says; null: not told
 * @param head the first bytes
 * @returns its WHATWG name; null where it is UTF-8
 */
export function charsetOf(head: Uint8Array, told: string | null): string | null {
  const charset = byteOrderMark(head)?.charset ?? told ?? guessed(head);
  return charset === UTF8 ? null : charset;
}

/** Fewer letters beyond ASCII may be damage, and the lines that have them are refused by themselves. */
const LETTERS_MIN = 16;

/** UTF-8 where most of what is not ASCII is that. */
function guessed(head: Uint8Array): string {
  if (isUtf8(head) || lettersBeyondAscii(head) < LETTERS_MIN) return UTF8;
  return decodeText(head, 'plain', UTF8).charset;
}

/** A beginning as UTF-8. */
export function decodedHead(head: Buffer, charset: string | null): Buffer {
  return charset === null || charset === UTF8
    ? head
    : Buffer.from(new TextDecoder(charset, { ignoreBOM: true }).decode(head));
}
