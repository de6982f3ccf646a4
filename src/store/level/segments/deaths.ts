import { deathKey, pageKey } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { type ContentTable, pageOf, pagesBefore, sealPage } from './content-table.ts';

/** A page with so many rows d is written anew: 16 KB instead of them. */
const HEAVY = 256;

/** Contents that were forgotten since their page of shingle counts was written: for each there is a row d. */
export class Deaths {
  private readonly byPage = new Map<number, number[]>();
  private readonly heavy = new Set<number>();
  private total = 0;

  /** Rows d. */
  get count(): number {
    return this.total;
  }

  add(content: number): void {
    const page = pageOf(content);
    const deaths = this.byPage.get(page);
    if (deaths === undefined) this.byPage.set(page, [content]);
    else if (deaths.push(content) >= HEAVY) this.heavy.add(page);
    this.total++;
  }

  /**
   * At most so many pages that are to be written anew: those with many deaths, or with any. None of contents that no segment
   * holds: such a page is written when they are flushed, and before that it counts for nothing.
   */
  pages(most: number, which: 'heavy' | 'any', flushedUpTo: number): number[] {
    const pages = which === 'heavy' ? this.heavy : this.byPage.keys();
    const end = pagesBefore(flushedUpTo);
    return Iterator.from(pages)
      .filter((page) => page < end)
      .take(most)
      .toArray();
  }

  /** The pages that hold contents from..to. */
  static pagesOf(from: number, to: number): number[] {
    const first = pageOf(from);
    return Array.from({ length: pagesBefore(to) - first }, (_, i) => first + i);
  }

  /** Rows that write pages as they are now and delete their rows d, whose contents are taken out of here. */
  take(pages: readonly number[], table: ContentTable): { rows: RowChange[]; contents: number[] } {
    const contents: number[] = [];
    const rows: RowChange[] = [];
    for (const page of pages) {
      rows.push([pageKey(page), sealPage(table, page)]);
      for (const content of this.byPage.get(page) ?? []) {
        rows.push([deathKey(content), null]);
        contents.push(content);
      }
      this.byPage.delete(page);
      this.heavy.delete(page);
    }
    this.total -= contents.length;
    return { rows, contents };
  }
}
