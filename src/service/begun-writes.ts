import type { Sample } from '../core/sketch/modulus.ts';
import { Latch } from '../sharing/waiting.ts';
import type { Content, WriteOutcome, WriteStatus } from '../store/port.ts';
import type { Unless } from './api.ts';

/** How a write ended. */
export type WriteEnd = WriteStatus | 'skipped' | 'failed';

/** Writes that have begun and not ended, in the order in which they came. */
export class BegunWrites extends Set<BegunWrite> {
  /** Those that came before one that is among them. */
  before(write: BegunWrite): BegunWrite[] {
    const earlier: BegunWrite[] = [];
    for (const other of this) {
      if (other === write) break;
      earlier.push(other);
    }
    return earlier;
  }
}

/** A write that has begun, and that others may have to wait for. Nothing that is waited for rejects. */
export class BegunWrite {
  readonly url: string;
  /** What it is inserted unless, null where it is written anyway. */
  readonly unless: Unless | null;
  /** What it brings; null where that is nothing, or not known yet. */
  content: Content<Sample> | null = null;
  /** It is known what it brings. */
  readonly known = new Latch();
  /** The store has it: what is handed over later comes after it. */
  readonly handedOver = new Latch();
  /** It is known whether anything stands against it. */
  readonly judged = new Latch();
  readonly #end = new Latch<WriteEnd>();
  #ended: WriteEnd = 'failed';
  readonly #lists: BegunWrites[] = [];

  constructor(url: string, unless: Unless | null) {
    this.url = url;
    this.unless = unless;
  }

  /** How it ended, when what it did is in the index. */
  get ended(): Promise<WriteEnd> | WriteEnd {
    return this.#end.ahead ?? this.#ended;
  }

  enter(list: BegunWrites): void {
    list.add(this);
    this.#lists.push(list);
  }

  know(content: Content<Sample> | null): void {
    this.content = content;
    this.known.happen();
  }

  /** Does it, and tells those who wait how it ended; without an outcome it was skipped. */
  async run<T extends { readonly outcome: WriteOutcome | null }>(work: () => Promise<T>): Promise<T> {
    try {
      const done = await work();
      this.#ended = done.outcome?.status ?? 'skipped';
      return done;
    } finally {
      for (const list of this.#lists) list.delete(this);
      this.known.happen();
      this.judged.happen();
      this.handedOver.happen();
      this.#end.happen(this.#ended);
    }
  }
}
