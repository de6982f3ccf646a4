import { hash, randomUUID } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../errors.ts';
import { unreadableText } from '../../plain-words/system-faults.ts';
import { rest } from '../../sharing/waiting.ts';
import { onDisk } from '../inputs/byte-names.ts';
import { type WalkOptions, type WalkStep, walkFolder } from '../inputs/folder-walk.ts';
import type { Input } from '../inputs/inputs.ts';
import type { IngestLimits } from '../limits.ts';
import { type OpenParts, walkOf } from '../open-inputs.ts';

/*
 * Whether inputs are what they were, by their sizes and last changes: what was found of them holds no longer where they are
 * not. Of a folder eight bytes are kept for each file, in the order in which ingest reads them.
 */

const MARKS_FIRST = 1024;
const TURN_STEPS = 4096;

/** @throws ShingledError `input-changed`, `input-unreadable` */
export async function checkUnchanged({ name, size, mtimeMs }: Input): Promise<void> {
  const now = await stat(name).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  if (now.size !== size || now.mtimeMs !== mtimeMs) throw changed(name);
}

export const changed = (name: string) =>
  new ShingledError('input-changed', `${name} has changed since it was read.`, { field: name });

export function unreadable(name: string, cause: unknown): ShingledError {
  if (cause instanceof ShingledError) return cause;
  return new ShingledError('input-unreadable', unreadableText(name, cause), { field: name, cause });
}

/**
 * A time as files are given it, in seconds. A double of them is some hundred nanoseconds off, which may be another
 * millisecond: it is kept off the edges of its own.
 */
export function secondsOf(ms: number): number {
  const whole = Math.floor(ms);
  return (ms % 1000 === 0 ? ms : whole + Math.min(0.9995, Math.max(0.0005, ms - whole))) / 1000;
}

/** What the files of a folder were. */
export class FolderMarks {
  #marks = new Float64Array(MARKS_FIRST);
  #count = 0;

  /** @throws ShingledError `input-unreadable` */
  static async of(walk: WalkOptions, limits: IngestLimits): Promise<FolderMarks> {
    const marks = new FolderMarks();
    try {
      const root = realpathSync(walk.root);
      for (const step of walkFolder({ ...walk, root }, limits, null)) {
        marks.#add(markOf(root, step));
        if (marks.#count % TURN_STEPS === 0) await rest(0, { ref: true });
      }
    } catch (error) {
      throw unreadable(walk.root, error);
    }
    return marks;
  }

  /** Equal where no file has come, gone or changed. */
  get digest(): string {
    return hash('sha256', new Uint8Array(this.#marks.buffer, 0, 8 * this.#count));
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the file that is met as the nth, from 0, is what it was. */
  isUnchanged(root: string, step: WalkStep, nth: number): boolean {
    return nth < this.#count && this.#marks[nth] === markOf(root, step);
  }

  #add(mark: number): void {
    if (this.#count === this.#marks.length) {
      const more = new Float64Array(2 * this.#count);
      more.set(this.#marks);
      this.#marks = more;
    }
    this.#marks[this.#count++] = mark;
  }
}

/**
 * What inputs are, in a text that is equal where nothing of them has changed: of a folder all of its files are looked at. A
 * stream comes but once, so that no other one is equal to it.
 *
 * @throws ShingledError `input-unreadable`
 */
export async function marksOf(inputs: readonly Input[], parts: OpenParts): Promise<string> {
  const marks: unknown[] = [];
  for (const { kind, name, size, mtimeMs } of inputs) {
    const isFolder = kind === 'folder';
    const of = isFolder ? (await FolderMarks.of(walkOf(name, parts), parts.limits)).digest : null;
    marks.push([kind, name, size, mtimeMs, kind === 'stream' || kind === 'url' ? randomUUID() : of]);
  }
  return JSON.stringify(marks);
}

/** 48 bits of its path, size and last change. */
function markOf(root: string, { path }: WalkStep): number {
  const stats = statSync(onDisk(join(root, path)), { throwIfNoEntry: false });
  return hash('sha1', `${path}\0${stats?.size}\0${stats?.mtimeMs}`, 'buffer').readUIntBE(0, 6);
}
