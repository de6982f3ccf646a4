import type { KeptSample } from '../../../core/sketch/narrow.ts';
import type { PostingSpill } from '../../../spill/posting-spill.ts';
import { postedFingerprints, shingleDigestKey } from '../../contents.ts';
import type { Content } from '../../port.ts';
import { ContentTable, presenceOfCount } from '../segments/content-table.ts';
import type { Born } from '../writing/new-content.ts';
import { ContentIds } from './content-ids.ts';

/* The contents that were taken in: their ids and shingle counts, in memory, and their postings, on their way to be sorted. */

export class LoadContents {
  /** Shingle counts of all contents. */
  readonly table = new ContentTable();
  readonly ids = new ContentIds((number) => this.table.isLive(number));
  private readonly spill: PostingSpill;
  private readonly indexModulusMax: number;

  constructor(spill: PostingSpill, indexModulusMax: number) {
    this.spill = spill;
    this.indexModulusMax = indexModulusMax;
  }

  /** @param number larger than all before */
  post(number: number, content: Omit<Born, 'posted'>, posted: Float64Array): void {
    this.ids.add(content.id, number);
    this.count(number, content, posted);
  }

  /** One of which there is a record, in any order of numbers. */
  restore(number: number, content: Content<KeptSample>): void {
    this.ids.addAny(content.id, number);
    this.count(number, content, postedFingerprints(content, this.indexModulusMax));
  }

  private count(number: number, content: Omit<Born, 'posted' | 'id'>, posted: Float64Array): void {
    const { shingleCount, shingleDigest } = content;
    this.table.set(number, presenceOfCount(shingleCount));
    this.spill.add(number, posted);
    this.spill.addOne(number, shingleDigestKey(shingleDigest));
  }
}
