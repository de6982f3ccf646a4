import { open } from 'node:fs/promises';

/** Bytes of a file or of a stream, in their order. */
export interface RawBytes {
  /** Fills the beginning of `into`; 0 at the end. */
  read(into: Uint8Array): Promise<number>;
  /** Passes over so many bytes, which may be more than there are. */
  skip(count: number): Promise<void>;
  close(): Promise<void>;
}

/** @throws what the system throws: there is no such file, it is a folder */
export async function fileBytes(path: string): Promise<RawBytes> {
  const handle = await open(path, 'r');
  let at = 0;
  return {
    read: async (into) => {
      const { bytesRead } = await handle.read(into, 0, into.length, at);
      at += bytesRead;
      return bytesRead;
    },
    skip: async (count) => {
      at += count;
    },
    close: () => handle.close(),
  };
}

export function streamBytes(stream: AsyncIterable<Uint8Array>): RawBytes {
  const iterator = stream[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array(0);
  /** At most so many bytes, none at the end. */
  const next = async (count: number): Promise<Uint8Array> => {
    while (rest.length === 0) {
      const read = await iterator.next();
      if (read.done === true) break;
      rest = read.value;
    }
    const taken = rest.subarray(0, count);
    rest = rest.subarray(taken.length);
    return taken;
  };
  return {
    read: async (into) => {
      const bytes = await next(into.length);
      into.set(bytes);
      return bytes.length;
    },
    skip: async (count) => {
      for (let left = count; left > 0; ) {
        const { length } = await next(left);
        if (length === 0) return;
        left -= length;
      }
    },
    close: async () => {
      await iterator.return?.();
    },
  };
}
