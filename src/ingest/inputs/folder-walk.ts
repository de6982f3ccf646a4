import { join } from 'node:path';
import { systemFault } from '../../plain-words/system-faults.ts';
import type { IngestLimits } from '../limits.ts';
import { entriesOf, type FolderEntry } from './byte-names.ts';
import { PathPatterns } from './patterns/path-patterns.ts';
import type { PatternWatch } from './patterns/pattern-watch.ts';
import { readWholeFile } from './whole-file.ts';

/* All files of a folder in an order that stays: folder by folder, names by their UTF-16 units. */

export interface WalkOptions {
  readonly root: string;
  /** Only files that one of these takes, as in .gitignore; none: all. */
  readonly include: readonly string[];
  /** No file and no folder that one of these takes. */
  readonly exclude: readonly string[];
  /** Whether names that begin with a dot are read. */
  readonly hidden: boolean;
  /** Whether files are left out that .gitignore files name. */
  readonly gitignore: boolean;
  /** Says what a folder is that shingled made, such as "an index", which is then passed over; null for any other folder. */
  readonly ownFolder?: (path: string) => string | null;
  /** Told of each path that `include` and `exclude` are asked of. */
  readonly watch?: PatternWatch;
}

export interface WalkedFile {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly entry: FolderEntry;
}

/** A file, or a folder that is not entered. */
export type WalkStep =
  | WalkedFile
  | { readonly path: string; readonly refused: 'unreadable' | 'no-document'; readonly detail: string };

interface OpenFolder {
  readonly path: string;
  readonly entries: readonly FolderEntry[];
  next: number;
  /** Of .gitignore files, its own first. */
  readonly ignores: readonly { readonly base: string; readonly patterns: PathPatterns }[];
}

type WalkLimits = Pick<IngestLimits, 'folderDepthMax' | 'ignoreFileBytesMax'>;

/**
 * @param after a path: only what comes behind it in the order, whether it is still there or not
 * @throws what reading the root itself throws; of other folders it is told
 */
export function* walkFolder(
  options: WalkOptions,
  limits: WalkLimits,
  after: string | null,
): Generator<WalkStep, void, undefined> {
  const { root, hidden, gitignore, watch, ownFolder } = options;
  const include = options.include.length === 0 ? null : new PathPatterns(options.include);
  const exclude = new PathPatterns(options.exclude);
  const passed = after?.split('/') ?? [];
  const open: OpenFolder[] = [];

  function* enter(path: string): Generator<WalkStep> {
    if (open.length > limits.folderDepthMax) {
      yield { path, refused: 'unreadable', detail: `Folders are nested more than ${limits.folderDepthMax} deep.` };
      return;
    }
    const own = path === '' ? null : (ownFolder?.(join(root, path)) ?? null);
    if (own !== null) {
      yield { path, refused: 'no-document', detail: `It is ${own}, which keeps no documents.` };
      return;
    }
    try {
      const entries = entriesOf(join(root, path)).sort((a, b) => (a.name < b.name ? -1 : 1));
      const above = open.at(-1)?.ignores ?? [];
      const ignored = gitignore ? ignoreFileOf(join(root, path, '.gitignore'), limits.ignoreFileBytesMax) : null;
      const ignores = ignored === null ? above : [{ base: path, patterns: new PathPatterns(ignored) }, ...above];
      open.push({ path, entries, next: 0, ignores });
    } catch (error) {
      if (path === '') throw error;
      yield { path, refused: 'unreadable', detail: `The folder cannot be read: ${systemFault(error)}.` };
    }
  }

  const isLeftOut = (path: string, { ignores }: OpenFolder) => {
    for (const { base, patterns } of ignores) {
      const verdict = patterns.test(base === '' ? path : path.slice(base.length + 1));
      if (verdict !== null) return verdict;
    }
    return false;
  };

  /** Whether the names up to here are those of what was passed. */
  const isOnPassed = (path: string) => passed.length > 0 && (path === '' || `${after}/`.startsWith(`${path}/`));

  yield* enter('');
  for (let folder = open.at(-1); folder !== undefined; folder = open.at(-1)) {
    const entry = folder.entries[folder.next++];
    if (entry === undefined) {
      open.pop();
      continue;
    }
    const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
    const name = isOnPassed(folder.path) ? passed[folder.path === '' ? 0 : folder.path.split('/').length] : undefined;
    if (name !== undefined && (entry.name < name || path === after)) continue;
    if (!hidden && entry.name.startsWith('.')) continue;
    const asked = entry.isDirectory() ? `${path}/` : path;
    watch?.see(asked);
    if (exclude.test(asked) === true || isLeftOut(asked, folder)) continue;
    if (entry.isDirectory()) yield* enter(path);
    else if (include === null || include.test(path) === true) yield { path, entry };
  }
}

/** The patterns of a .gitignore file; null if there is none that can be read. */
function ignoreFileOf(path: string, bytesMax: number): string | null {
  const file = readWholeFile(path, bytesMax);
  return 'bytes' in file ? file.bytes.toString() : null;
}
