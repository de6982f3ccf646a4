interface Entry<T> {
  readonly value: T;
  readonly expiresAtMs: number;
  readonly weight: number;
}

/** A map that forgets: what has expired, and beyond its limits what was set longest ago. Time is the caller's. */
export class ExpiringMap<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #entriesMax: number;
  readonly #weightMax: number;
  #weight = 0;

  constructor(entriesMax: number, weightMax = Number.POSITIVE_INFINITY) {
    this.#entriesMax = entriesMax;
    this.#weightMax = weightMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string, nowMs: number): Entry<T> | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (entry.expiresAtMs > nowMs) return entry;
    this.#delete(key, entry);
    return null;
  }

  set(key: string, value: T, expiresAtMs: number, weight = 0): void {
    const former = this.#entries.get(key);
    if (former !== undefined) this.#delete(key, former);
    this.#entries.set(key, { value, expiresAtMs, weight });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#entries.size <= this.#entriesMax && this.#weight <= this.#weightMax) break;
      this.#delete(oldest, entry);
    }
  }

  #delete(key: string, entry: Entry<T>): void {
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
