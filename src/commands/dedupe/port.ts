import type { ClusterNeeds, ClusterProgress, ContentsTold } from '../../cluster/port.ts';
import type { RemovalLine } from '../../cluster/result/cluster-lines.ts';
import type { Preference } from '../../cluster/result/removals.ts';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { ContentChoice } from '../../core/content/told-content.ts';
import type { WriteBytes } from '../../ingest/rewrite/port.ts';
import type { IngestSources, InputFields } from '../../ingest/sources.ts';

export interface DedupeRequest {
  readonly inputs: readonly string[];
  readonly fields: InputFields;
  readonly threshold: number;
  readonly by: Likeness;
  /** By what documents are compared; their pages unless told. */
  readonly content?: ContentChoice;
  /** Pairs below are not told apart; null: so low that pairs at the threshold are found. */
  readonly floor: number | null;
  /** Which document stays, or the field whose greatest value does. */
  readonly keep: Preference | { readonly field: string };
  /** Where the corpus goes: a file, a folder, `-`. */
  readonly kept: string;
  /** Where the lines of what goes are written. */
  readonly removed: string;
  /** Another corpus, whose documents stay; what is like them goes. */
  readonly against: { readonly path: string; readonly isAlone: boolean } | null;
  /** What the process may take; half of the machine's unless told. */
  readonly memoryBytes?: number;
  /** What is found stays there; null: beside the file of what goes, until all is done. */
  readonly work: string | null;
}

export type DedupeProgress =
  | ClusterProgress
  /** Lines of what goes. */
  | { readonly phase: 'removals'; readonly done: number }
  /** Bytes of the inputs; 0: not known. */
  | { readonly phase: 'copying'; readonly done: number; readonly of: number };

export interface DedupeRun {
  readonly sources: IngestSources;
  readonly signal: AbortSignal;
  readonly stdout: WriteBytes;
  progress(told: DedupeProgress): void;
  /** What finding takes, before it begins, and when documents were read. */
  needs?(needs: ClusterNeeds): void;
}

/** What it came to. */
export interface DedupeReport {
  readonly threshold: number;
  readonly by: Likeness;
  readonly content: ContentChoice;
  /** Of the contents, where documents were compared by them. */
  readonly contents?: ContentsTold;
  /** Share of the pairs with just this likeness that were compared: a lower bound, or an estimate if pairs were left out. */
  readonly recallAtLeast: number;
  /** Different sets of shingles of which pairs were left out; null where none were. */
  readonly leftOut: number | null;
  /** Records of the inputs, and those that are documents. */
  readonly records: number;
  readonly documents: number;
  /** Documents of the other corpus; null: there is none. */
  readonly against: number | null;
  /** Records that were copied. */
  readonly kept: number;
  readonly removed: Readonly<Record<RemovedLine['reason'], number>>;
  /** Records without a document, by why. They are kept. */
  readonly notJudged: Readonly<Record<string, number>>;
  /** Records to be kept that cannot be copied, since they are damaged. */
  readonly lost: number;
  /** Records of archives that went with the document that they belong to. */
  readonly companions: number;
  /** Of the kept corpus. */
  readonly bytes: number;
  readonly phasesMs: Readonly<Record<string, number>>;
}

/** Where a record is: in which file, and which record of that, from 0; blank lines are none. */
export interface RecordPlace {
  readonly input: string;
  readonly record: number;
}

/** A record that goes, and the document that stays for it. */
export interface RemovedLine extends Omit<RemovalLine, 'reason' | 'record' | 'keptRecord'>, RecordPlace {
  readonly keptInput: string;
  readonly keptRecord: number;
  /** `revisit`: it has no text, and says that its URL held that of a record which goes. Shares are those of that one. */
  readonly reason: RemovalLine['reason'] | 'revisit';
}
