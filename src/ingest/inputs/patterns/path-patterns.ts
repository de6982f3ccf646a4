import ignore from 'ignore';

/** What `ignore` keeps of each path that it was asked of: it is made anew after so many. */
const ASKED_MAX = 10_000;

/** Patterns of .gitignore files. Paths are relative to where the patterns are, with slashes, and one behind a folder's. */
export class PathPatterns {
  readonly #patterns: readonly string[] | string;
  #matcher: ReturnType<typeof ignore>;
  #asked = 0;

  constructor(patterns: readonly string[] | string) {
    this.#patterns = patterns;
    this.#matcher = this.#made();
  }

  #made() {
    return ignore().add(this.#patterns);
  }

  /** true: a pattern takes it; false: one that begins with ! excepts it; null: none says anything. */
  test(path: string): boolean | null {
    if (++this.#asked > ASKED_MAX) {
      this.#matcher = this.#made();
      this.#asked = 0;
    }
    const { ignored, unignored } = this.#matcher.test(path);
    return ignored ? true : unignored ? false : null;
  }
}
