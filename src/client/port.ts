import type {
  BulkLineAnswer,
  BulkOperation,
  CompareAnswer,
  CompareRequest,
  DocumentReference,
  ForgetAnswer,
  ForgetOptions,
  HostChangesAnswer,
  HostsAnswer,
  ListAnswer,
  MatchOptions,
  PageRequest,
  PutAnswer,
  PutRequest,
  Selection,
  SimilarAnswer,
  StatsAnswer,
  VersionsAnswer,
} from '../service/api.ts';
import type { ClusterAnswer, ClusterRequest } from '../service/clusters/cluster-api.ts';
import type { CompositionAnswer, CompositionOptions } from '../service/composition/composition-shapes.ts';
import type { MovedAnswer, MovedLineAnswer, MovedRequest } from '../service/moved/moved-api.ts';

/**
 * What commands ask of an index, whoever holds it: this process, which opened its folder, or a service elsewhere. Throws
 * ShingledError with the same codes either way; `service-unreachable` where there is none at the address.
 */
export interface IndexAccess {
  /** As messages name it: a folder or an address. */
  readonly place: string;
  /**
   * Writes many lines; answers come in their order. Lines that were answered are on disk once {@link durable} has resolved.
   * A line that fails fails alone.
   */
  bulk(lines: AsyncIterable<WantedLine>): AsyncIterable<BulkLineAnswer>;
  /** Makes durable what was answered so far. @throws ShingledError `storage-full` where some of it is lost */
  durable(): Promise<void>;
  put(request: PutRequest): Promise<PutAnswer>;
  /** When a URL was seen last, ms since 1970; null where it is not known. */
  lastSeen(url: string): Promise<number | null>;
  similar(reference: DocumentReference, options: MatchOptions): Promise<SimilarAnswer>;
  /** Lines as POST /similar takes and answers them, without the summary; blank ones count. */
  similarLines(lines: AsyncIterable<string>): AsyncIterable<string>;
  composition(reference: DocumentReference, options: CompositionOptions): Promise<CompositionAnswer>;
  compare(request: CompareRequest): Promise<CompareAnswer>;
  /** @param question what POST /compare takes, not looked at yet */
  compareAsked(question: unknown): Promise<CompareAnswer>;
  moved(request: MovedRequest): Promise<MovedAnswer>;
  /** Answers in the order of the requests; `line` is the place of each, from 1. */
  movedLines(requests: AsyncIterable<MovedRequest>): AsyncIterable<MovedLineAnswer>;
  cluster(request: ClusterRequest): Promise<ClusterAnswer>;
  stats(): Promise<StatsAnswer>;
  list(selection: Selection, page: PageRequest): Promise<ListAnswer>;
  countByHost(selection: Selection, page: PageRequest): Promise<HostsAnswer>;
  versions(url: string, page: PageRequest): Promise<VersionsAnswer>;
  changesByHost(selection: Selection, page: PageRequest): Promise<HostChangesAnswer>;
  /** Lines of JSON, one a document, without the summary. */
  exportLines(selection: Selection): AsyncIterable<string>;
  forgetSelected(selection: Selection, options: ForgetOptions): Promise<ForgetAnswer>;
  close(): Promise<void>;
}

/** What is asked of an index by who only writes to it. */
export interface FillAccess extends Pick<IndexAccess, 'bulk' | 'durable' | 'put' | 'lastSeen' | 'close'> {
  /** How the first load goes that fills it; absent where none does. */
  readonly firstLoad?: FirstLoadState;
  /**
   * Before anything is written: the first load sets checkpoints, from which it goes on.
   *
   * @param note asked for each, when all answers were taken, what it keeps beside; null: no checkpoint now
   */
  keepFirstLoad?(note: () => string | null): void;
}

export interface FirstLoadState {
  /** Until then nothing is that was answered; for ever not where it failed. */
  readonly isKept: boolean;
  /** What was kept with its last checkpoint, by an earlier process or this one; null if there is none. */
  readonly note: string | null;
  readonly phase: 'kept' | 'documents' | 'rows' | 'postings';
  /** Of the phase: documents that were kept, or taken in; rows or postings. */
  readonly done: number;
  /** null: nobody knows. */
  readonly of: number | null;
  /** Where it is made: who deletes it throws the load away. */
  readonly folder: string;
  /** That the disk had free when it began, and has; null: it does not say. */
  readonly freeBytesAtBegin: number | null;
  readonly freeBytes: number | null;
  /** How long it took to sort postings and to write rows, after all documents were taken in. */
  readonly phasesMs: { readonly sorting: number; readonly writing: number };
}

export interface WantedLine {
  readonly line: number;
  readonly operation: BulkOperation;
}
