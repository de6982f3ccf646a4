import type { Sample } from '../core/sketch/fingerprint-sets.ts';
import type { Content, WriteOutcome, WriteStatus } from '../store/port.ts';
import type { Thresholds } from './api.ts';

/** How a write ended. */
export type WriteEnd = WriteStatus | 'skipped' | 'failed';

/** A write that has begun, and that others may have to wait for. Nothing that is waited for rejects. */
export class BegunWrite {
  readonly url: string;
  /** What it is inserted unless, null where it is written anyway. */
  readonly unless: Thresholds | null;
  readonly #lists: BegunWrites[] = [];
  readonly #known = new Event();
  readonly #judged = new Event();
  readonly #ended = Promise.withResolvers<WriteEnd>();
  #content: Content<Sample> | null = null;

  constructor(url: string, unless: Thresholds | null) {
    this.url = url;
    this.unless = unless;
  }

  /** What it brings; null where that is nothing, or not known yet. */
  get content(): Content<Sample> | null {
    return this.#content;
  }

  /** When it will be known what it brings; null once it is. */
  get unknown(): Promise<void> | null {
    return this.#known.ahead;
  }

  /** When it will be known whether anything stands against it; null once it is. */
  get unjudged(): Promise<void> | null {
    return this.#judged.ahead;
  }

  /** When what it did is in the index. */
  get ended(): Promise<WriteEnd> {
    return this.#ended.promise;
  }

  enter(list: BegunWrites): void {
    list.add(this);
    this.#lists.push(list);
  }

  know(content: Content<Sample> | null): void {
    this.#content = content;
    this.#known.happen();
  }

  judge(): void {
    this.#judged.happen();
  }

  /** Does it, and tells those who wait how it ended; without an outcome it was skipped. */
  async run<T extends { readonly outcome: WriteOutcome | null }>(work: () => Promise<T>): Promise<T> {
    let end: WriteEnd = 'failed';
    try {
      const done = await work();
      end = done.outcome?.status ?? 'skipped';
      return done;
    } finally {
      for (const list of this.#lists) list.delete(this);
      this.#known.happen();
      this.#judged.happen();
      this.#ended.resolve(end);
    }
  }
}

/** Writes that have begun and not ended, in the order in which they came. */
export class BegunWrites {
  readonly #writes = new Set<BegunWrite>();

  add(write: BegunWrite): void {
    this.#writes.add(write);
  }

  delete(write: BegunWrite): void {
    this.#writes.delete(write);
  }

  /** Those that came before one that is among them. */
  before(write: BegunWrite): BegunWrite[] {
    const earlier: BegunWrite[] = [];
    for (const other of this.#writes) {
      if (other === write) break;
      earlier.push(other);
    }
    return earlier;
  }
}

/** Something that happens once. */
class Event {
  /** Made when somebody waits: almost always nobody does. */
  #promise: PromiseWithResolvers<void> | null = null;
  #hasHappened = false;

  /** null once it has happened. */
  get ahead(): Promise<void> | null {
    if (this.#hasHappened) return null;
    this.#promise ??= Promise.withResolvers<void>();
    return this.#promise.promise;
  }

  happen(): void {
    this.#hasHappened = true;
    this.#promise?.resolve();
  }
}
