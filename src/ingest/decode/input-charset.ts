import { Buffer, isUtf8 } from 'node:buffer';
import { ShingledError } from '../../errors.ts';
import { decodeText } from '../../extract/charset/decode.ts';
import { byteOrderMark } from '../../extract/charset/signatures.ts';

/* In which charset files of records and lists are: as their byte order mark says, as it was told, as their beginning looks. */

const UTF8 = 'utf-8';

/**
 * A charset by its WHATWG name in lower case.
 *
 * @throws ShingledError `invalid-request` for a label that nobody knows, or that cannot be decoded
 */
export function charsetNamed(label: string): string {
  try {
    const { encoding } = new TextDecoder(label);
    return encoding;
  } catch {
    const detail = `The charset "${label.slice(0, 40)}" is not known: name one as the web does, such as windows-1251, gbk or utf-16le.`;
    throw new ShingledError('invalid-request', detail, { field: 'charset' });
  }
}

/**
 * @param told what it is where no byte order mark says; null: not told
 * @param head the first bytes
 * @returns its WHATWG name; null where it is UTF-8
 */
export function charsetOf(head: Uint8Array, told: string | null): string | null {
  const charset = byteOrderMark(head)?.charset ?? told ?? guessed(head);
  return charset === UTF8 ? null : charset;
}

/** UTF-8 where most of what is not ASCII is: damaged lines are refused by themselves. */
function guessed(head: Uint8Array): string {
  return isUtf8(head) ? UTF8 : decodeText(head, 'plain', UTF8).charset;
}

/** A beginning as UTF-8. */
export function decodedHead(head: Uint8Array, charset: string | null): Uint8Array {
  return charset === null ? head : Buffer.from(new TextDecoder(charset, { ignoreBOM: true }).decode(head));
}
