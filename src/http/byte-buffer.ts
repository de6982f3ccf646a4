/** Bytes that arrive in pieces, kept as one: a million pieces of one byte cost a million bytes, not a million objects. */
export interface ByteBuffer {
  readonly length: number;
  add(piece: Uint8Array): void;
  /** All bytes so far; the buffer is empty afterwards. */
  take(): Buffer;
}

const LEAST = 1024;

export function createByteBuffer(): ByteBuffer {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(piece) {
      const needed = length + piece.length;
      if (needed > bytes.length) {
        const grown = Buffer.allocUnsafe(Math.max(LEAST, needed, length === 0 ? 0 : bytes.length * 2));
        bytes.copy(grown, 0, 0, length);
        bytes = grown;
      }
      bytes.set(piece, length);
      length = needed;
    },
    take() {
      const taken = bytes.subarray(0, length);
      bytes = Buffer.alloc(0);
      length = 0;
      return taken;
    },
  };
}
