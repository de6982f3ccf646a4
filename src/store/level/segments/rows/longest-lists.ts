/** A fingerprint and how many contents hold it. */
export interface ListLength {
  readonly fingerprint: number;
  readonly contents: number;
}

const KEPT = 10;

/** The longest of many lists. */
export class LongestLists {
  /** What a list must exceed to be taken. */
  least = 1;
  private lists: ListLength[] = [];

  offer(fingerprint: number, contents: number): void {
    if (contents <= this.least) return;
    this.lists.push({ fingerprint, contents });
    this.lists.sort((a, b) => b.contents - a.contents);
    if (this.lists.length < KEPT) return;
    this.lists.length = KEPT;
    this.least = this.lists[KEPT - 1]!.contents;
  }

  get all(): readonly ListLength[] {
    return this.lists;
  }
}

/** The longest of several parts, those of one fingerprint added up. */
export function addUpLongest(parts: Iterable<readonly ListLength[]>): ListLength[] {
  const lengths = new Map<number, number>();
  for (const part of parts) {
    for (const { fingerprint, contents } of part) {
      lengths.set(fingerprint, (lengths.get(fingerprint) ?? 0) + contents);
    }
  }
  const lists = Array.from(lengths, ([fingerprint, contents]) => ({ fingerprint, contents }));
  return lists.sort((a, b) => b.contents - a.contents || a.fingerprint - b.fingerprint).slice(0, KEPT);
}
