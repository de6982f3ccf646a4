import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ShingledError } from '../errors.ts';
import { systemFault } from '../plain-words/system-faults.ts';
import { Latch } from '../sharing/waiting.ts';

/** Standard output. Whoever has enough, as `head` has, need not take all; any other fault is told, not thrown into the air. */
export class Output {
  readonly #stream: NodeJS.WritableStream;
  #cause: unknown = null;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
    stream.on('error', (error) => {
      this.#cause ??= error;
    });
  }

  write(text: string): void {
    this.#stream.write(text);
  }

  /** Text after text, each once the one before has left. @throws ShingledError `output-unwritable` */
  async flow(texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    try {
      await pipeline(Readable.from(texts), this.#stream, { end: false });
    } catch (error) {
      const fault = error === this.#cause ? this.#fault : error;
      if (fault !== null) throw fault;
    }
  }

  /** Bytes, which may be written over once they have left. @throws Error of the stream, also where nobody takes more */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    const written = new Latch<Error | null>();
    this.#stream.write(bytes, (error) => {
      this.#cause ??= error ?? null;
      written.happen(error ?? null);
    });
    const error = await written.ahead;
    if (error !== null) throw error;
  }

  /** Once all is written. @returns why it is not */
  async end(): Promise<ShingledError | null> {
    await this.writeBytes(Buffer.alloc(0)).catch(() => {});
    return this.#fault;
  }

  /** null also where nobody takes more. */
  get #fault(): ShingledError | null {
    const cause = this.#cause as NodeJS.ErrnoException | null;
    if (cause === null || cause.code === 'EPIPE') return null;
    const detail = `Standard output cannot be written: ${systemFault(cause)}.`;
    return new ShingledError('output-unwritable', detail, { cause });
  }
}
