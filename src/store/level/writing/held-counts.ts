import type { HolderCounts } from '../../port.ts';
import { NO_HOLDERS, needsNoRow, ONE_LIVE } from '../format/holder-counts.ts';
import { countsKey } from '../format/keys.ts';
import { type LoadedRows, together } from '../format/loaded-rows.ts';
import type { TableRows } from '../format/rows.ts';
import { unreadable } from '../format/value-bytes.ts';
import type { SourceRow } from '../format/values.ts';

/** How many hold each content, as the plans of one batch change it. Its methods may stop with NOT_LOADED (rows.ts). */
export class HeldCounts {
  private readonly rows: TableRows<HolderCounts>;
  private readonly loaded: LoadedRows;
  private readonly first: number;
  /** Of contents from this one on, no row is on disk but by the batch before. */
  private readonly newFrom: number;
  /** Contents that the plan brings, which no source holds yet. */
  private readonly unheld = new Set<number>();

  /** @param first the number of the next new content @param before of the batch that is being written */
  constructor(rows: TableRows<HolderCounts>, loaded: LoadedRows, first: number, before: HeldCounts | null) {
    this.rows = rows;
    this.loaded = loaded;
    this.first = first;
    this.newFrom = before?.first ?? first;
  }

  /** A content comes, which a source will hold when the plan has ended. */
  bring(content: number): void {
    this.unheld.add(content);
  }

  /** The plan has ended, or begins again. */
  end(): void {
    this.unheld.clear();
  }

  of(content: number): HolderCounts {
    if (this.unheld.has(content)) return NO_HOLDERS;
    const key = countsKey(content);
    // else each copy of what is new would be waited for, since no plan before it knows the number
    if (content >= this.newFrom) this.loaded.absent(key);
    return this.rows.get(key) ?? ONE_LIVE;
  }

  /**
   * Counts what the change of a source comes to.
   *
   * @param before null where it was not there @param after null where it goes
   * @throws ShingledError `index-unreadable` where fewer would hold a content than none: a row is lost
   */
  change(before: SourceRow | null, after: SourceRow | null): void {
    const changes = [...holderChanges(before, after)];
    if (changes.length === 0) return;
    const asks = changes.map(
      ([content]) =>
        () =>
          this.of(content),
    );
    const known = together(...asks);
    for (const [i, [content, by]] of changes.entries()) {
      const { live, gone, past } = known[i]!;
      this.put(content, { live: live + by.live, gone: gone + by.gone, past: past + by.past });
    }
  }

  private put(content: number, counts: HolderCounts): void {
    const key = countsKey(content);
    if (Math.min(counts.live, counts.gone, counts.past) < 0) throw unreadable(key);
    const isNew = this.unheld.delete(content);
    if (!needsNoRow(counts)) this.rows.put(key, counts);
    else if (!isNew && this.rows.get(key) !== undefined) this.rows.delete(key);
  }
}

/** By how much the change of a source changes how many hold each content; what stays as it was is left out. */
function holderChanges(before: SourceRow | null, after: SourceRow | null): Map<number, HolderCounts> {
  const changes = new Map<number, HolderCounts>();
  if (isHeldAlike(before, after)) return changes;
  addTo(changes, before, -1);
  addTo(changes, after, 1);
  for (const [content, { live, gone, past }] of changes) {
    if (live === 0 && gone === 0 && past === 0) changes.delete(content);
  }
  return changes;
}

/** What almost every plan of a source that is known comes to. */
function isHeldAlike(before: SourceRow | null, after: SourceRow | null): boolean {
  return (
    before !== null &&
    after !== null &&
    before.past === after.past &&
    before.state === after.state &&
    before.present.content === after.present.content
  );
}

function addTo(changes: Map<number, HolderCounts>, source: SourceRow | null, by: 1 | -1): void {
  if (source === null) return;
  add(changes, source.present.content, source.state, by);
  for (const { content } of source.past) add(changes, content, 'past', by);
}

function add(changes: Map<number, HolderCounts>, content: number, state: keyof HolderCounts, by: 1 | -1): void {
  const change = changes.get(content) ?? NO_HOLDERS;
  changes.set(content, { ...change, [state]: change[state] + by });
}
