import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

const NOT_OURS = new Set(['node_modules', 'dist', 'data', 'coverage', '.git']);

/** Paths of the project's own files, relative to its root, sorted; `under` is a folder such as `src`. */
export function filesUnder(under: string, ending = ''): string[] {
  return readdirSync(`${root}/${under}`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replaceAll('\\', '/').replace(/^\/+/, ''))
    .filter((path) => path.endsWith(ending) && !path.split('/').some((part) => NOT_OURS.has(part)))
    .sort();
}

export const readText = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
