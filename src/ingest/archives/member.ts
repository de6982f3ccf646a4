import { Buffer } from 'node:buffer';
import { percentEncoded } from '../fields/percent-encoded.ts';
import { nameOfBytes } from '../inputs/byte-names.ts';
import type { RefusedReason } from '../port.ts';

/** A file in an archive, as its archive tells of it. */
export interface ArchiveMember {
  readonly name: MemberName;
  /** When it was changed last, ms since 1970; null where that is not known. */
  readonly mtimeMs: number | null;
  /** Why it is not read, whatever its name; null: it may be. */
  readonly refusal: Refusal | null;
  /**
   * Reads it; of a tar that can only be done before the next member is asked for.
   *
   * @throws what reading the archive throws
   */
  readonly read: (bytesMax: number) => Promise<Buffer | Refusal>;
  /** Bytes of the archive before the place behind it at which reading may begin, and members of it to be passed over there. */
  readonly next: { readonly byte: number; readonly skip: number };
}

export interface Refusal {
  readonly refused: RefusedReason;
  readonly detail: string;
}

/** The rest of an archive cannot be read. */
export class DamagedArchive extends Error {}

export interface MemberName {
  /** With slashes between its parts; bytes that are not UTF-8 are U+FFFD. */
  readonly path: string;
  /** The same, percent-encoded byte by byte. */
  readonly encoded: string;
  /** Why no URL can be made of it, null if one can. */
  readonly problem: string | null;
}

/** A name as it lies in an archive, without what it may have before it: `/`, `./`. Nothing is written, so it can do no harm. */
export function memberName(bytes: Buffer): MemberName {
  const parts = bytes
    .toString('latin1')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part) => Buffer.from(part, 'latin1'));
  return {
    path: parts.map((part) => part.toString()).join('/'),
    encoded: parts.map((part) => percentEncoded(nameOfBytes(part))).join('/'),
    problem: problemOf(parts),
  };
}

function problemOf(parts: readonly Buffer[]): string | null {
  if (parts.length === 0) return 'It has no name.';
  const leadsOut = parts.some((part) => part.toString('latin1') === '..');
  return leadsOut ? 'Its name leads out of the archive, so it has no URL below it.' : null;
}

export const tooLarge = (bytesMax: number): Refusal => ({
  refused: 'too-large',
  detail: `It has more than ${bytesMax} bytes, unpacked (INGEST_DOCUMENT_BYTES_MAX).`,
});
