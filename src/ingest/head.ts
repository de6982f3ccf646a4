import { Buffer } from 'node:buffer';
import type { UnpackedChunk } from './port.ts';

/** The beginning of unpacked bytes, and all of them from there on. */
export interface Headed {
  readonly head: Uint8Array;
  /** Whether there is no more than the head. */
  readonly isWhole: boolean;
  /** Whether it was unpacked. */
  readonly isPacked: boolean;
  readonly chunks: AsyncIterable<UnpackedChunk>;
  /** Lets go of what they are read from; a generator that nobody has begun does not. */
  readonly close: () => Promise<void>;
}

/** Reads so many bytes ahead, or as many as there are. @throws what reading throws */
export async function headOf(chunks: AsyncIterable<UnpackedChunk>, bytesMax: number): Promise<Headed> {
  const iterator = chunks[Symbol.asyncIterator]();
  const held: UnpackedChunk[] = [];
  let length = 0;
  let isWhole = false;
  while (length < bytesMax && !isWhole) {
    const { done, value } = await iterator.next();
    if (done === true) isWhole = true;
    else {
      // what a chunk has is valid until the next one is asked for
      held.push({ ...value, bytes: Uint8Array.from(value.bytes) });
      length += value.bytes.length;
    }
  }
  const head = Buffer.concat(held.map(({ bytes }) => bytes)).subarray(0, bytesMax);
  const isPacked = held[0]?.begins === true;
  const close = async () => {
    await iterator.return?.();
  };
  async function* all(): AsyncGenerator<UnpackedChunk, void, undefined> {
    try {
      yield* held.splice(0);
      for (;;) {
        const { done, value } = await iterator.next();
        if (done === true) return;
        yield value;
      }
    } finally {
      await close();
    }
  }
  return { head, isWhole, isPacked, chunks: all(), close };
}
