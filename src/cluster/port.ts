import type { KeptSample } from '../core/sketch/narrow.ts';

/** A document of a corpus, with what comparing takes. */
export interface CorpusDocument {
  /** Its name; several documents may have one. */
  readonly url: string;
  /** When it was there, ms since 1970; null where nobody says. */
  readonly date: number | null;
  /** 32 hex digits: equal for equal texts. */
  readonly lexicalDigest: string;
  /** 32 hex digits: equal for equal sets of shingles. */
  readonly shingleDigest: string;
  /** n, 1 or more. */
  readonly shingleCount: number;
  readonly sample: KeptSample;
}

/** What is clustered: documents in their order, some at a time. */
export type CorpusSource = AsyncIterable<readonly CorpusDocument[]>;

export type ClusterPhase = 'documents' | 'lists' | 'pairs' | 'records' | 'forest';

/** How far it is. */
export interface ClusterProgress {
  readonly phase: ClusterPhase;
  readonly done: number;
  /** null: not known. */
  readonly of: number | null;
}
