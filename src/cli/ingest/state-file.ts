import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ShingledError } from '../../errors.ts';
import type { Input } from '../../ingest/inputs/inputs.ts';
import type { Position } from '../../ingest/port.ts';
import type { InputFields } from '../../ingest/sources.ts';
import type { Tally } from './tally.ts';

/*
 * How far a load came, so that the same command goes on. A new file takes the place of the old one each time, so that a
 * crash leaves one of them whole. It fits the inputs that it was written for, by their names, sizes and last changes, and how
 * their records are read. It is gone once all is done: the same command then reads all again, and finds it there. What is known
 * of folders stays beside it (folders/folder-listing.ts).
 */

const STATE_VERSION = 1;

/** What of a load is sure: all before the position is on disk, and told in the files beside. */
export interface LoadState {
  readonly position: Position;
  readonly tally: Tally;
  /** Bytes of the files beside that are of before the position. */
  readonly errorsBytes: number;
  readonly similarBytes: number;
  /** Lines that the file of refusals leaves out; absent: none. */
  readonly errorsLeftOut?: number;
  /** Of the listing of folders; absent in a state of a version that had none. */
  readonly listingBytes?: number;
}

/** What a state is of. */
export interface LoadSubject {
  readonly inputs: readonly Input[];
  readonly fields: InputFields;
}

interface StateJson extends LoadState, LoadSubject {
  readonly shingledLoad: number;
}

export class StateFile {
  readonly #path: string;
  readonly #subject: LoadSubject;

  /** @throws ShingledError `invalid-config` where an input is a stream, which comes but once */
  constructor(path: string, subject: LoadSubject) {
    this.#path = path;
    this.#subject = subject;
    const stream = subject.inputs.find(({ kind }) => kind === 'stream');
    if (stream === undefined) return;
    const what = stream.name === '-' ? 'standard input' : stream.name;
    throw new ShingledError(
      'invalid-config',
      `--state: nobody can go on with ${what}, which comes but once: name a file.`,
    );
  }

  /**
   * How far an earlier run came; null where there was none.
   *
   * @throws ShingledError `invalid-config` for a file of another load, or whose input has changed since
   */
  read(): LoadState | null {
    let text: string;
    try {
      text = readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw this.#fault(`cannot be read: ${String(error)}`);
    }
    const state = parsed(text);
    if (state === null) throw this.#fault('is no state of a load');
    if (state.shingledLoad !== STATE_VERSION) throw this.#fault('is of another version of shingled');
    const difference = differenceOf(state, this.#subject);
    if (difference !== null) throw this.#fault(difference);
    return state;
  }

  /** @throws ShingledError `storage-full` where it cannot be written */
  write(state: LoadState): void {
    const { position, tally, errorsBytes, errorsLeftOut = 0, similarBytes, listingBytes = 0 } = state;
    const json: StateJson = {
      ...{ shingledLoad: STATE_VERSION, position, tally, errorsBytes, errorsLeftOut, similarBytes, listingBytes },
      ...this.#subject,
    };
    const next = `${this.#path}.next`;
    try {
      const file = openSync(next, 'w', 0o600);
      try {
        writeSync(file, `${JSON.stringify(json)}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(next, this.#path);
      syncFolder(dirname(this.#path));
    } catch (cause) {
      const why = (cause as NodeJS.ErrnoException).code ?? String(cause);
      throw new ShingledError('storage-full', `--state: ${this.#path} cannot be written: ${why}.`, { cause });
    }
  }

  /** All is done. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }

  #fault(what: string): ShingledError {
    const advice = 'Delete it to begin anew: what is in the index already comes to "unchanged".';
    return new ShingledError('invalid-config', `--state: ${this.#path} ${what}. ${advice}`);
  }
}

function parsed(text: string): StateJson | null {
  let json: Partial<StateJson> | null;
  try {
    json = JSON.parse(text) as Partial<StateJson> | null;
  } catch {
    return null;
  }
  if (typeof json?.shingledLoad !== 'number') return null;
  // what another version keeps is not ours to judge
  return json.shingledLoad !== STATE_VERSION || isState(json) ? (json as StateJson) : null;
}

function isState(state: Partial<StateJson>): boolean {
  const { inputs, fields, position, tally, errorsBytes, errorsLeftOut = 0, similarBytes, listingBytes = 0 } = state;
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  if (!Array.isArray(inputs) || !isObject(fields) || !isObject(position) || !isObject(tally)) return false;
  const { file, input, byte, skip, record } = position!;
  const isPlace = typeof file === 'string' && [input, byte, skip, record].every(isCount);
  return isPlace && [errorsBytes, errorsLeftOut, similarBytes, listingBytes].every(isCount);
}

/** Why a state does not fit what is to be read, as the rest of a sentence; null where it does. */
export function differenceOf(state: LoadSubject, { inputs, fields }: LoadSubject): string | null {
  if (JSON.stringify(state.fields) !== JSON.stringify(fields)) return 'is of a load that read records by other options';
  const names = (of: readonly Input[]) => of.map(({ kind, name }) => `${kind} ${name}`);
  if (JSON.stringify(names(state.inputs)) !== JSON.stringify(names(inputs))) {
    const [first = '', ...others] = state.inputs.map(({ name }) => name);
    return `is of a load of other inputs: ${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
  }
  const marks = ({ size, mtimeMs }: Input) => `${size} ${mtimeMs}`;
  const changed = inputs.find((input, at) => marks(input) !== marks(state.inputs[at]!));
  return changed === undefined ? null : `is of a load of ${changed.name}, and that has changed since`;
}

/** So that the new name is there after a crash. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
