import { Buffer } from 'node:buffer';
import type { UnpackedChunk } from '../port.ts';
import { AHEAD_BYTES_MAX, type ByteWindow } from './byte-window.ts';
import { bombIn, type Packing } from './packing.ts';
import { packingAt } from './packings.ts';
import { searchMember } from './search.ts';
import { SEARCHED_BACK_BYTES, streamMember } from './streamed-member.ts';
import { readMember, soundBeginning } from './whole-member.ts';
import { skippedFrame } from './zstd.ts';

/*
 * A packed file, member by member:
 *
 *   sound, in memory          one chunk, its checksum proven before
 *   too large for memory      chunk by chunk; its checksum comes last
 *   damaged or cut            what it gives before that; the next chunk says so, and where it is
 *   to be skipped, zeros      nothing
 *   anything else             nothing; the next chunk says so, and where it was
 */

export type Given = Required<Pick<UnpackedChunk, 'bytes' | 'isProven'>> & Pick<UnpackedChunk, 'end'>;

/** The members of one file, at whose place its window is. */
export interface Members {
  /** Goes over what is no member and no damage. @returns whether there was some */
  readonly passPadding: () => Promise<boolean>;
  /** Goes over a member, or to where the next is to be searched. @returns what is wrong with it, null where nothing is */
  readonly readOne: () => AsyncGenerator<Given, string | null, undefined>;
  /** Goes to the next member, or to the end of the file. @returns whether there is one */
  readonly search: () => Promise<boolean>;
}

/** The members of a file, and what is known of them so far. */
interface PackedFile {
  readonly window: ByteWindow;
  readonly packings: readonly Packing[];
  /** Up to how many bytes of tiny members are tried together: fewer where some of them are damaged. */
  tinyBytes: number;
  /** Those before this place are read one by one. */
  triedUntil: number;
}

const TINY_BYTES_MAX = 2 ** 16;
const TINY_BYTES_MIN = 2 ** 10;

/** Members of gzip and frames of zstd. */
export function packedMembers(window: ByteWindow, packings: readonly Packing[]): Members {
  const file: PackedFile = { window, packings, tinyBytes: TINY_BYTES_MAX, triedUntil: 0 };
  return {
    passPadding: () => passPadding(window, packings),
    readOne: () => readOne(file),
    search: () => searchMember(window, packings),
  };
}

/** Most members are smaller. */
const MEMBER_BYTES = 2 ** 18;
const NOTHING = Buffer.alloc(0);
const ZEROS = Buffer.alloc(2 ** 16);

export async function* readMembers(
  window: ByteWindow,
  members: Members,
): AsyncGenerator<UnpackedChunk, void, undefined> {
  let damage: string | null = null;
  let isTorn = false;
  let isFirst = true;
  const from = window.at;
  let unpackedBytes = 0;
  for (;;) {
    await window.fill(MEMBER_BYTES);
    if (window.ahead.length === 0) break;
    // many members that are none by themselves
    const bomb = bombIn(unpackedBytes, window.at - from);
    if (bomb !== null) {
      damage = `the file is a bomb (${bomb}), at byte ${window.at}; nothing is read after it`;
      break;
    }
    if (await members.passPadding()) continue;
    const byte = window.at;
    const member = members.readOne();
    let begins = true;
    let problem: string | null = null;
    let isRead = false;
    try {
      let next = await member.next();
      for (; next.done !== true; next = await member.next()) {
        const { length } = next.value.bytes;
        unpackedBytes += length;
        // of members without bytes a file may have millions; the first says that the file is packed
        if (length === 0 && damage === null && !isFirst) continue;
        isFirst = false;
        yield { ...next.value, byte, begins, damage, isTorn };
        [begins, damage, isTorn] = [false, null, false];
      }
      problem = next.value;
      isRead = true;
    } finally {
      if (!isRead) await member.return(null);
    }
    isTorn ||= problem !== null && !begins;
    if (problem === null) continue;
    const goesOn = await members.search();
    const until = goesOn ? `reading goes on at byte ${window.at}` : 'nothing can be read after it';
    const told = `${problem} at byte ${byte}; ${until}`;
    damage = damage === null ? told : `${damage}; ${told}`;
  }
  if (damage !== null) yield { bytes: NOTHING, byte: window.at, begins: true, damage, isTorn };
}

