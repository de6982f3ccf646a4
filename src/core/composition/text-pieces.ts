import type { ShingleSequence } from '../sketch/sketch.ts';

/*
 * A text of any length, a piece at a time: its windows in order, a few thousand of them in each. So no more of it is in
 * memory at once, and a short quotation is much of a piece whatever the text is.
 *
 *   tokens     0 ………………………… 99 | 100        a word that may go on behind the end of a piece is not believed
 *   piece 1    [----------------)
 *   piece 2              [----------------)    begins `overlap` windows before the first that piece 1 does not have: what is
 *   piece 3                        [----…      no longer than that lies within one piece
 *
 * Cost: that of sketching, and (overlap / windows of a piece) of it again.
 */

export interface TextPiece {
  /** Where in the text its bytes begin, and where they end. */
  readonly from: number;
  readonly to: number;
  /** Which of the text's tokens its first is. */
  readonly firstToken: number;
  /** Offsets count from the piece's first byte. */
  readonly sequence: ShingleSequence;
}

/**
 * @param text UTF-8
 * @param sequenceOf what a sketcher makes of a text
 * @param bytes of a piece, about; more where a few words are longer than that
 * @param bytesMost of a piece: where a few words have more, as what is no text has, they are passed over
 * @param overlap windows of a piece that the next one has, too
 */
export function* textPieces(
  text: Uint8Array,
  sequenceOf: (text: Uint8Array) => ShingleSequence,
  { bytes, bytesMost, overlap }: { readonly bytes: number; readonly bytesMost: number; readonly overlap: number },
): Generator<TextPiece, void> {
  let from = 0;
  let firstToken = 0;
  let size = bytes;
  for (;;) {
    const to = characterAt(text, Math.min(text.length, from + size));
    const sequence = sequenceOf(text.subarray(from, to));
    if (to >= text.length) {
      yield { from, to, firstToken, sequence };
      return;
    }
    const { tokenStarts, fingerprints } = sequence;
    // those that have the last word in them are for the next piece
    const windows = fingerprints.length - 1;
    const next = windows - overlap;
    if (next <= 0) {
      if (size >= bytesMost) {
        from = to;
        firstToken += tokenStarts.length;
        size = bytes;
      } else size = Math.min(bytesMost, 2 * size);
      continue;
    }
    yield { from, to, firstToken, sequence: { ...sequence, fingerprints: fingerprints.subarray(0, windows) } };
    from += tokenStarts[next]!;
    firstToken += next;
    size = bytes;
  }
}

/** The first offset from `at` on where a character of UTF-8 begins. */
function characterAt(text: Uint8Array, at: number): number {
  let edge = at;
  while (edge < text.length && (text[edge]! & 0xc0) === 0x80) edge++;
  return edge;
}
