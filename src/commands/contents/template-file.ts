import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { ByteFile } from '../../cluster/corpus/byte-file.ts';
import { unreadable } from '../../cluster/durable-files.ts';
import type { HostTemplate } from '../../core/template/host-template.ts';

const VALUE_BYTES = 8;
/** Templates that are held: those of 10,000 ordinary hosts. */
const HELD_BYTES_MAX = 16 * 2 ** 20;
/** Of one, beside its values, and what they are looked up by. */
const TEMPLATE_BYTES = 200;

interface Place extends Omit<HostTemplate, 'values'> {
  readonly from: number;
  readonly count: number;
}

/** Templates of hosts in a file of temporary use: written once, then read by the numbers of their hosts. */
export class TemplateFile {
  private readonly path: string;
  private readonly written: ByteFile;
  private readonly places = new Map<number, Place>();
  private file: number | null = null;
  /** Those that were asked for last come last. */
  private readonly held = new Map<number, HostTemplate>();
  private heldBytes = 0;

  private constructor(path: string, written: ByteFile) {
    this.path = path;
    this.written = written;
  }

  /** @throws ShingledError `storage-full` */
  static async create(path: string): Promise<TemplateFile> {
    rmSync(path, { force: true });
    return new TemplateFile(path, await ByteFile.create(path, { isHashed: false }));
  }

  get count(): number {
    return this.places.size;
  }

  /** Of memory. */
  get bytes(): number {
    return TEMPLATE_BYTES * this.places.size + this.heldBytes;
  }

  /** @throws ShingledError `storage-full` */
  async add(host: number, { values, ...template }: HostTemplate): Promise<void> {
    this.places.set(host, { ...template, from: this.written.size, count: values.length });
    this.written.write(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    await this.written.room();
  }

  /** All were added: they can be read. @throws ShingledError `storage-full` */
  async end(): Promise<void> {
    await this.written.end();
    this.file = openSync(this.path, 'r');
  }

  /** null: the host has none. @throws ShingledError `result-damaged` */
  of(host: number): HostTemplate | null {
    const place = this.places.get(host);
    if (place === undefined) return null;
    const template = this.held.get(host) ?? this.read(place);
    if (!this.held.delete(host)) this.heldBytes += bytesOf(template);
    this.held.set(host, template);
    for (const [oldest, { values }] of this.held) {
      if (this.heldBytes <= HELD_BYTES_MAX || oldest === host) break;
      this.held.delete(oldest);
      this.heldBytes -= bytesOf({ values });
    }
    return template;
  }

  /** Nothing is left of it. */
  async close(): Promise<void> {
    if (this.file === null) await this.written.close();
    else closeSync(this.file);
    rmSync(this.path, { force: true });
  }

  private read({ from, count, ...template }: Place): HostTemplate {
    const values = new Float64Array(count);
    try {
      if (readSync(this.file!, values, 0, VALUE_BYTES * count, from) === VALUE_BYTES * count)
        return { ...template, values };
    } catch (cause) {
      throw unreadable(this.path, cause);
    }
    throw unreadable(this.path, new Error('a template is cut off'));
  }
}

/** Its values, and as much by which they are looked up. */
const bytesOf = ({ values }: Pick<HostTemplate, 'values'>) => TEMPLATE_BYTES + 2 * values.byteLength;
