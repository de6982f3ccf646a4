import { copyFile, mkdir, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Input } from '../inputs/inputs.ts';
import { type OpenParts, readAs } from '../open-inputs.ts';
import { openBytes } from '../unpack/open-bytes.ts';
import { copyFolder } from './copiers/copy-folder.ts';
import { JsonArray } from './copiers/copy-json.ts';
import { isCopied } from './copiers/copy-lines.ts';
import { copyParquet, type OpenedParquet, openParquet } from './copiers/copy-parquet.ts';
import { type CopyContext, copyRecords, nothingDone, outputOf, type RecordSource } from './copy-source.ts';
import type { Place } from './outputs/output-place.ts';
import type { PackingName } from './outputs/packed-output.ts';
import { ParquetOutput } from './outputs/parquet-output.ts';
import { NewFile, partialInto, partialOf, unwritable } from './outputs/partial.ts';
import type { RewriteTo, Rewritten, Selection, WriteBytes } from './port.ts';
import type { Source } from './sources-of.ts';
import { changed, checkUnchanged, secondsOf } from './unchanged.ts';

export interface RewritingParts {
  readonly sources: readonly Source[];
  readonly parts: OpenParts;
  readonly place: Place;
  readonly selection: Selection;
  readonly to: RewriteTo;
}

type Joined = Pick<CopyContext, 'output' | 'array' | 'isJoined' | 'isFirst' | 'spillFolder'>;

/** The copying of inputs, once it is known what they are and where they go. */
export class Rewriting {
  readonly #parts: RewritingParts;
  readonly #done = nothingDone();

  constructor(parts: RewritingParts) {
    this.#parts = parts;
  }

  async run(): Promise<Rewritten> {
    const { place, to } = this.#parts;
    to.signal?.throwIfAborted();
    if (place.kind === 'stream') {
      await this.#writeJoined(to.stdout, null, to.temporaryFolder);
      this.#checkRecords();
      return this.#done;
    }
    const isInto = place.kind === 'folder' && place.isThere;
    const partial = isInto ? await partialInto(place.path, place.names) : await partialOf(place.path, place.kind);
    const { path } = partial;
    try {
      if (place.kind === 'folder') await this.#writeFolder(path, place.names);
      else await inFile(path, (write) => this.#writeJoined(write, place.packing, dirname(path)));
      to.signal?.throwIfAborted();
      this.#checkRecords();
      await partial.commit();
      return this.#done;
    } finally {
      await partial.discard();
    }
  }

  /** A file that was written over may have its size and time, and other records. @throws ShingledError `input-changed` */
  #checkRecords(): void {
    const { sources, selection } = this.#parts;
    const { lastRecords } = selection;
    if (lastRecords === null) return;
    const at = sources.findIndex((_, input) => lastRecords[input] !== this.#done.lastRecords[input]);
    if (at >= 0) throw changed(sources[at]!.input.name);
  }

  /** All inputs as one. */
  async #writeJoined(write: WriteBytes, packing: PackingName | null, spillFolder: string): Promise<void> {
    await this.#writeAsOne([...this.#parts.sources.entries()], this.#counted(write), packing, spillFolder);
  }

  /** Each input by itself. */
  async #writeFolder(folder: string, names: readonly string[]): Promise<void> {
    for (const [at, source] of this.#parts.sources.entries()) {
      const path = join(folder, names[at]!);
      if (source.is === 'folder') this.#done.lastRecords.push(await this.#writeDocuments(source, at, path));
      else if (isWhole(source)) {
        this.#done.lastRecords.push(await this.#writeWhole(source, at, path));
      } else {
        const packing = isRecords(source) ? source.packing.name : null;
        await inFile(path, (write) => this.#writeAsOne([[at, source]], this.#counted(write), packing, folder));
      }
      this.#parts.to.signal?.throwIfAborted();
    }
  }

