/** Whatever waits, for whom. */
export interface Waiter {
  readonly caller: string;
}

/**
 * A waiting line of several callers. Each caller's items keep their order. The caller of least rank goes first; equals
 * go one after the other.
 *
 *   a  ▸ a1 a2 a3 a4 a5
 *   b  ▸ b1               where all are equal: a1 b1 c1 a2 c2 a3 …      who adds a thousand items makes himself wait
 *   c  ▸ c1 c2
 *
 * To choose costs a look at each caller that waits, however many items he has.
 */
export class FairLine<T extends Waiter> {
  readonly #rankOf: (caller: string) => number;
  /** In the order of their turns; no caller without items. */
  readonly #waiting = new Map<string, T[]>();
  #length = 0;

  /** @param rankOf may change as it likes: it is asked when somebody is to be chosen */
  constructor(rankOf: (caller: string) => number = () => 0) {
    this.#rankOf = rankOf;
  }

  get length(): number {
    return this.#length;
  }

  lengthOf(caller: string): number {
    return this.#waiting.get(caller)?.length ?? 0;
  }

  push(item: T): void {
    const items = this.#waiting.get(item.caller);
    if (items === undefined) this.#waiting.set(item.caller, [item]);
    else items.push(item);
    this.#length++;
  }

  /** The item that is next. */
  first(): T | undefined {
    let first: T | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const [caller, items] of this.#waiting) {
      const rank = this.#rankOf(caller);
      if (rank < least) [first, least] = [items[0], rank];
    }
    return first;
  }

  /** The first item of each caller, in the order in which they would be next. */
  heads(): T[] {
    const heads = Array.from(this.#waiting.values(), ([first]) => first!);
    return heads.sort((one, other) => this.#rankOf(one.caller) - this.#rankOf(other.caller));
  }

  /** Takes the next item out, or another caller's first; its caller is last among equals then. */
  shift(first: T | undefined = this.first()): T | undefined {
    if (first === undefined) return undefined;
    const { caller } = first;
    const items = this.#waiting.get(caller)!;
    items.shift();
    this.#length--;
    // of one caller alone it is the same line
    if (items.length > 0 && this.#waiting.size === 1) return first;
    this.#waiting.delete(caller);
    if (items.length > 0) this.#waiting.set(caller, items);
    return first;
  }

  /** Takes an item out, wherever it stands. @returns whether it was there */
  delete(item: T): boolean {
    const items = this.#waiting.get(item.caller) ?? [];
    const at = items.indexOf(item);
    if (at < 0) return false;
    items.splice(at, 1);
    this.#length--;
    if (items.length === 0) this.#waiting.delete(item.caller);
    return true;
  }

  /** Takes all out, in their order. */
  *takeAll(): Generator<T, void> {
    for (let next = this.shift(); next !== undefined; next = this.shift()) yield next;
  }
}
