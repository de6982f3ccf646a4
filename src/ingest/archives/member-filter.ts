import { PathPatterns } from '../inputs/patterns/path-patterns.ts';
import type { PatternWatch } from '../inputs/patterns/pattern-watch.ts';

/* Which members of an archive are read: as of a folder, with its patterns and without what begins with a dot. */

export interface FilterOptions {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** What `.gitignore` files of the archive say, by the folders in which they lie; the root is empty. */
  readonly ignores: ReadonlyMap<string, string>;
  /** Told of each path that `include` and `exclude` are asked of. */
  readonly watch?: PatternWatch;
}

export class MemberFilter {
  readonly #include: PathPatterns | null;
  readonly #exclude: PathPatterns;
  readonly #ignores: ReadonlyMap<string, PathPatterns>;
  readonly #watch: PatternWatch | undefined;

  constructor({ include, exclude, ignores, watch }: FilterOptions) {
    this.#watch = watch;
    this.#include = include.length === 0 ? null : new PathPatterns(include);
    this.#exclude = new PathPatterns(exclude);
    this.#ignores = new Map([...ignores].map(([folder, patterns]) => [folder, new PathPatterns(patterns)]));
  }

  /** @param path with slashes between its parts */
  takes(path: string): boolean {
    if (/(?:^|\/)\./.test(path)) return false;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      this.#watch?.see(path.slice(0, slash + 1));
      if (this.#isLeftOut(path.slice(0, slash + 1))) return false;
    }
    this.#watch?.see(path);
    return !this.#isLeftOut(path) && (this.#include === null || this.#include.test(path) === true);
  }

  /** @param path of a folder with a slash behind it */
  #isLeftOut(path: string): boolean {
    if (this.#exclude.test(path) === true) return true;
    if (this.#ignores.size === 0) return false;
    const bare = path.endsWith('/') ? path.slice(0, -1) : path;
    for (let end = bare.lastIndexOf('/'); ; end = bare.lastIndexOf('/', end - 1)) {
      const folder = end < 0 ? '' : bare.slice(0, end);
      const verdict = this.#ignores.get(folder)?.test(folder === '' ? path : path.slice(folder.length + 1)) ?? null;
      if (verdict !== null) return verdict;
      if (end <= 0) return false;
    }
  }
}
