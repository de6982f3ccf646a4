import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

/** For a process that is not started with the options of this one: what Node made of the files is kept for it, too. */
export function keptCompiled(): { readonly NODE_COMPILE_CACHE?: string } {
  // a folder for each build of Node, in the one that vitest.config.ts names
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}
