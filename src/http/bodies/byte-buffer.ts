/** Bytes that arrive in pieces, kept as one: a million pieces of one byte cost a million bytes, not a million objects. */
export interface ByteBuffer {
  readonly length: number;
  /** The piece is kept as it is where it comes alone, as most do; it is never written to. */
  add(piece: Buffer): void;
  /** All bytes so far; the buffer is empty afterwards. */
  take(): Buffer;
}

const LEAST = 1024;
const NONE = Buffer.alloc(0);

export function createByteBuffer(): ByteBuffer {
  let bytes: Buffer = NONE;
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(piece) {
      const needed = length + piece.length;
      if (length === 0) bytes = piece;
      else {
        if (needed > bytes.length) {
          const grown = Buffer.allocUnsafe(Math.max(LEAST, needed, bytes.length * 2));
          bytes.copy(grown, 0, 0, length);
          bytes = grown;
        }
        bytes.set(piece, length);
      }
      length = needed;
    },
    take() {
      const taken = length === bytes.length ? bytes : bytes.subarray(0, length);
      bytes = NONE;
      length = 0;
      return taken;
    },
  };
}
