import type { CorpusAnswer } from '../../cluster/served/port.ts';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { SizeRecall } from '../../core/query/recall.ts';
import type {
  ContentDescription,
  ContentFigures,
  ContentUnknown,
  ContentWish,
  EstimatedShare,
  LimitReached,
  MatchSource,
  ToldContent,
} from '../api.ts';

/* What is asked of clusters, and what is answered. */

export interface ClusterRequest {
  /** A URL that the index or the corpus knows. */
  readonly url: string;
  /** Above 0, up to 1: contents of a cluster hang together by pairs that are so alike. */
  readonly threshold: number;
  readonly by: Likeness;
  readonly content: ContentWish;
  /** Members at most. */
  readonly limit: number;
  readonly sourcesPerMember: number;
  /** null: {@link ServiceLimits.clusterMs}. */
  readonly deadlineMs: number | null;
}

/** What is known of the cluster of a URL: in the index now, and in a corpus that was clustered before. */
export interface ClusterAnswer {
  readonly url: string;
  readonly by: Likeness;
  readonly threshold: number;
  /** null where the index does not know the URL, and the corpus does. */
  readonly index: IndexCluster | null;
  /** null where there is no corpus. */
  readonly corpus: CorpusAnswer | null;
  readonly elapsedMs: number;
}

export interface IndexCluster {
  /** When it was answered, RFC 3339. */
  readonly asOf: string;
  /** The source that was first seen with its content; of several that with the shortest URL, then the least. */
  readonly representative: string;
  /** That of the URL first; then each by the strongest pair that any content outside had with one before it. */
  readonly members: readonly ClusterMember[];
  readonly contentCount: number;
  /** The pair without which the cluster parts in two, at any higher threshold; null where there is one content. */
  readonly weakest: WeakestPair | null;
  /** A lower bound of the chance that a content that is just so alike to a member was met by it, the least of all. */
  readonly recall: number;
  /** By containment: the same of contents that have so many shingles or more; `recall` is that of the shortest. */
  readonly recallBySize?: readonly SizeRecall[];
  /** False where something may be missing that the same question without limits would have answered. */
  readonly complete: boolean;
  readonly limits: readonly LimitReached[];
  /** Present where `main` was asked for and the URL has no content of which anything can be said: why. */
  readonly contentUnknown?: 'not-read' | 'too-little';
}

export interface ClusterMember extends Pick<ContentDescription, 'kind' | 'tokens' | 'shingles'> {
  readonly contentId: string;
  /** What it says by itself; null where that says nothing, and `contentUnknown` why. */
  readonly content: (ToldContent & { readonly shingles: number }) | null;
  readonly contentUnknown?: Exclude<ContentUnknown, 'whole'>;
  /** null of the first. */
  readonly joinedBy: MemberPair | null;
  readonly sources: readonly Omit<MatchSource, 'identical'>[];
  /** How many there are, exactly, listed or not. */
  readonly sourceCount: number;
}

/** How alike two members are: their resemblance or, with `by=containment`, how much of the smaller one is in the other. */
export interface PairLikeness extends ContentFigures<{ readonly likeness: EstimatedShare }> {
  /** How alike the whole pages are. */
  readonly likeness: EstimatedShare;
}

export interface MemberPair extends PairLikeness {
  /** A member before this one. */
  readonly contentId: string;
}

export interface WeakestPair extends PairLikeness {
  readonly a: WeakestSide;
  /** The one that was joined by this pair. */
  readonly b: WeakestSide;
}

/** A content of the pair, and how many there are on its side without the pair. */
interface WeakestSide {
  readonly contentId: string;
  readonly contentCount: number;
}
