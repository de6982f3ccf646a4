import { createSurvey, type RowSurvey, surveyList } from './ranges/row-ranges.ts';

/*
 * Which nodes share a shingle, for all shingles of a part of the postings (Broder 1997, §4.1).
 *
 *   sorted postings   f1: 3 9    f2: 4    f3: 0 4 7     f4: 1 2 5 … more than LIST_MAX nodes
 *   lists             3 9'       -        0 4 7'        1 2 5 … n'                               ' = the last one of a list
 *
 * A shingle of more than LIST_MAX nodes is mechanical text as a rule and would cost the square of its length. The paper leaves
 * it out (§5). We count it for those nodes alone that consist of such shingles so far that a pair could share nothing else
 * (common/common-levels.ts).
 *
 * Cost: some 5 ns a posting; no memory beside the postings.
 */

/** Broder 1997, §5: shingles of more documents are very common. */
export const LIST_MAX = 1000;
/** Set in the last member of a list, so nodes are below it. */
export const LAST = 0x8000_0000;

export interface ListCounts {
  /** Shingles of 2..LIST_MAX nodes. */
  lists: number;
  /** Of more. */
  common: number;
  commonPostings: number;
  /** Of one. */
  single: number;
}

/** A list of more. Plain data. */
export interface CommonList {
  /** Of the shingle. */
  readonly key: number;
  /** With which of the words it begins, and how many it has. */
  readonly from: number;
  readonly size: number;
}

/** Finds lists in sorted postings. */
export class ListFinder {
  readonly counts: ListCounts = { lists: 0, common: 0, commonPostings: 0, single: 0 };
  /** What ranges of rows would hold of all lists, and of common ones. */
  readonly survey: RowSurvey;
  readonly commonSurvey: RowSurvey;
  /** Common lists of the last part. */
  common: CommonList[] = [];
  private readonly commonOf: Uint32Array;
  private readonly listMax: number;

  /**
   * @param commonOf common shingles of each node, to be added to; other threads may do so, too
   * @param listMax {@link LIST_MAX}, except in tests
   */
  constructor(commonOf: Uint32Array, listMax: number) {
    this.commonOf = commonOf;
    this.listMax = listMax;
    this.survey = createSurvey(commonOf.length);
    this.commonSurvey = createSurvey(commonOf.length);
  }

  /**
   * @param keys of shingles, ascending; of one shingle the nodes ascend
   * @param nodes of which there are `count`: becomes the lists, one behind the other
   * @returns words of the lists
   */
  find(keys: Uint32Array, nodes: Uint32Array, count: number): number {
    let size = 0;
    this.common = [];
    for (let from = 0, to = 0; from < count; from = to) {
      const key = keys[from]!;
      to = from + 1;
      while (to < count && keys[to] === key) to++;
      if (to - from === 1) {
        this.counts.single++;
        continue;
      }
      this.tell(nodes, from, to);
      if (to - from > this.listMax) this.common.push({ key, from: size, size: to - from });
      nodes.copyWithin(size, from, to);
      size += to - from;
      nodes[size - 1] = (nodes[size - 1]! | LAST) >>> 0;
    }
    return size;
  }

  private tell(nodes: Uint32Array, from: number, to: number): void {
    surveyList(this.survey, nodes, from, to);
    if (to - from <= this.listMax) {
      this.counts.lists++;
      return;
    }
    this.counts.common++;
    this.counts.commonPostings += to - from;
    surveyList(this.commonSurvey, nodes, from, to);
    this.commonSurvey.common++;
    for (let i = from; i < to; i++) Atomics.add(this.commonOf, nodes[i]!, 1);
  }
}
