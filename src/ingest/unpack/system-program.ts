import { Buffer } from 'node:buffer';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ShingledError } from '../../errors.ts';

/*
 * bzip2 and xz, which Node cannot unpack. The programs of the system do it, each in a process of its own: what strangers packed
 * cannot take our memory, and another core does the work.
 *
 *   pieces ──► standard input │ bzip2, xz │ standard output ──► chunks, as fast as they are asked for
 */

export type ProgramName = 'bzip2' | 'xz';

export const isProgram = (name: string | null): name is ProgramName => name === 'bzip2' || name === 'xz';

const MIB = 2 ** 20;

/** What xz may take. `xz -9` needs 65 MiB; a head may ask for 1.5 GiB, and nearly no file does. */
const XZ_MEMORY_BYTES = 512 * MIB;

const UNPACK: Readonly<Record<ProgramName, readonly string[]>> = {
  bzip2: ['--decompress', '--stdout'],
  xz: ['--decompress', '--stdout', '--threads=1', '--no-adjust', `--memlimit-decompress=${XZ_MEMORY_BYTES}`],
};
/** With its usual level and dictionary, xz takes 94 MiB, and ten times as long for a tenth less. */
const PACK: Readonly<Record<ProgramName, readonly string[]>> = {
  bzip2: ['--compress', '--stdout'],
  xz: ['--compress', '--stdout', '--threads=1', '--lzma2=preset=2,dict=4MiB'],
};

/** A process that reads what strangers wrote does not get our environment. Its messages are in English. */
const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
};
const SAID_BYTES_MAX = 1000;

/** Bytes through a program. @param pieces are asked for no more once it has ended, or nobody asks for chunks any more */
export class SystemProgram {
  readonly #name: ProgramName;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  readonly #fed: Promise<unknown>;
  #said = '';
  #failure: unknown = null;

  constructor(name: ProgramName, does: 'unpack' | 'pack', pieces: AsyncIterable<Buffer>) {
    this.#name = name;
    this.#child = spawn(name, (does === 'unpack' ? UNPACK : PACK)[name], { env: ENVIRONMENT, windowsHide: true });
    this.#ended = once(this.#child, 'close').catch((error: unknown) => {
      this.#failure = error;
    });
    this.#child.stderr.on('data', (words: Buffer) => {
      this.#said = (this.#said + words.toString()).slice(0, SAID_BYTES_MAX);
    });
    // a program that stops in the middle says why
    this.#fed = pipeline(Readable.from(pieces), this.#child.stdin).catch((error: NodeJS.ErrnoException) => {
      if (!/^(?:EPIPE|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|ABORT_ERR)$/.test(error.code ?? ''))
        this.#failure ??= error;
    });
  }

  /**
   * What it gives, also before it fails.
   *
   * @returns what is wrong with the pieces, null where nothing is
   * @throws ShingledError `input-unreadable` where there is no such program; what reading the pieces throws
   */
  async *chunks(): AsyncGenerator<Buffer, string | null, undefined> {
    try {
      // a chunk is of a pool: it stays what it is
      for await (const chunk of this.#child.stdout) yield chunk as Buffer;
      await this.#ended;
    } finally {
      this.#child.kill('SIGKILL');
      this.#child.stdin.destroy();
      await Promise.all([this.#ended, this.#fed]);
    }
    if (this.#failure !== null) throw isAbsent(this.#failure) ? absent(this.#name) : this.#failure;
    return this.#child.exitCode === 0 ? null : this.#problem();
  }

  #problem(): string {
    const [line = ''] = this.#said.trim().split('\n');
    const said = line.replace(/^(?:bzip2|xz): (?:\(stdin\): )?/, '').replace(/\.$/, '');
    return said === ''
      ? `${this.#name} ended with ${this.#child.exitCode ?? this.#child.signalCode}`
      : `${this.#name}: ${said}`;
  }
}

/** Whether a program is there. */
export async function hasProgram(name: ProgramName): Promise<boolean> {
  const child = spawn(name, ['--version'], { env: ENVIRONMENT, stdio: 'ignore', windowsHide: true });
  return once(child, 'close').then(
    () => true,
    () => false,
  );
}

/** Packs what is in memory. @throws ShingledError `input-unreadable` where there is no such program */
export async function packWith(name: ProgramName, bytes: Buffer): Promise<Buffer> {
  const chunks = new SystemProgram(name, 'pack', one(bytes)).chunks();
  const packed: Buffer[] = [];
  let next = await chunks.next();
  for (; next.done !== true; next = await chunks.next()) packed.push(next.value);
  if (next.value !== null) throw new Error(next.value);
  return Buffer.concat(packed);
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

const isAbsent = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

const absent = (name: ProgramName) =>
  new ShingledError(
    'input-unreadable',
    `It is packed by ${name}, and there is no program ${name} to unpack it: install one. It is looked for in ${ENVIRONMENT.PATH}.`,
  );