/**
 * Goes over the member at the window's place, or to where the next is to be searched.
 *
 * @returns what is wrong with it, null where nothing is
 */
async function* readOne(file: PackedFile): AsyncGenerator<Given, string | null, undefined> {
  const { window, packings } = file;
  const begin = window.at;
  const packing = packingAt(packings, window.ahead);
  if (packing === null) return 'something that is not packed';
  const isTiny = begin >= file.triedUntil && packing.isTinyAt(window.ahead);
  const tiny = isTiny ? await readTiny(file, packing) : null;
  if (tiny !== null) {
    yield tiny;
    return null;
  }
  let member = readMember(packing, window.ahead);
  if (member.is === 'longer' && !window.isRead) {
    await window.fill(AHEAD_BYTES_MAX);
    member = readMember(packing, window.ahead);
  }
  if (member.is === 'sound') {
    const isProven = packing.hasChecksum(window.ahead);
    window.goTo(begin + member.length);
    yield { bytes: member.bytes, isProven, end: window.at };
    return null;
  }
  const named = `a member of ${packing.name}`;
  if (member.is === 'large' || (member.is === 'longer' && !window.isRead)) {
    const problem = yield* unproven(streamMember(window, packing));
    if (problem === null) return null;
    window.goTo(Math.max(begin + 1, window.at - SEARCHED_BACK_BYTES));
    return `${named} (${problem})`;
  }
  const { bytes, problem } = member.is === 'damaged' ? member : CUT;
  const beginning = bytes ?? soundBeginning(packing, window.ahead);
  // not behind the end that it seems to have: packed bytes that are not in step may end with another member
  window.goTo(begin + 1);
  if (beginning !== null && beginning.length > 0) yield { bytes: beginning, isProven: false };
  return `${named} (${problem})`;
}

/** Goes over tiny members, many at once. @returns null if the next member is to be read by itself */
async function readTiny(file: PackedFile, packing: Packing): Promise<Given | null> {
  const { window } = file;
  for (;;) {
    const { bytes, length, isProven } = await packing.unpackTiny(window.ahead.subarray(0, file.tinyBytes));
    if (bytes !== null) {
      window.goTo(window.at + length);
      file.tinyBytes = Math.min(TINY_BYTES_MAX, 2 * file.tinyBytes);
      return { bytes, isProven, end: window.at };
    }
    if (file.tinyBytes <= TINY_BYTES_MIN || length === 0) {
      file.triedUntil = window.at + length;
      return null;
    }
    file.tinyBytes = Math.max(TINY_BYTES_MIN, length >>> 1);
  }
}

const CUT = { bytes: null, problem: 'it is cut' } as const;

async function* unproven<R>(chunks: AsyncGenerator<Buffer, R, undefined>): AsyncGenerator<Given, R, undefined> {
  let next = await chunks.next();
  for (; next.done !== true; next = await chunks.next()) yield { bytes: next.value, isProven: false };
  return next.value;
}

const MAGIC_BYTES = 4;

/** Goes over zeros, which fill blocks of tapes, and over a frame that is to be skipped. @returns whether there were some */
async function passPadding(window: ByteWindow, packings: readonly Packing[]): Promise<boolean> {
  const { ahead, at } = window;
  if (ahead[0] === 0) {
    let zeros = 0;
    while (ahead.subarray(zeros, zeros + ZEROS.length).equals(ZEROS)) zeros += ZEROS.length;
    while (ahead[zeros] === 0) zeros++;
    window.goTo(at + zeros);
    return true;
  }
  const length = skippedFrame(ahead);
  if (length === null || length > AHEAD_BYTES_MAX) return false;
  await window.fill(length + MAGIC_BYTES);
  const next = window.ahead.subarray(length);
  // a length that was damaged would take sound frames with it
  const isSound = next.length === 0 || packingAt(packings, next) !== null || skippedFrame(next) !== null;
  if (isSound && window.ahead.length >= length) window.goTo(at + length);
  return isSound && window.at > at;
}
