import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ShingledError } from '../../errors.ts';
import type { Position } from '../../ingest/port.ts';
import type { Tally } from './tally.ts';

/*
 * How far a load came, so that the same command goes on. A new file takes the place of the old one each time, so that a
 * crash leaves one of them whole. It is gone once all is done: the same command then reads all again, and finds it there.
 */

const STATE_VERSION = 1;

/** What of a load is sure: all before the position is on disk, and told in the files beside. */
export interface LoadState {
  readonly position: Position;
  readonly tally: Tally;
  /** Bytes of the files beside that are of before the position. */
  readonly errorsBytes: number;
  readonly similarBytes: number;
}

interface StateJson extends LoadState {
  readonly version: typeof STATE_VERSION;
  readonly inputs: readonly string[];
  /** What the file of the position was then; null where it is none of the disk. */
  readonly file: FileMark | null;
}

interface FileMark {
  readonly size: number;
  readonly modifiedMs: number;
}

export class StateFile {
  readonly #path: string;
  readonly #inputs: readonly string[];

  constructor(path: string, inputs: readonly string[]) {
    this.#path = path;
    this.#inputs = inputs;
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
    if (state.version !== STATE_VERSION) throw this.#fault('is of another version of shingled');
    if (JSON.stringify(state.inputs) !== JSON.stringify(this.#inputs)) {
      throw this.#fault(`is of a load of other inputs: ${state.inputs.join(' ')}`);
    }
    const { file, position } = state;
    if (file !== null && JSON.stringify(markOf(position.file)) !== JSON.stringify(file)) {
      throw this.#fault(`says how far ${position.file} was read, and that has changed since`);
    }
    return state;
  }

  /** @throws ShingledError `storage-full` where it cannot be written */
  write(state: LoadState): void {
    const { position, tally, errorsBytes, similarBytes } = state;
    const json: StateJson = {
      ...{ version: STATE_VERSION, inputs: this.#inputs, file: markOf(position.file) },
      ...{ position, tally, errorsBytes, similarBytes },
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
  try {
    const json = JSON.parse(text) as Partial<StateJson> | null;
    return json?.version !== undefined && Array.isArray(json.inputs) ? (json as StateJson) : null;
  } catch {
    return null;
  }
}

function markOf(path: string): FileMark | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? { size: stats.size, modifiedMs: stats.mtimeMs } : null;
}

/** So that the new name is there after a crash. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
