import type { BegunWrite } from '../begun-writes.ts';

/** The lines under way of one URL. */
interface LinesOfUrl {
  /** The last that writes it. */
  writer: BegunWrite | null;
  /** Those after it that want to know what it said. */
  readonly readers: Set<BegunWrite>;
}

/**
 * Which lines of a request wait for which. A line waits for those before it of its URL, and for the last one that writes
 * the URL whose content it takes. Whoever writes that URL next waits for the line: everybody only for those before him.
 */
export class LineOrder {
  readonly #urls = new Map<string, LinesOfUrl>();

  /** @param reads the other URL whose content the line takes, null for most. @returns the lines to be waited for */
  enter(line: BegunWrite, reads: string | null): readonly BegunWrite[] {
    const own = this.#urls.get(line.url);
    const before = own === undefined ? [] : [...(own.writer === null ? [] : [own.writer]), ...own.readers];
    this.#urls.set(line.url, { writer: line, readers: new Set() });
    if (reads === null) return before;
    const read = this.#urls.get(reads) ?? { writer: null, readers: new Set() };
    if (read.writer !== null) before.push(read.writer);
    read.readers.add(line);
    this.#urls.set(reads, read);
    return before;
  }

  /** The line has ended. */
  leave(line: BegunWrite, reads: string | null): void {
    const own = this.#urls.get(line.url);
    if (own?.writer === line) own.writer = null;
    this.#forget(line.url, own);
    if (reads === null) return;
    const read = this.#urls.get(reads);
    read?.readers.delete(line);
    this.#forget(reads, read);
  }

  #forget(url: string, lines: LinesOfUrl | undefined): void {
    if (lines?.writer === null && lines.readers.size === 0) this.#urls.delete(url);
  }
}
