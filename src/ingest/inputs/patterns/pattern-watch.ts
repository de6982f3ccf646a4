import { PathPatterns } from './path-patterns.ts';

/** A pattern of an option, and the patterns of .gitignore files that it stands for. */
export interface ToldPattern {
  readonly option: 'include' | 'exclude';
  readonly pattern: string;
  readonly expanded: readonly string[];
}

/** Which patterns of options met nothing: they are mistyped, or nothing is named so any more. */
export class PatternWatch {
  readonly #all: readonly ToldPattern[];
  #unmet: readonly (ToldPattern & { readonly alone: PathPatterns })[];
  #hasBegun = false;
  #isOver = false;

  constructor(patterns: readonly ToldPattern[]) {
    this.#all = patterns;
    this.#unmet = patterns.map((told) => ({ ...told, alone: new PathPatterns(told.expanded) }));
  }

  /** A folder, or an archive of files, is read from its beginning. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** @param path relative to the folder or archive, one of a folder with a slash at its end */
  see(path: string): void {
    if (this.#unmet.length === 0) return;
    const isFile = !path.endsWith('/');
    this.#unmet = this.#unmet.filter(
      ({ option, alone }) => (option === 'include' && !isFile) || alone.test(path) === null,
    );
  }

  /** All inputs have been read. */
  end(): void {
    this.#isOver = true;
  }

  /** A line for each pattern that met nothing; none before all was seen. */
  get words(): string[] {
    if (!this.#isOver) return [];
    if (!this.#hasBegun)
      return this.#all.map((told) => `${optionOf(told)} was not used: no input is a folder or an archive of files.`);
    return this.#unmet.map(
      (told) => `${optionOf(told)} matched no file${told.option === 'exclude' ? ' or folder' : ''}.`,
    );
  }
}

const optionOf = ({ option, pattern }: ToldPattern) => `--${option} ${pattern}`;
