import type { Stats } from 'node:fs';
import { glob, stat } from 'node:fs/promises';
import { ShingledError } from '../../errors.ts';
import { unreadableText } from '../../plain-words/system-faults.ts';
import { specialKind } from './whole-file.ts';

/* What is to be read, from the arguments of a command: in their order, the files of a pattern in the order of their names. */

export interface Input {
  /** A file, a folder of documents, a stream that can be read once, or a URL to be fetched. */
  readonly kind: 'file' | 'folder' | 'stream' | 'url';
  /** As it was given, or found by a pattern; `-`: standard input. */
  readonly name: string;
  /** Bytes; null where that is not known. */
  readonly size: number | null;
  /** Last change, ms since 1970; null where that is not known. */
  readonly mtimeMs: number | null;
}

const URL_LIKE = /^https?:\/\//i;
const PATTERN = /[*?[{]/;

/** @throws ShingledError `invalid-request`, naming the argument: nothing is there, or a pattern meets nothing */
export async function findInputs(names: readonly string[]): Promise<Input[]> {
  const inputs: Input[] = [];
  const seen = new Set<string>();
  const add = (input: Input, identity: string) => {
    // a file that is named twice is read once
    if (!seen.has(identity)) inputs.push(input);
    seen.add(identity);
  };
  for (const name of names) {
    if (name === '-') add({ kind: 'stream', name, size: null, mtimeMs: null }, name);
    else if (URL_LIKE.test(name)) add({ kind: 'url', name, size: null, mtimeMs: null }, name);
    else for (const [path, stats] of await met(name)) add(inputOf(path, stats), `${stats.dev}:${stats.ino}`);
  }
  return inputs;
}

async function met(name: string): Promise<[string, Stats][]> {
  const stats = await stat(name).catch((error: unknown) => ({ error }));
  if (!('error' in stats)) return [[name, stats]];
  if (!PATTERN.test(name)) throw unusable(name, unreadableText(name, stats.error));
  const paths: string[] = [];
  for await (const path of glob(name)) paths.push(path);
  const found: [string, Stats][] = [];
  for (const path of paths.sort((a, b) => (a < b ? -1 : 1))) {
    const one = await stat(path).catch(() => null);
    if (one === null && path.includes('\ufffd')) {
      const detail = `The pattern ${name} matches a file whose name is not UTF-8, which a pattern cannot name: name its folder.`;
      throw unusable(name, detail);
    }
    // of the folders that a pattern meets, it meets the files that are meant
    if (one !== null && !one.isDirectory()) found.push([path, one]);
  }
  if (found.length === 0) throw unusable(name, `The pattern ${name} matches no file.`);
  return found;
}

function inputOf(name: string, stats: Stats): Input {
  const { mtimeMs } = stats;
  const kind = specialKind(stats);
  if (kind === null) return { kind: 'file', name, size: stats.size, mtimeMs };
  if (kind === 'a folder') return { kind: 'folder', name, size: null, mtimeMs: null };
  if (kind === 'a pipe' || stats.isCharacterDevice()) return { kind: 'stream', name, size: null, mtimeMs: null };
  throw unusable(name, `${name} is ${kind}, which cannot be read.`);
}

function unusable(name: string, detail: string): ShingledError {
  return new ShingledError('invalid-request', detail, { field: name });
}
