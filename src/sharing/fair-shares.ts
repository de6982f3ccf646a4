/**
 * How much of something each caller holds, and how much he may: never more than he leaves free.
 *
 *   one caller  ████████░░░░░░░░  half at most
 *   two         █████▓▓▓▓▓░░░░░░  a third each, and so on: n callers that take all they can leave a share for one more
 *
 * So whoever comes finds room, however many others hold all that they may. Nobody is told a number to keep to.
 * (Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", 1998, with α = 1.) Whoever
 * holds nothing may take whatever is free, so that a size of one is of use, and a last place among many.
 */
export class Shares {
  readonly #size: number;
  readonly #held = new Map<string, number>();
  #taken = 0;

  /** @param size places, or bytes, or whatever is shared */
  constructor(size: number) {
    this.#size = size;
  }

  get taken(): number {
    return this.#taken;
  }

  heldBy(caller: string): number {
    return this.#held.get(caller) ?? 0;
  }

  mayTake(caller: string, amount: number): boolean {
    const held = this.heldBy(caller) + amount;
    const free = this.#size - this.#taken - amount;
    return free >= 0 && (held <= free || held === amount);
  }

  /** Takes so much for a caller where he may have it. @returns whether he has */
  take(caller: string, amount: number): boolean {
    if (!this.mayTake(caller, amount)) return false;
    this.#held.set(caller, this.heldBy(caller) + amount);
    this.#taken += amount;
    return true;
  }

  /** Gives back what {@link take} took, or a part of it. */
  give(caller: string, amount: number): void {
    const held = this.heldBy(caller) - amount;
    this.#taken -= amount;
    if (held > 0) this.#held.set(caller, held);
    else this.#held.delete(caller);
  }
}
