import { needsNoRow, sealCounts } from './holder-counts.ts';
import { countsKey } from './keys.ts';
import type { SourceRow } from './values.ts';

const CONTENTS_FIRST = 1024;

/** How many hold each content, counted from all sources. Cost: 12 to 24 bytes a content, by the highest number. */
export class HolderTally {
  private live = new Uint32Array(CONTENTS_FIRST);
  private gone = new Uint32Array(CONTENTS_FIRST);
  private past = new Uint32Array(CONTENTS_FIRST);

  add({ state, present, past }: SourceRow): void {
    this.reserve(present.content);
    this[state][present.content]!++;
    for (const { content } of past) {
      this.reserve(content);
      this.past[content]!++;
    }
  }

  /** The rows of the contents that have one, in the order of their keys. */
  *rows(): Generator<[key: string, value: Buffer], void, undefined> {
    for (let content = 0; content < this.live.length; content++) {
      const counts = { live: this.live[content]!, gone: this.gone[content]!, past: this.past[content]! };
      if (needsNoRow(counts)) continue;
      const key = countsKey(content);
      yield [key, sealCounts(key, counts)];
    }
  }

  private reserve(content: number): void {
    if (content < this.live.length) return;
    const size = 2 ** Math.ceil(Math.log2(content + 1));
    for (const state of ['live', 'gone', 'past'] as const) {
      const grown = new Uint32Array(size);
      grown.set(this[state]);
      this[state] = grown;
    }
  }
}
