import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { ShingledError } from './errors.ts';

/**
 * Refuses backups inside of the index, where they are taken for a part of it and are lost with it, and an index among its
 * backups. Links and mounts are seen through; either folder may still be absent.
 *
 * @param name of the setting or argument at fault
 * @throws ShingledError `invalid-config`
 */
export async function refuseNested(name: string, backups: string, dataDir: string): Promise<void> {
  const [inner, outer] = await Promise.all([placeOf(backups), placeOf(dataDir)]);
  const fault = isWithin(inner, outer)
    ? `"${backups}" is, or lies in, the folder of the index, ${dataDir}`
    : isWithin(outer, inner)
      ? `the folder of the index, ${dataDir}, lies in "${backups}"`
      : null;
  if (fault !== null) throw new ShingledError('invalid-config', `${name}: ${fault}; allowed: a folder beside it`);
}

/** Whether a file or folder, which may still be absent, is a folder or lies in it. Links and mounts are seen through. */
export async function liesIn(path: string, folder: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([placeOf(path), placeOf(folder)]);
  return isWithin(inner, outer);
}

interface Place {
  /** Without links, as far as it is there. */
  readonly path: string;
  /** Device and inode of it, null where it is not there, and of every folder above. */
  readonly own: string | null;
  readonly above: readonly string[];
}

async function placeOf(path: string): Promise<Place> {
  const real = await realOf(resolve(path));
  const own = await identityOf(real);
  const above: string[] = [];
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    const identity = await identityOf(folder);
    if (identity !== null) above.push(identity);
    if (folder === dirname(folder)) return { path: real, own, above };
  }
}

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    return path === dirname(path) ? path : join(await realOf(dirname(path)), basename(path));
  }
}

async function identityOf(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.dev}:${found.ino}`;
}

function isWithin(inner: Place, outer: Place): boolean {
  if (`${inner.path}${sep}`.startsWith(`${outer.path}${sep}`)) return true;
  return outer.own !== null && (inner.own === outer.own || inner.above.includes(outer.own));
}
