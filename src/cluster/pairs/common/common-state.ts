import type { CommonRows } from '../../../core/cluster/common/common-rows.ts';

/** A common list in a file. */
export interface RankedList {
  readonly path: string;
  /** Bytes from its beginning. */
  readonly at: number;
  readonly words: number;
}

/** What threads are told of common lists. Plain data. */
export interface CommonState {
  /** Lists of more nodes are common. */
  readonly listMax: number;
  readonly rows: CommonRows;
  /** By rank. */
  readonly levels: Uint8Array;
  /** Of each node of what it has; empty where no list has pivots. */
  readonly hashes: Uint32Array;
}
