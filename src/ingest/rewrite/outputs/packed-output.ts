import { Buffer } from 'node:buffer';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, createZstdCompress, gzip, zstdCompress } from 'node:zlib';
import { isProgram, type ProgramName, packWith } from '../../unpack/system-program.ts';
import type { MemberOutput, ReadBytes, WriteBytes } from '../port.ts';

/*
 * Members of gzip, or frames of zstd, one after the other. Each begins with a record, so that reading can go on there, and
 * damage in one takes no other with it.
 *
 *   record record record │ record record │ …    a member of some MiB
 *   record │ record │ record │ …                archives: a member for each
 *
 * Threads pack some at a time. What is too large for memory is packed piece by piece. Programs of the system pack bzip2 and xz;
 * there, each piece is a member of its own, since what one holds may go on in the next.
 */

export type PackingName = 'gzip' | 'zstd' | ProgramName;

const MIB = 2 ** 20;
const LF = 0x0a;
const BLOCK_BYTES = 4 * MIB;
/** Members end at the end of a record, once they have so much. */
const MEMBER_BYTES = 2 * MIB;
/** So much may wait to be written, and so much is left to the threads when it is. */
const [WAITING_BYTES_MAX, LEFT_BYTES] = [16 * MIB, 8 * MIB];
const COPIED_BYTES = MIB;

/** As many processes at a time, of which xz takes some 30 MiB each. */
const PROGRAMS_MAX = 2;

const ZSTD = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
const PACK = {
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  zstd: (bytes: Buffer) => promisify(zstdCompress)(bytes, ZSTD),
  bzip2: inTurns((bytes) => packWith('bzip2', bytes)),
  xz: inTurns((bytes) => packWith('xz', bytes)),
} satisfies Record<PackingName, (bytes: Buffer) => Promise<Buffer>>;

/** Does no more than some of it at a time, in the order in which it was asked for. */
function inTurns(work: (bytes: Buffer) => Promise<Buffer>): (bytes: Buffer) => Promise<Buffer> {
  const lanes: Promise<unknown>[] = Array.from({ length: PROGRAMS_MAX }, async () => undefined);
  let turn = 0;
  return (bytes) => {
    const lane = turn++ % PROGRAMS_MAX;
    const done = lanes[lane]!.then(() => work(bytes));
    lanes[lane] = done.catch(() => undefined);
    return done;
  };
}

interface Step {
  readonly bytes: number;
  readonly run: () => Promise<void>;
}

export class PackedOutput implements MemberOutput {
  isEmpty = true;
  endsLine = true;
  readonly packing: PackingName;
  readonly #write: WriteBytes;
  readonly #isByRecord: boolean;
  readonly #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #length = 0;
  #long: LongMember | null = null;
  readonly #steps: Step[] = [];
  #waitingBytes = 0;

  /** @param isByRecord whether each record is a member, and no member is less */
  constructor(write: WriteBytes, packing: PackingName, isByRecord: boolean) {
    this.#write = write;
    this.packing = packing;
    this.#isByRecord = isByRecord && !isProgram(packing);
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.isEmpty = false;
    this.endsLine = bytes.at(-1) === LF;
    for (let at = 0; at < bytes.length; ) {
      if (this.#length === BLOCK_BYTES) this.#pushBlock(this.#isByRecord);
      const taken = Math.min(bytes.length - at, BLOCK_BYTES - this.#length);
      this.#block.set(bytes.subarray(at, at + taken), this.#length);
      this.#length += taken;
      at += taken;
    }
  }

  endRecord(): void {
    if (!this.#isByRecord && this.#length < MEMBER_BYTES) return;
    this.#pushBlock(this.#long !== null);
    const long = this.#long;
    this.#long = null;
    if (long !== null) this.#push(0, async () => this.#write(await long.end()));
  }

  addMembers(read: ReadBytes, from: number, to: number): void {
    this.#pushBlock(false);
    this.isEmpty = false;
    this.#push(0, async () => {
      const piece = Buffer.allocUnsafe(Math.min(COPIED_BYTES, to - from));
      for (let at = from; at < to; ) {
        const length = await read(piece.subarray(0, Math.min(piece.length, to - at)), at);
        await this.#write(piece.subarray(0, length));
        at += length;
      }
    });
  }

  /** @param isPart whether it is a piece of a member that is packed piece by piece */
  #pushBlock(isPart: boolean): void {
    if (this.#length === 0) return;
    const bytes = Buffer.from(this.#block.subarray(0, this.#length));
    this.#length = 0;
    if (isPart) {
      this.#long ??= new LongMember(this.packing);
      const long = this.#long;
      this.#push(bytes.length, async () => this.#write(await long.pack(bytes)));
      return;
    }
    const packed = PACK[this.packing](bytes);
    // where it fails, that is told when its turn comes
    packed.catch(() => null);
    this.#push(bytes.length, async () => this.#write(await packed));
  }

  #push(bytes: number, run: Step['run']): void {
    this.#steps.push({ bytes, run });
    this.#waitingBytes += bytes;
  }

  get isFull(): boolean {
    return this.#waitingBytes >= WAITING_BYTES_MAX;
  }

  async settle(): Promise<void> {
    await this.#runSteps(LEFT_BYTES);
  }

  async drain(): Promise<void> {
    await this.#runSteps(0);
  }

  async end(): Promise<void> {
    this.#pushBlock(this.#long !== null);
    await this.#runSteps(0);
  }

  async #runSteps(leftBytes: number): Promise<void> {
    while (this.#steps.length > 0 && (leftBytes === 0 || this.#waitingBytes > leftBytes)) {
      const step = this.#steps.shift()!;
      await step.run();
      this.#waitingBytes -= step.bytes;
    }
  }
}

/** A member that is packed piece by piece. */
class LongMember {
  readonly #stream: ReturnType<typeof createGzip>;
  readonly #packed: Buffer[] = [];

  constructor(packing: PackingName) {
    this.#stream = packing === 'zstd' ? createZstdCompress(ZSTD) : createGzip();
    this.#stream.on('data', (bytes: Buffer) => this.#packed.push(bytes));
  }

  async pack(bytes: Buffer): Promise<Buffer> {
    await promisify((piece: Buffer, done: (error?: Error | null) => void) => this.#stream.write(piece, done))(bytes);
    return this.#taken();
  }

  async end(): Promise<Buffer> {
    this.#stream.end();
    await finished(this.#stream);
    return this.#taken();
  }

  #taken(): Buffer {
    return Buffer.concat(this.#packed.splice(0));
  }
}
