import type { Buffer } from 'node:buffer';
import type { Dialect } from './dialect.ts';

export interface SplitRow {
  /** With its line end; null: given up. */
  readonly bytes: Buffer | null;
  readonly fault: RowFault | null;
  /** How many rows it stands for: all of them are blank; absent: 1. */
  readonly blank?: number;
  /** Behind it. */
  readonly end: number;
}

export interface RowFault {
  readonly is: 'open-quote' | 'too-large' | 'too-wide';
  /** How the line begins. */
  readonly begin: string;
}

export const [LF, CR] = [0x0a, 0x0d];

/** What a byte may be outside of quotes. */
export const [PLAIN, LINE_END, DELIMITER, QUOTE] = [0, 1, 2, 3];
const ESCAPE = 4;

/** What each byte is in a dialect; its quote and escape, -1 if it has none. */
export function byteKindsOf({ delimiter, quote, escapedBy }: Dialect) {
  const kinds = new Uint8Array(256);
  const quoteByte = quote === null ? -1 : quote.charCodeAt(0);
  const escapeByte = escapedBy === null || escapedBy === quote ? -1 : escapedBy.charCodeAt(0);
  kinds[LF] = LINE_END;
  kinds[CR] = LINE_END;
  kinds[delimiter.charCodeAt(0)] = DELIMITER;
  if (quoteByte >= 0) kinds[quoteByte] = QUOTE;
  if (escapeByte >= 0) kinds[escapeByte] = ESCAPE;
  return { kinds, quote: quoteByte, escapedBy: escapeByte };
}

/** Bytes of a line that is given up, by which it is named. */
const BEGIN_BYTES = 160;

/** @param line that is given up */
export function faultOf(is: RowFault['is'], line: Buffer): RowFault {
  return { is, begin: line.toString('utf8', 0, BEGIN_BYTES).trim() };
}

export interface Piece {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** `passed`: a line before the head of the table. */
export type State = 'begin' | 'plain' | 'quoted' | 'closed' | 'passed' | 'lost';

const HASH = 0x23;
/** The byte order mark that a file may begin with: a quote behind it opens the first field. */
const MARK: readonly number[] = [0xef, 0xbb, 0xbf];

/**
 * What a row is by its first byte, which is no character of the dialect.
 *
 * @param isFirst whether it is the first row of the file
 * @param isAhead whether the head has not been met, so that a line may be a comment
 */
export function rowBegun(byte: number, isFirst: boolean, isAhead: boolean): State {
  if (isFirst && MARK.includes(byte)) return 'begin';
  return isAhead && byte === HASH ? 'passed' : 'plain';
}
