import type { Position } from '../../ingest/port.ts';
import { FirstInLine } from './first-in-line.ts';

/*
 * What is under way, in the order in which it was read. Outcomes come as they like, and are told in that order:
 *
 *   told ──┤ item 7: under way   item 8: done   item 9: done   item 10: under way ├── read next
 *          ▲ the position that is sure: all before it is told, nothing behind it is
 */

/** Something that was read, until its outcome is told. */
export interface Ticket<O> {
  /** Where reading goes on behind it; null: it is inside of something that is read again as a whole. */
  readonly next: Position | null;
  outcome: O | null;
}

export class Ledger<O> {
  readonly #tell: (outcome: O) => boolean;
  readonly #tickets = new FirstInLine<Ticket<O>>();
  #isFrozen = false;
  /** The last one that was told lies inside of something that is read again as a whole. */
  #isInside = false;
  position: Position | null;

  /** @param tell false: this one was not done. It is the last that is told, and the position stays before it. */
  constructor(from: Position | null, tell: (outcome: O) => boolean) {
    this.position = from;
    this.#tell = tell;
  }

  /** Whether what was told is what lies before the position, and nothing else. */
  get isSure(): boolean {
    return !this.#isInside;
  }

  /** Whether a record was not done: no outcome behind it is passed on. */
  get isFrozen(): boolean {
    return this.#isFrozen;
  }

  get length(): number {
    return this.#tickets.length;
  }

  add(next: Position | null): Ticket<O> {
    const ticket: Ticket<O> = { next, outcome: null };
    this.#tickets.push(ticket);
    return ticket;
  }

  settle(ticket: Ticket<O>, outcome: O): void {
    ticket.outcome = outcome;
    for (let { first } = this.#tickets; first !== undefined; { first } = this.#tickets) {
      if (first.outcome === null || this.#isFrozen) break;
      if (!this.#tell(first.outcome)) this.#isFrozen = true;
      else {
        this.#tickets.take();
        this.position = first.next ?? this.position;
        this.#isInside = first.next === null;
      }
    }
  }
}
