import type { Dialect } from './dialect.ts';
import { CR, LF } from './row-line-ends.ts';

export interface SplitRow {
  /** With its line end; null: given up. */
  readonly bytes: Buffer | null;
  readonly fault: RowFault | null;
  /** Behind it. */
  readonly end: number;
}

export interface RowFault {
  readonly is: 'open-quote' | 'too-large' | 'too-wide';
  /** How the line begins. */
  readonly begin: string;
}

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
