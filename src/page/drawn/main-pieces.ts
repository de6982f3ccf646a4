import type { SpannedText } from 'shingled/types';

/** A part of a span: of the main text, or beside it. */
export interface SpanPiece {
  readonly from: number;
  readonly to: number;
  readonly isMain: boolean;
}

/** Each span of a text in pieces that are main text or not, in order; where all of it is main, each is one piece. */
export function mainPieces({ spans, main = null }: Pick<SpannedText, 'spans' | 'main'>): readonly SpanPiece[][] {
  let next = 0;
  return spans.map(({ from, to }) => {
    if (main === null) return [{ from, to, isMain: true }];
    const pieces: SpanPiece[] = [];
    let at = from;
    while (at < to) {
      while (next < main.length && main[next]!.to <= at) next++;
      const run = main[next];
      const isMain = run !== undefined && run.from <= at;
      const end = Math.min(to, run === undefined ? to : isMain ? run.to : run.from);
      pieces.push({ from: at, to: end, isMain });
      at = end;
    }
    return pieces;
  });
}
