import { renameSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FillAccess } from '../../../client/port.ts';
import type { IngestItem, IsAsBefore, ItemRuns } from '../../../ingest/port.ts';
import type { OpenedInput } from '../../../ingest/sources.ts';
import { LineFile } from '../line-file.ts';
import { type LoadSubject, syncFolder } from '../state-file.ts';
import { headerOf, type ListedFile, type ListingHeader, readListing } from './listing-lines.ts';
import { vanishedOf } from './vanished.ts';

/*
 * What is in the folders that a load reads, kept beside its state from one run to the next:
 *
 *   state.files        the files of which the index has what they hold, as the last run that came to its end left them
 *   state.files.next   the same of the run that is under way; it takes the place of the other at the end
 *
 * A file is not read again if its size and its time are those of the listing. What the listing names and no folder has is
 * gone, if --mirror asks for that. A file that is refused has no size and no time here, so that each run reads it and says why.
 */

/** Documents of which the index is asked whether it has them as listed: those that changed last, and some of all. */
const WITNESSES = 8;

export class FolderListing {
  readonly #path: string;
  readonly #subject: LoadSubject;
  readonly #header: ListingHeader;
  readonly #before: Map<string, ListedFile>;
  readonly #next: LineFile;
  /** Whether sizes and times are believed. */
  #isTrusted = true;
  #hidden: string | null = null;

  /**
   * @param state the path of the state beside which it lies
   * @param keptBytes what an interrupted run is sure of
   * @throws ShingledError `invalid-config` if it is of other folders or options, or cannot be read or written
   */
  constructor(state: string, subject: LoadSubject, keptBytes: number) {
    this.#path = `${state}.files`;
    this.#subject = subject;
    this.#header = headerOf(subject);
    this.#before = new Map();
    for (const line of readListing(this.#path, this.#header, null)) {
      if ('file' in line) this.#before.set(line.url, { ...line, isThere: false, isTold: false, isGone: false });
    }
    if (keptBytes > 0) this.#goOn(keptBytes);
    this.#next = new LineFile(this.#nextPath, '--state', keptBytes);
    if (keptBytes === 0) this.#next.add(this.#header);
  }

  get #nextPath(): string {
    return `${this.#path}.next`;
  }

  #goOn(keptBytes: number): void {
    for (const line of readListing(this.#nextPath, this.#header, keptBytes)) {
      if ('hidden' in line) this.#hidden ??= line.hidden;
      else if ('gone' in line) this.#before.delete(line.gone);
      else Object.assign(this.#before.get(line.url) ?? {}, { isThere: true, isTold: true });
    }
  }

  /** A folder that could not be read, so that nothing is taken for gone; null if all were read. */
  get hidden(): string | null {
    return this.#hidden;
  }

  /**
   * Asks the index for some documents of the listing. If it lacks one, or has an older one, it was emptied or restored, or is
   * another index. Sizes and times then prove nothing, and all files are read.
   *
   * @returns what is to be said of that; null if the listing holds
   */
  async check(index: FillAccess): Promise<string | null> {
    const missing = await this.#missingIn(index);
    this.#isTrusted = missing === null;
    return missing === null ? null : `The index lacks ${missing}, which ${this.#path} lists: all files are read again.`;
  }

  async #missingIn(index: FillAccess): Promise<string | null> {
    const dated = [...this.#before.values()].filter(({ mark }) => mark !== null);
    const step = Math.max(1, Math.floor(dated.length / WITNESSES));
    const some = dated.filter((_, at) => at % step === 0);
    const latest = dated.sort((one, other) => other.mark!.mtimeMs - one.mark!.mtimeMs).slice(0, WITNESSES);
    for (const { url, mark } of [...latest, ...some]) {
      // nobody asks an index that is empty
      const seenAt = index.firstLoad === undefined ? await index.lastSeen(url) : null;
      if (seenAt === null || seenAt < Math.floor(mark!.mtimeMs)) return url;
    }
    return null;
  }

  readonly isAsBefore: IsAsBefore = (url, file, { size, mtimeMs }) => {
    const before = this.#before.get(url);
    if (!this.#isTrusted || before === undefined || before.file !== file) return false;
    return before.mark?.size === size && before.mark.mtimeMs === mtimeMs;
  };

  /**
   * The inputs, with an eye on the files in folders; behind them what is no longer there.
   *
   * @param isMirror whether that is to be gone from the index
   */
  async *follow(inputs: AsyncIterable<OpenedInput>, isMirror: boolean): AsyncGenerator<OpenedInput, void, undefined> {
    for await (const opened of inputs) yield { ...opened, items: this.#watched(opened.items) };
    if (isMirror) yield { input: 'what is no longer there', bytesAhead: () => 0, items: this.#vanished() };
  }

  async *#watched(runs: ItemRuns): ItemRuns {
    for await (const items of runs) {
      for (const item of items) this.#see(item);
      yield items;
    }
  }

  #see(item: IngestItem): void {
    if ('hides' in item) this.#hidden ??= item.next.file;
    const url = 'operation' in item ? item.operation.url : 'url' in item ? item.url : null;
    const before = url === null ? undefined : this.#before.get(url);
    if (before !== undefined) before.isThere = true;
  }

  async *#vanished(): ItemRuns {
    if (this.#hidden !== null) return;
    const input = this.#subject.inputs.length;
    for (const listed of vanishedOf([...this.#before.values()], this.#header, this.#path)) {
      listed.isGone = true;
      const operation = { op: 'gone', url: listed.url, httpStatus: 410, observedAt: null } as const;
      const next = { file: listed.file, byte: 0, skip: 0, record: 0, input };
      yield [{ at: 'the file', next, bytes: 0, operation }];
    }
  }

  /** Writes down what became of a record, if it is of a file in a folder. @throws ShingledError `output-unwritable` */
  tell({ url, file, mark, op, hides }: Told, { isRefused, isTaken }: Became): void {
    if (hides) this.#next.add({ hidden: file });
    if (url === null) return;
    const before = this.#before.get(url);
    if (op === 'gone') {
      if (before?.isGone !== true || isRefused) return;
      this.#next.add({ gone: url });
      this.#before.delete(url);
    } else if (mark !== undefined && isTaken) {
      this.#next.add({ url, file, mark });
      if (before !== undefined) before.isTold = true;
    } else if (before?.file === file && !before.isTold) {
      this.#next.add({ url, file, mark: null });
      before.isTold = true;
    }
  }

  /** Brings all that was told to the disk. @returns bytes of it. @throws ShingledError `output-unwritable` */
  sync(): number {
    return this.#next.sync();
  }

  /**
   * All is done: the next run compares with what this one has found.
   *
   * @param removeState called before this becomes the listing, since a state of an interrupted run would not fit it
   * @throws ShingledError `output-unwritable`
   */
  finish(removeState: () => void): void {
    for (const { url, file, mark, isTold } of this.#before.values()) {
      if (!isTold) this.#next.add({ url, file, mark: this.#isTrusted ? mark : null });
    }
    this.#next.sync();
    this.#next.close();
    removeState();
    renameSync(this.#nextPath, this.#path);
    syncFolder(dirname(this.#path));
  }

  close(): void {
    this.#next.close();
  }
}

/** A record, as far as the listing needs it. */
interface Told {
  readonly url: string | null;
  readonly file: string;
  readonly mark: IngestItem['mark'] | undefined;
  readonly op: string | null;
  readonly hides: boolean;
}

interface Became {
  readonly isRefused: boolean;
  /** Whether the index has what the file holds. */
  readonly isTaken: boolean;
}
