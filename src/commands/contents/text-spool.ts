import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { ByteFile } from '../../cluster/corpus/byte-file.ts';
import { unreadable } from '../../cluster/durable-files.ts';
import type { CorpusContent } from '../../cluster/port.ts';
import { putTextRecord, takeTextRecord } from '../../cluster/result/text-record.ts';
import { GrowingColumn, ownDoubles } from '../../core/memory/growing-column.ts';

/** Texts that are read one after the other are read so many bytes at a time. */
const AHEAD_BYTES = 1 << 20;

/** Texts with their marks in a file of temporary use: written once, then read by their numbers. */
export class TextSpool {
  private readonly path: string;
  private readonly written: ByteFile;
  /** Where each begins. */
  private readonly starts = new GrowingColumn(ownDoubles);
  private file: number | null = null;
  /** Bytes of the file from `heldFrom` on. */
  private held: Buffer = Buffer.alloc(0);
  private heldFrom = 0;

  private constructor(path: string, written: ByteFile) {
    this.path = path;
    this.written = written;
  }

  /** @throws ShingledError `storage-full` */
  static async create(path: string): Promise<TextSpool> {
    rmSync(path, { force: true });
    return new TextSpool(path, await ByteFile.create(path, { isHashed: false }));
  }

  get count(): number {
    return this.starts.size;
  }

  /** Of memory. */
  get bytes(): number {
    return this.starts.bytes;
  }

  add(content: CorpusContent): void {
    this.starts.push(this.written.size);
    putTextRecord(content, (bytes) => this.written.write(bytes));
  }

  /** To be awaited after each group of texts. @throws ShingledError `storage-full` */
  room(): Promise<void> {
    return this.written.room();
  }

  /** All were added: they can be read. @throws ShingledError `storage-full` */
  async end(): Promise<void> {
    await this.written.end();
    this.file = openSync(this.path, 'r');
  }

  /** One of them. @param isNextAsked whether the one behind it is asked for next @throws ShingledError `result-damaged` */
  read(number: number, isNextAsked: boolean): CorpusContent {
    const [from, to] = [this.starts.at(number), this.startOf(number + 1)];
    const isHeld = from >= this.heldFrom && to <= this.heldFrom + this.held.length;
    if (!isHeld) this.hold(from, Math.max(to - from, isNextAsked ? AHEAD_BYTES : 0));
    let at = from - this.heldFrom;
    const end = to - this.heldFrom;
    const take = (size: number) => {
      at += size;
      return at > end ? null : this.held.subarray(at - size, at);
    };
    const text = takeTextRecord(take, true);
    if (text === null) throw unreadable(this.path, new Error(`text ${number} is none`));
    return text;
  }

  /** Nothing is left of it. */
  async close(): Promise<void> {
    if (this.file === null) await this.written.close();
    else closeSync(this.file);
    rmSync(this.path, { force: true });
  }

  private startOf(number: number): number {
    return number < this.count ? this.starts.at(number) : this.written.size;
  }

  private hold(from: number, size: number): void {
    const bytes = Buffer.allocUnsafe(size);
    try {
      this.held = bytes.subarray(0, readSync(this.file!, bytes, 0, size, from));
      this.heldFrom = from;
    } catch (cause) {
      throw unreadable(this.path, cause);
    }
  }
}
