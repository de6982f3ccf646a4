import type { Span } from '../port.ts';

/** Which records stay. */
export interface Selection {
  /**
   * Asked once of each record that is or may be a document, refused ones too, in the order of the inputs.
   *
   * @param input its number, from 0
   * @param record `next.record` of the item that ingest has for it
   */
  keeps(input: number, record: number): boolean;
  /** Of each input the number of its last record, as it was when this was decided; null: not to be looked at. */
  readonly lastRecords: readonly number[] | null;
}

/** Takes bytes, which may be written over when it is done. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

export interface RewriteTo {
  /** Where `-` goes. */
  readonly stdout: WriteBytes;
  /** Where a record waits that is too large for memory, if the output is no file. */
  readonly temporaryFolder: string;
  /** When it aborts, its reason is thrown, and nothing is left. */
  readonly signal: AbortSignal | null;
  /** Told now and then how far it is: in which input, and at which of its bytes as they lie on the disk. */
  readonly passed: (input: number, byte: number) => void;
}

/** What a copy came to. */
export interface Rewritten {
  /** Records of the inputs; those of archives that are no documents, too. */
  records: number;
  copied: number;
  leftOut: number;
  /** Records to be kept that cannot be: damaged, unreadable, or such as would spoil those behind them. */
  lost: number;
  /** Bytes that were written. */
  bytes: number;
  /** Of each input the number of its last record, as ingest counts them. */
  readonly lastRecords: number[];
}

/** What is known of a copy before it is made. */
export interface RewritePlan {
  /**
   * Reads the inputs again and copies what is kept.
   *
   * @throws ShingledError `input-changed`, `input-unreadable`, `output-exists`, `output-unwritable`; the reason of the signal.
   * Nothing is at the place of the output then, but for what has gone to standard output
   */
  write(selection: Selection, to: RewriteTo): Promise<Rewritten>;
}

/** Where bytes of a copy go: gathered, packed if they are to be, and written. */
export interface Output {
  /** Whether nothing has been added. */
  readonly isEmpty: boolean;
  /** Whether the last byte that was added ends a line. */
  readonly endsLine: boolean;
  /** Takes bytes, which may be written over at once. */
  add(bytes: Uint8Array): void;
  /** The record that was added has ended: a member may, too. */
  endRecord(): void;
  /** Whether so much is held that it is time to settle. */
  readonly isFull: boolean;
  /** Writes most of what it holds. */
  settle(): Promise<void>;
  /** Writes all of it. Nothing is added any more. */
  end(): Promise<void>;
}

/** The same, of members. */
export interface MemberOutput extends Output {
  /** Takes whole members of a file as they lie there, from a byte to another; they are read when it settles or drains. */
  addMembers(read: ReadBytes, from: number, to: number): void;
  /** Writes all that it can without ending a member that may grow. */
  drain(): Promise<void>;
}

/** Fills `into` with the bytes of a file from a place on. @returns how many there were */
export type ReadBytes = (into: Uint8Array, from: number) => Promise<number>;

/** What is done already, or where that has to wait, its end. */
export type Waiting = Promise<unknown> | null;

/** What is done with the records of one file, each in its order. */
export interface Copier {
  /** @param isDamaged whether the reader could not make out what it is */
  take(span: Span, record: number, isDamaged: boolean): Waiting;
  /** The file has ended. */
  end(): Waiting;
}
