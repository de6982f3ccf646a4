import type { Buffer } from 'node:buffer';
import { type Packing, problemOf } from './packing.ts';

const MIB = 2 ** 20;

/** What is larger unpacked is unpacked piece by piece. */
const WHOLE_BYTES_MAX = 16 * MIB;
/** So much of what may be a member is looked at first: rubbish ends sooner. */
export const GLANCED_BYTES = 2 ** 16;
const GLANCED_UNPACKED_MAX = MIB;

/** A member as far as it is in memory. */
export type Member =
  | { readonly is: 'sound'; readonly bytes: Buffer; readonly length: number }
  /** It goes on behind what is in memory. */
  | { readonly is: 'longer' }
  /** It unpacks to more than is taken into memory. */
  | { readonly is: 'large' }
  | { readonly is: 'damaged'; readonly problem: string; readonly bytes: Buffer | null };

/** Unpacks the member that begins with `bytes`. */
export function readMember(packing: Packing, bytes: Buffer): Member {
  const head = packing.headBytes(bytes);
  if (head === null) return { is: 'damaged', problem: 'its head is none', bytes: null };
  const body = bytes.subarray(head);
  try {
    const inflated = packing.inflate(body, { bytesMax: WHOLE_BYTES_MAX, isPart: false });
    const tailAt = head + inflated.length;
    if (bytes.length < tailAt + packing.tailBytes) return { is: 'longer' };
    const tail = bytes.subarray(tailAt, tailAt + packing.tailBytes);
    const problem = packing.tailProblem(tail, packing.checksum(inflated.bytes, 0), inflated.bytes.length);
    const { bytes: unpacked } = inflated;
    if (problem !== null) return { is: 'damaged', problem, bytes: unpacked };
    return { is: 'sound', bytes: unpacked, length: tailAt + packing.tailBytes };
  } catch (error) {
    if (isCode(error, 'Z_BUF_ERROR')) return { is: 'longer' };
    if (isCode(error, 'ERR_BUFFER_TOO_LARGE')) return { is: 'large' };
    return { is: 'damaged', problem: problemOf(error), bytes: null };
  }
}

/** Whether what begins here may be a member, by its first bytes: rubbish is seldom taken for one. */
export function mayBeMember(packing: Packing, bytes: Buffer): boolean {
  const head = packing.headBytes(bytes);
  if (head === null) return false;
  try {
    packing.inflate(bytes.subarray(head, head + GLANCED_BYTES), { bytesMax: GLANCED_UNPACKED_MAX, isPart: true });
    return true;
  } catch (error) {
    return isCode(error, 'ERR_BUFFER_TOO_LARGE');
  }
}

/**
 * What a damaged or cut member gives before that: it is halved until the byte is found at which unpacking fails. So it
 * takes as long as some twenty sound ones.
 */
export function soundBeginning(packing: Packing, bytes: Buffer): Buffer | null {
  const head = packing.headBytes(bytes);
  if (head === null) return null;
  const body = bytes.subarray(head);
  let unpacked: Buffer | null = null;
  let [sound, failing] = [0, body.length + 1];
  while (failing - sound > 1) {
    const middle = (sound + failing) >>> 1;
    try {
      unpacked = packing.inflate(body.subarray(0, middle), { bytesMax: WHOLE_BYTES_MAX, isPart: true }).bytes;
      sound = middle;
    } catch (error) {
      problemOf(error);
      failing = middle;
    }
  }
  return unpacked;
}

const isCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code;
