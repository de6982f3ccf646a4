import type { Buffer } from 'node:buffer';

/* What an archive is, by its first bytes. */

const BLOCK_BYTES = 512;
const CHECKSUM = { from: 148, to: 156 } as const;
const SPACE = 0x20;

const LOCAL_HEADER = 'PK\x03\x04';
const DIRECTORY_END = 'PK\x05\x06';

/** Whether a tar begins here: the checksum of its first head is right, whatever its dialect. */
export function isTar(head: Buffer): boolean {
  if (head.length < BLOCK_BYTES || head[0] === 0) return false;
  const told = Number.parseInt(head.toString('latin1', CHECKSUM.from, CHECKSUM.to).trimStart(), 8);
  let sum = 0;
  for (let at = 0; at < BLOCK_BYTES; at++) sum += at >= CHECKSUM.from && at < CHECKSUM.to ? SPACE : head[at]!;
  return told === sum;
}

/** Local file header, or the end of a directory without entries. */
export const isZip = (head: Buffer) =>
  [LOCAL_HEADER, DIRECTORY_END].includes(head.toString('latin1', 0, LOCAL_HEADER.length));
