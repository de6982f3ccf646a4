import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ShingledError } from '../../errors.ts';
import type { InputFields } from '../sources.ts';
import { fileOfName, isArchiveName, unpackedName } from './file-names.ts';
import type { Input } from './inputs.ts';

/*
 * One prefix is one space of names: what has the same path behind it is one document, and the second becomes a version of
 * the first. Within a folder no path is there twice. Of more inputs than one that is refused, before anything is read. If the
 * names of folders told them apart, the URLs of one would depend on what else was named beside it.
 */

/** @throws ShingledError `invalid-request` where two inputs may give one URL, naming both */
export function checkNameSpaces(inputs: readonly Input[], { urlPrefix, url }: Pick<InputFields, 'urlPrefix' | 'url'>) {
  if (urlPrefix === null) return;
  const isSpace = ({ kind, name }: Input) => kind === 'folder' || (kind === 'file' && isArchiveName(name));
  const [folder, other] = inputs.filter(isSpace);
  if (folder !== undefined && other !== undefined) {
    throw shared(`${folder.name} and ${other.name} would share the URLs below ${urlPrefix}`);
  }
  // where records are named by a field, no URL has the name of their file
  if (url !== null) return;
  const named = new Map<string, string>();
  for (const { kind, name: path } of inputs) {
    if (kind !== 'file') continue;
    const name = unpackedName(path.slice(path.lastIndexOf('/') + 1));
    const before = named.get(name) ?? documentIn(folder?.name, name);
    if (before !== null) throw shared(`${before} and ${path} would have one URL, ${urlPrefix}${name}`);
    named.set(name, path);
  }
}

/** Where a folder, if there is one, has a document of a name. */
function documentIn(folder: string | undefined, name: string): string | null {
  if (folder === undefined || fileOfName(name).refusal !== null) return null;
  const path = join(folder, name);
  return existsSync(path) ? path : null;
}

function shared(what: string): ShingledError {
  const advice = 'Ingest them one after the other, each with a prefix of its own; of a tree, name its folder.';
  return new ShingledError('invalid-request', `--url-prefix: ${what}. ${advice}`, { field: 'url-prefix' });
}
