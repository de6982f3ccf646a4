/**
 * What each caller has had, in whatever is dealt out: milliseconds, bytes. Whoever has had least is served next. So
 * callers who always want more get the same, however many things they want at a time and however dear each is.
 *
 * A caller who comes anew begins where the others are. A time without work earns no credit, and he has no more debt
 * from before than the others have. (Goyal, Vin and Cheng, "Start-time fair queuing", 1996.)
 */
export class Accounts {
  /** Only of those who have had more than {@link Accounts.#reached}. */
  readonly #had = new Map<string, number>();
  /** What the one who was last served had had: everybody who waits has had as much, or more. */
  #reached = 0;

  of(caller: string): number {
    return Math.max(this.#had.get(caller) ?? 0, this.#reached);
  }

  /** @param caller who has had least of all that wait */
  serve(caller: string, cost: number): void {
    this.#reached = this.of(caller);
    for (const [other, had] of this.#had) if (had <= this.#reached) this.#had.delete(other);
    if (cost > 0) this.#had.set(caller, this.#reached + cost);
  }
}
