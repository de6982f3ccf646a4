import { GrowingColumn, ownWords } from '../../../../core/memory/growing-column.ts';
import { needsNoRow, sealCounts } from '../../format/holder-counts.ts';
import { contentOfHolderKey, countsKey, readPastKey } from '../../format/keys.ts';

/*
 * How many hold each content, from the rows that say who does: in a load nobody is gone.
 *
 *   rows r    a holder beside the owner        in the order of contents
 *   rows x    a holder that had it             in the order of time
 *
 * Cost: 8 bytes for a content with several holders, and 4 for each past one.
 */
export class LoadCounts {
  private readonly contents = new GrowingColumn(ownWords);
  private readonly further = new GrowingColumn(ownWords);
  private readonly pasts = new GrowingColumn(ownWords);
  private last = -1;
  private count = 0;

  /** @param key of table r, in order */
  addHolder(key: string): void {
    const content = contentOfHolderKey(key);
    if (content !== this.last) this.endContent();
    this.last = content;
    this.count++;
  }

  /** @param key of table x */
  addPast(key: string): void {
    this.pasts.push(readPastKey(key).content);
  }

  /** The rows, in the order of their keys; nothing may be added any more. */
  *rows(): Generator<readonly [key: string, value: Buffer], void, undefined> {
    this.endContent();
    const [contents, further, pasts] = [this.contents.values, this.further.values, this.pasts.values.sort()];
    let [at, pastAt] = [0, 0];
    while (at < contents.length || pastAt < pasts.length) {
      const content = Math.min(contents[at] ?? Number.POSITIVE_INFINITY, pasts[pastAt] ?? Number.POSITIVE_INFINITY);
      const all = contents[at] === content ? 1 + further[at++]! : 1;
      let past = 0;
      for (; pasts[pastAt] === content; pastAt++) past++;
      const counts = { live: all - past, gone: 0, past };
      if (needsNoRow(counts)) continue;
      const key = countsKey(content);
      yield [key, sealCounts(key, counts)];
    }
  }

  private endContent(): void {
    if (this.count === 0) return;
    this.contents.push(this.last);
    this.further.push(this.count);
    this.count = 0;
  }
}