  /** Inputs of one kind, by their numbers, and such as have nothing in them. */
  async #writeAsOne(
    sources: readonly (readonly [at: number, source: Source])[],
    write: WriteBytes,
    packing: PackingName | null,
    spillFolder: string,
  ): Promise<void> {
    const records = sources.map(([, source]) => source).filter(isRecords);
    const output = records[0] === undefined ? null : outputOf(write, records[0], packing);
    const array = output === null ? null : new JsonArray(output);
    let parquet: ParquetOutput | null = null;
    for (const [at, source] of sources) {
      let last = 0;
      if (isRecords(source)) {
        const how = { isJoined: records.length > 1, isFirst: source === records[0], spillFolder };
        last = await this.#copy(source, at, { output: output!, array: array!, ...how });
      } else if (source.is === 'broken') {
        last = BROKEN_RECORDS;
        isCopied({ keeps: this.#keepsOf(at), done: this.#done }, { start: 0, end: 0, isLost: true }, last);
      } else if (source.is === 'parquet') {
        const opened = await openParquet(source.input.name, this.#parts.parts.limits);
        if (opened === null) throw changed(source.input.name);
        parquet ??= new ParquetOutput(write, opened.footer);
        last = await this.#copyRows(source.input, opened, at, parquet);
      }
      this.#done.lastRecords.push(last);
    }
    if (records[0]?.detected.format === 'json') array?.end();
    await output?.end();
    await parquet?.end();
  }

  async #copyRows(input: Input, opened: OpenedParquet, at: number, output: ParquetOutput): Promise<number> {
    try {
      await checkUnchanged(input);
      const parts = { limits: this.#parts.parts.limits, output, keeps: this.#keepsOf(at), done: this.#done };
      const last = await copyParquet(opened, { ...parts, turn: (byte) => this.#turn(at, byte) });
      await checkUnchanged(input);
      return last;
    } finally {
      await opened.close();
    }
  }

  /** A folder of documents. */
  async #writeDocuments(source: Extract<Source, { is: 'folder' }>, at: number, target: string): Promise<number> {
    const { parts } = this.#parts;
    await mkdir(target, { recursive: true }).catch((error: unknown) => {
      throw unwritable(target, error);
    });
    return copyFolder({
      ...{ walk: source.walk, limits: parts.limits, marks: source.marks, target },
      ...{ keeps: this.#keepsOf(at), done: this.#done },
      turn: (bytes) => this.#turn(at, bytes),
    });
  }

  /** A file whose records are not told apart, as it is. */
  async #writeWhole({ input, is }: WholeSource, at: number, target: string) {
    const { name, mtimeMs } = input;
    await checkUnchanged(input);
    const last = is === 'document' ? await this.#lastOf(input) : is === 'broken' ? BROKEN_RECORDS : 0;
    const span = { start: 0, end: 0, isLost: false };
    const parts = { keeps: this.#keepsOf(at), done: this.#done };
    if (is !== 'nothing' && !isCopied(parts, span, last)) return last;
    try {
      await copyFile(name, target);
      await utimes(target, secondsOf(mtimeMs!), secondsOf(mtimeMs!));
    } catch (error) {
      throw unwritable(target, error);
    }
    this.#done.bytes += input.size!;
    await checkUnchanged(input);
    return last;
  }

  /** The number that a document has behind what is damaged in it. */
  async #lastOf({ name, mtimeMs }: Input): Promise<number> {
    let last = 0;
    const opened = { ...openBytes(name), isTraced: true };
    const how = { parts: this.#parts.parts, mtimeMs, from: null };
    for await (const items of readAs({ format: 'document' }, opened, how)) last = items.at(-1)!.next.record;
    return last;
  }

  async #copy(source: RecordSource, at: number, joined: Joined): Promise<number> {
    await checkUnchanged(source.input);
    const last = await copyRecords(source, {
      ...joined,
      ...{ parts: this.#parts.parts, keeps: this.#keepsOf(at), done: this.#done },
      turn: (byte) => this.#turn(at, byte),
    });
    await checkUnchanged(source.input);
    return last;
  }

  #keepsOf(at: number) {
    const { selection } = this.#parts;
    return (record: number) => selection.keeps(at, record);
  }

  #turn(at: number, byte: number): void {
    const { to } = this.#parts;
    to.signal?.throwIfAborted();
    to.passed(at, byte);
  }

  #counted(write: WriteBytes): WriteBytes {
    const { to } = this.#parts;
    return async (bytes) => {
      to.signal?.throwIfAborted();
      await write(bytes);
      this.#done.bytes += bytes.length;
    };
  }
}

/** A new file, brought to the disk when `work` has written it. */
async function inFile(path: string, work: (write: WriteBytes) => Promise<void>): Promise<void> {
  const file = await NewFile.make(path);
  try {
    await work(file.write);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** As ingest counts them. */
const BROKEN_RECORDS = 1;

type WholeSource = Extract<Source, { is: 'document' | 'nothing' | 'broken' }>;

const isWhole = (source: Source): source is WholeSource =>
  source.is === 'document' || source.is === 'nothing' || source.is === 'broken';

const isRecords = (source: Source): source is RecordSource => source.is === 'records';
