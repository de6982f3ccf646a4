import type { CliStreams } from './streams.ts';
import { readable } from './texts.ts';

/** Begins the line of a terminal again, without what stood there. */
const LINE_AGAIN = '\r\u001b[K';

/**
 * A text as standard error may have it: a terminal obeys nothing in it, such as the name of an input, except LINE_AGAIN at its
 * beginning.
 */
export function shownAsMessage(text: string): string {
  const isAgain = text.startsWith(LINE_AGAIN);
  return isAgain ? LINE_AGAIN + readable(text.slice(LINE_AGAIN.length)) : readable(text);
}

/** A line on a terminal that is written again and again; nothing where nobody looks. */
export class ProgressLine {
  readonly #streams: CliStreams;
  #isShown = false;

  constructor(streams: CliStreams) {
    this.#streams = streams;
  }

  /** @param text asked for only where somebody looks */
  show(text: () => string): void {
    if (!this.#streams.isTerminal) return;
    this.#streams.err(`${LINE_AGAIN}${text().slice(0, Math.max(this.#streams.columns - 1, 1))}`);
    this.#isShown = true;
  }

  /** Leaves the line free for what is printed next. */
  clear(): void {
    if (this.#isShown) this.#streams.err(LINE_AGAIN);
    this.#isShown = false;
  }
}

/** `1:02:03`, or `2:03` under an hour. */
export function clockText(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
