import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { ContentChoice } from '../../core/content/told-content.ts';
import type { Deadline } from '../../sharing/deadline.ts';

/* What a corpus that was clustered before says of a URL. */

export interface CorpusQuestion {
  /** Spellings of one URL: the first that the corpus has counts. */
  readonly urls: readonly string[];
  readonly by: Likeness;
  readonly threshold: number;
  /** URLs answered, at most. */
  readonly limit: number;
}

export interface CorpusAnswer {
  /** When it was clustered, RFC 3339. */
  readonly asOf: string;
  readonly by: Likeness;
  /** By what its documents were compared. */
  readonly content: ContentChoice;
  /** It knows no pairs that are less alike. */
  readonly floor: number;
  /** Why there is no cluster: `below-floor` of the threshold, `other-likeness` than its own was asked for. */
  readonly state: 'found' | 'unknown-url' | 'below-floor' | 'other-likeness';
  readonly cluster: CorpusCluster | null;
}

export interface CorpusCluster {
  readonly documents: number;
  /** Different texts. */
  readonly texts: number;
  /** The oldest document; of one time, or without dates, that with the shortest URL; then the first. */
  readonly representative: string;
  /** The link without which the cluster parts in two, at any higher threshold; null where all have one set of shingles. */
  readonly weakest: { readonly likeness: number; readonly a: LinkSide; readonly b: LinkSide } | null;
  /** In the order of the input. */
  readonly urls: readonly string[];
}

/** A document of the link, and how many there are on its side without the link. */
export interface LinkSide {
  readonly url: string;
  readonly documents: number;
}

/** Who asks, and until when. */
export interface CorpusAsker {
  readonly caller: string;
  readonly deadline: Deadline;
}

export interface CorpusClusters {
  /**
   * A question that waits is let go of where its deadline comes first.
   *
   * @throws (the promise) the deadline's error; ShingledError `overloaded`, `index-unreadable`, `internal`
   */
  ask(question: CorpusQuestion, asker: CorpusAsker): Promise<CorpusAnswer>;
}
