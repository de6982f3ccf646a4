import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ShingledError } from '../../../errors.ts';
import type { Input } from '../../inputs/inputs.ts';
import type { PackingName } from './packed-output.ts';
import { refuseExisting } from './partial.ts';

/*
 * Where a copy goes:
 *
 *   -                                 standard input's counterpart: records of one kind, not packed
 *   OUT                               one file of the records of all inputs, packed as its name says
 *   OUT/, or a folder that is there   a file, or a folder of documents, for each input, by its own name, packed as it is
 *   OUT, for one folder of documents  that folder
 */

export type Place =
  | { readonly kind: 'stream' }
  | { readonly kind: 'file'; readonly path: string; readonly packing: PackingName | null }
  | {
      readonly kind: 'folder';
      readonly path: string;
      /** Whether there is something in it already. */
      readonly isThere: boolean;
      /** Of each input, below it; empty: the folder itself. */
      readonly names: readonly string[];
    };

/** What an input is, as far as its place goes. */
export interface Placed {
  readonly input: Input;
  /** What it holds, by which those that are one file are alike; null: nothing. */
  readonly kind: string | null;
}

/** @throws ShingledError `invalid-request`, `output-exists`, `output-unwritable` */
export async function placeOf(out: string, inputs: readonly Placed[]): Promise<Place> {
  const isOneFolder = inputs.length === 1 && inputs[0]!.input.kind === 'folder';
  if (out === '-') {
    refuseUnlike(out, inputs);
    return { kind: 'stream' };
  }
  const there = await stat(out).catch(() => null);
  const path = resolve(out);
  const parent = await stat(dirname(path)).catch(() => null);
  if (parent?.isDirectory() !== true) {
    throw new ShingledError('output-unwritable', `${out} cannot be written: there is no folder ${dirname(path)}.`);
  }
  await refuseWithin(out, path, inputs);
  if (isOneFolder || out.endsWith('/') || there?.isDirectory() === true) {
    return folderAt(path, inputs, there, isOneFolder);
  }
  await refuseExisting(path);
  refuseUnlike(out, inputs);
  return { kind: 'file', path, packing: packingNamed(out) };
}

async function folderAt(
  path: string,
  inputs: readonly Placed[],
  there: Stats | null,
  isOneFolder: boolean,
): Promise<Place> {
  const isEmpty = await refuseExisting(path).then(
    () => true,
    () => false,
  );
  if (!isEmpty && (isOneFolder || there?.isDirectory() !== true)) await refuseExisting(path);
  const named = new Map<string, string>();
  for (const { input } of inputs) {
    const name = isOneFolder ? '' : basename(resolve(input.name));
    const before = named.get(name);
    if (before !== undefined) {
      throw refused(`${before} and ${input.name} would both be ${join(path, name)}: copy one after the other.`);
    }
    named.set(name, input.name);
    if (!isEmpty) await refuseExisting(join(path, name));
  }
  return { kind: 'folder', path, isThere: !isEmpty, names: [...named.keys()] };
}

/** What cannot be one file. */
function refuseUnlike(out: string, inputs: readonly Placed[]): void {
  const place = out === '-' ? 'Standard output' : out;
  const known = inputs.filter(({ kind }) => kind !== null);
  const [first] = known;
  const whole = inputs.find(({ input, kind }) => input.kind === 'folder' || kind === 'document');
  if (whole !== undefined) {
    throw refused(`${place} is one file, and ${whole.input.name} has documents, each in a file of its own. ${ADVICE}`);
  }
  const other = known.find(({ kind }) => kind !== first!.kind);
  if (other === undefined) return;
  const what = `${first!.input.name} has ${first!.kind} in it, and ${other.input.name} has ${other.kind}`;
  throw refused(`${place} is one file; ${what}. ${ADVICE}`);
}

const ADVICE = 'Name a folder, ending in "/": each input becomes a file in it.';

/** A folder that is read has no output in it: it would be read, too. */
async function refuseWithin(out: string, path: string, inputs: readonly Placed[]): Promise<void> {
  const parent = join(await realpath(dirname(path)), sep);
  const real = await realpath(path).catch(() => join(parent, basename(path)));
  for (const { input } of inputs) {
    if (input.kind !== 'folder') continue;
    const folder = await realpath(input.name);
    if (real === folder || parent.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
      throw refused(`${out} lies in ${input.name}, which is read.`);
    }
  }
}

function packingNamed(name: string): PackingName | null {
  if (/\.(?:gz|gzip)$/i.test(name)) return 'gzip';
  if (/\.(?:zst|zstd)$/i.test(name)) return 'zstd';
  if (/\.bz2$/i.test(name)) return 'bzip2';
  return /\.xz$/i.test(name) ? 'xz' : null;
}

const refused = (detail: string) => new ShingledError('invalid-request', detail, { field: 'kept' });
