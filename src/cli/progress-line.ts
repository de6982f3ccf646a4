import type { CliStreams } from './streams.ts';

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
    this.#streams.err(`\r\u001b[K${text().slice(0, Math.max(this.#streams.columns - 1, 1))}`);
    this.#isShown = true;
  }

  /** Leaves the line free for what is printed next. */
  clear(): void {
    if (this.#isShown) this.#streams.err('\r\u001b[K');
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
