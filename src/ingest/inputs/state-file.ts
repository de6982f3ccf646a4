import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ShingledError } from '../../errors.ts';
import type { Position } from '../port.ts';
import type { Input } from './inputs.ts';
import { codeOf } from './whole-file.ts';

/*
 * How far a load has come, in a file: from it the next run goes on, or none does. It is written whole, under another name, and
 * renamed when it is on disk; a kill leaves the one before or the new one. It fits the inputs that it was written for, by their
 * names, sizes and last changes, and the settings that say how records are read.
 */

const VERSION = 1;

export interface LoadState {
  /** Of the inputs, the one that is being read, from 0; as many as there are: all were read. */
  readonly input: number;
  /** Behind the last of its items that was answered; null: before its first. */
  readonly position: Position | null;
  /** The caller's own: counts so far. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What a state is of. */
export interface LoadSubject {
  readonly inputs: readonly Input[];
  /** How records are read: plain data. */
  readonly settings: Readonly<Record<string, unknown>>;
}

interface StateJson extends LoadState, LoadSubject {
  readonly shingledLoad: number;
}

/** Replaces the file. @throws what writing throws */
export function writeState(path: string, subject: LoadSubject, state: LoadState): void {
  const { inputs, settings } = subject;
  const { input, position, counts } = state;
  const json: StateJson = { shingledLoad: VERSION, input, position, counts, settings, inputs };
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(json, null, 1)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * @returns null where there is no file: a load begins
 * @throws ShingledError `invalid-request` for a file that is none, or is of another version, other inputs or other settings
 */
export function readState(path: string, subject: LoadSubject): LoadState | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw unfit(path, `it cannot be read: ${codeOf(error)}`);
  }
  const json = parsed(path, text);
  if (json.shingledLoad !== VERSION) throw unfit(path, `it is of version ${json.shingledLoad}, and this is ${VERSION}`);
  const difference = differenceOf(json, subject);
  if (difference !== null) throw unfit(path, difference);
  const { input, position, counts } = json;
  return { input, position, counts };
}

function parsed(path: string, text: string): StateJson {
  let json: Partial<StateJson> | null = null;
  try {
    json = JSON.parse(text) as Partial<StateJson> | null;
  } catch {
    // told below
  }
  if (typeof json?.shingledLoad !== 'number') throw unfit(path, 'it is no state of a load');
  if (json.shingledLoad === VERSION && !isState(json)) throw unfit(path, 'something is missing in it');
  return json as StateJson;
}

function isState({ input, position, counts, inputs, settings }: Partial<StateJson>): boolean {
  const isPlace = (place: Position) =>
    typeof place.file === 'string' &&
    [place.byte, place.skip, place.record].every((n) => Number.isSafeInteger(n) && n >= 0);
  const isObject = (value: unknown) => typeof value === 'object' && value !== null;
  if (!Array.isArray(inputs) || !isObject(settings) || !isObject(counts)) return false;
  if (!Number.isSafeInteger(input) || input! < 0 || input! > inputs.length) return false;
  return position === null || (isObject(position) && isPlace(position!));
}

function differenceOf(json: StateJson, { inputs, settings }: LoadSubject): string | null {
  if (JSON.stringify(json.settings) !== JSON.stringify(settings)) return 'records were read by other options';
  const { length } = inputs;
  if (json.inputs.length !== length) return `it is of ${json.inputs.length} inputs, and these are ${length}`;
  for (const [index, input] of inputs.entries()) {
    const before = json.inputs[index]!;
    if (before.name !== input.name || before.kind !== input.kind)
      return `it is of ${before.name}, and not of ${input.name}`;
    if (before.size !== input.size || before.mtimeMs !== input.mtimeMs) return `${input.name} has changed since`;
    if (input.kind === 'stream') return 'a stream cannot be gone on with: its beginning is gone';
  }
  return null;
}

function unfit(path: string, why: string): ShingledError {
  const detail = `The state in ${path} does not fit: ${why}. To begin again, remove it: what is in the index already is not changed.`;
  return new ShingledError('invalid-request', detail, { field: 'state' });
}
