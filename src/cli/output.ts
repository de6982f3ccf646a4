import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ShingledError } from '../errors.ts';
import { systemFault } from '../plain-words/system-faults.ts';
import { Latch } from '../sharing/waiting.ts';
import { readable } from './texts.ts';

/**
 * Standard output. A reader that has enough, as `head` has, need not take all; any other fault is told, not thrown into the
 * air. What goes to a terminal is made readable there: it may have come from strangers.
 */
export class Output {
  readonly #stream: NodeJS.WritableStream;
  /** null: it is no terminal. */
  readonly #decoder: InstanceType<typeof TextDecoder> | null;
  #cause: unknown = null;

  constructor(stream: NodeJS.WritableStream, isTerminal: boolean) {
    this.#stream = stream;
    this.#decoder = isTerminal ? new TextDecoder() : null;
    stream.on('error', (error) => {
      this.#cause ??= error;
    });
  }

  write(text: string): void {
    this.#stream.write(this.#shown(text));
  }

  /** Text after text, each once the one before has left. @throws ShingledError `output-unwritable` */
  async flow(texts: Iterable<string> | AsyncIterable<string>): Promise<void> {
    try {
      await pipeline(Readable.from(this.#decoder === null ? texts : shownEach(texts)), this.#stream, { end: false });
    } catch (error) {
      const fault = error === this.#cause ? this.#fault : error;
      if (fault !== null) throw fault;
    }
  }

  /** Bytes, which may be written over once they have left. @throws Error of the stream, also where nobody takes more */
  async writeBytes(bytes: Uint8Array): Promise<void> {
    const written = new Latch<Error | null>();
    const shown = this.#decoder === null ? bytes : this.#shown(this.#decoder.decode(bytes, { stream: true }));
    this.#stream.write(shown, (error) => {
      this.#cause ??= error ?? null;
      written.happen(error ?? null);
    });
    const error = await written.ahead;
    if (error !== null) throw error;
  }

  #shown(text: string): string {
    return this.#decoder === null ? text : readable(text);
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

async function* shownEach(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  for await (const text of texts) yield readable(text);
}
