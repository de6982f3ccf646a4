import { Buffer } from 'node:buffer';
import type { ByteWindow } from './byte-window.ts';
import type { Given, Members } from './members.ts';
import { bombIn } from './packing.ts';
import { type ProgramName, SystemProgram } from './system-program.ts';

/*
 * A file of bzip2 or xz, stream by stream:
 *
 *   BZh9 31 41 59 26 53 59 … │ BZh9 31 41 59 26 53 59 … │ …    bzip2, of pbzip2 and the like: some KiB of whole streams are a
 *                                                             member, so that reading can go on there, also behind damage
 *   fd 37 7a 58 5a 00 … │ zeros │ fd 37 7a 58 5a 00 … │ …      xz: all of the file is one member. An xz file in an xz file lies
 *                                                             there as it is, so streams cannot be found by how they begin
 */

const KIB = 2 ** 10;

const PIECE_BYTES = 128 * KIB;
/** A process takes a few ms to begin: many tiny streams are one member. */
const MEMBER_BYTES_MIN = 128 * KIB;

const XZ_MAGIC = Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]);
/** Behind `BZh` and a digit: pi, by which a block begins, or the root of pi, by which a stream ends that has none. */
const BLOCK_MAGIC = Buffer.from([0x31, 0x41, 0x59, 0x26, 0x53, 0x59]);
const END_MAGIC = Buffer.from([0x17, 0x72, 0x45, 0x38, 0x50, 0x90]);
const HEAD_BYTES = 4;
const STREAM_HEAD_BYTES = HEAD_BYTES + BLOCK_MAGIC.length;

/** The program that unpacks what begins with these bytes, null where none does. */
export function programAt(bytes: Buffer): ProgramName | null {
  if (bytes.subarray(0, XZ_MAGIC.length).equals(XZ_MAGIC)) return 'xz';
  const magic = bytes.subarray(HEAD_BYTES, STREAM_HEAD_BYTES);
  return isHead(bytes, 0) && (magic.equals(BLOCK_MAGIC) || magic.equals(END_MAGIC)) ? 'bzip2' : null;
}

const isHead = (bytes: Buffer, at: number) => /^BZh[1-9]$/.test(bytes.toString('latin1', at, at + HEAD_BYTES));

/** Where a stream of bzip2 with something in it begins, from a place on; null where none does. */
function nextStream(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf(BLOCK_MAGIC, from + HEAD_BYTES); at >= 0; at = bytes.indexOf(BLOCK_MAGIC, at + 1)) {
    if (isHead(bytes, at - HEAD_BYTES)) return at - HEAD_BYTES;
  }
  return null;
}

/** The members of a file that a program unpacks, at whose place the window is. */
export function programMembers(window: ByteWindow, name: ProgramName): Members {
  return {
    passPadding: async () => false,
    readOne: () => readOne(window, name),
    search: async () => name === 'bzip2' && searchStream(window),
  };
}

async function* readOne(window: ByteWindow, name: ProgramName): AsyncGenerator<Given, string | null, undefined> {
  if (programAt(window.ahead) !== name) {
    window.goTo(window.at + 1);
    return `something that is not packed by ${name}`;
  }
  const begin = window.at;
  let length = 0;
  const chunks = new SystemProgram(name, 'unpack', pieces(window, name === 'bzip2')).chunks();
  try {
    let next = await chunks.next();
    for (; next.done !== true; next = await chunks.next()) {
      length += next.value.length;
      yield { bytes: next.value, isProven: false };
      const bomb = bombIn(length, window.at - begin);
      if (bomb !== null) return `a stream of ${name} (${bomb})`;
    }
    return next.value === null ? null : `a stream of ${name} (${next.value})`;
  } finally {
    await chunks.return(null);
  }
}

/** What lies ahead, up to the end of the member. @param isBySearch whether that is where another stream begins */
async function* pieces(window: ByteWindow, isBySearch: boolean): AsyncGenerator<Buffer, void, undefined> {
  const least = window.at + MEMBER_BYTES_MIN;
  for (;;) {
    await window.fill(PIECE_BYTES);
    const ahead = window.ahead.subarray(0, PIECE_BYTES);
    if (ahead.length === 0) return;
    const end = isBySearch ? nextStream(ahead, Math.max(0, least - window.at)) : null;
    // where the head of a stream may go on behind what is here, it is looked at with that
    const isLast = !isBySearch || ahead.length < PIECE_BYTES;
    const piece = Buffer.from(ahead.subarray(0, end ?? (isLast ? ahead.length : PIECE_BYTES - STREAM_HEAD_BYTES)));
    window.goTo(window.at + piece.length);
    if (piece.length > 0) yield piece;
    if (end !== null) return;
  }
}

/** Goes to the next stream of bzip2, or to the end of the file, or as far as `reach`. @returns whether there is one */
export async function searchStream(window: ByteWindow, reach = Number.POSITIVE_INFINITY): Promise<boolean> {
  const end = window.at + reach;
  for (;;) {
    await window.fill(PIECE_BYTES);
    const { ahead } = window;
    const next = nextStream(ahead, 0);
    if (next !== null) window.goTo(window.at + next);
    if (next !== null || window.at >= end) return next !== null;
    if (ahead.length < PIECE_BYTES) {
      window.goTo(window.at + ahead.length);
      return false;
    }
    window.goTo(window.at + ahead.length - STREAM_HEAD_BYTES);
  }
}
