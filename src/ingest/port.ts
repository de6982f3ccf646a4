import type { BulkOperation } from '../service/api.ts';

/*
 * From files to records: what every reader gives, whatever it reads.
 *
 *   file, folder, standard input ── opened, unpacked ── reader of its kind ── items ── service.bulk, or service.put
 *                                                                                         with a fetch
 *
 * A reader never ends in the middle because of what it reads: what cannot be used is an item too, and says why.
 */

/** Where to go on, after an item. Plain data, kept in a file from one run to the next. */
export interface Position {
  /** Which of the inputs it is of, from 0; readers of one file do not say. */
  readonly input?: number;
  /** As it was named or found; `-`: standard input. */
  readonly file: string;
  /** Bytes of the file as it lies there, packed or not, before a place at which reading may begin. */
  readonly byte: number;
  /** Records between that place and here: read again, and passed over. */
  readonly skip: number;
  /** Records of the file before here. */
  readonly record: number;
}

/** A record, in its order. */
export type IngestItem = {
  /** As a person finds it: `line 12`, `row 3`, `record at byte 4711`. */
  readonly at: string;
  /** Where the next one begins. */
  readonly next: Position;
  /** Bytes of the record, unpacked. */
  readonly bytes: number;
  /** Where it lies; null or absent where the reader was not to say so. */
  readonly span?: Span | null;
  /** Of a file in a folder, where {@link IsAsBefore} was asked; null: it changed so lately that its mark proves nothing. */
  readonly mark?: FileMark | null;
} & (
  | { readonly operation: BulkOperation }
  /**
   * A URL that a list names: its document is to be fetched. `lastModified`: what the list says, ms since 1970. `isNamed`:
   * no list names it, but the command line.
   */
  | { readonly wanted: string; readonly lastModified: number | null; readonly isNamed?: boolean }
  /** Another list, that a list names. */
  | { readonly list: string; readonly lastModified: number | null }
  /** A file in a folder that is as it was when it was read before; it was not read again. */
  | { readonly asBefore: true; readonly url: string }
  /** `hides`: it is a folder, or a whole input, whose files are therefore unknown. */
  | { readonly refused: RefusedReason; readonly detail: string; readonly url: string | null; readonly hides?: true }
);

/** What tells whether a file has changed. */
export interface FileMark {
  /** Bytes, packed or not, as it lies there. */
  readonly size: number;
  /** Last change, ms since 1970, with a fraction. */
  readonly mtimeMs: number;
}

/** Whether a file in a folder is as it was when it was read before. @param file as positions name it */
export type IsAsBefore = (url: string, file: string, mark: FileMark) => boolean;

/** A record among the bytes of its file, unpacked: the first, and the one behind the last. They never overlap. */
export interface Span {
  readonly start: number;
  /** Infinity: nothing of the file that comes behind can be read. */
  readonly end: number;
  /** Whether it cannot stand in another file: bytes are missing in it, or it has no end of its own. */
  readonly isLost: boolean;
}

export type RefusedReason =
  | 'damaged' // packed bytes, or the form of an archive: what follows was found again
  | 'malformed' // no JSON, no row, no header
  | 'too-large' // a line, a record, what it unpacks to
  | 'no-url'
  | 'no-text'
  | 'bad-field' // a date, a status, meta
  | 'unusable-type' // pictures and the like
  | 'no-document' // a record of an archive that is no answer with a document: a request, metadata, a redirect
  | 'unreadable'; // the file, or the rest of it

/** Bytes of one file, unpacked, and where they come from. */
export interface OpenedBytes {
  readonly file: string;
  readonly chunks: AsyncIterable<UnpackedChunk>;
  /** Whether records are only to be found, from the beginning on: items say where they lie, not what they are. */
  readonly isTraced?: boolean;
  /** Where a byte that was decoded lies in the file; chunks of a file that is not packed tell places in what was decoded. */
  readonly placeOf?: (byte: number) => number;
}

export interface UnpackedChunk {
  readonly bytes: Uint8Array;
  /** Of the packed file: where the member or frame begins that the chunk is of; of a plain file, where the chunk begins. */
  readonly byte: number;
  /** Whether the chunk is the first of a member or frame; plain files have none. */
  readonly begins: boolean;
  /** Of the packed file: behind the member, where the chunk is all of it. */
  readonly end?: number;
  /** Where packed bytes before this chunk were damaged and passed over: what is missing, and where. The last has no bytes. */
  readonly damage: string | null;
  /** Where there is damage: whether the last bytes before this chunk are those that the damaged member gave. */
  readonly isTorn?: boolean;
  /** Whether a checksum of the packed file has proven the chunk. */
  readonly isProven?: boolean;
}

/** Items in their order, some at a time: a promise for each would cost about as much as reading it. */
export type ItemRuns = AsyncGenerator<readonly IngestItem[], void, undefined>;

/**
 * Reads one file from a position on, whose chunks begin at `from.byte`; null: from its beginning. Throws nothing but what
 * reading the file itself throws.
 */
export type SourceReader = (bytes: OpenedBytes, from: Position | null) => ItemRuns;
