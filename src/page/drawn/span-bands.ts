import type { Span, SpannedText } from 'shingled/types';

/*
 * The map between two texts. For each span that both have there is a band from its place on the left to its place on the
 * right; whatever is in one only is bare. Places are shares of the whole text, 0 at its top and 1 at its end.
 */

export interface Band {
  readonly kind: 'common' | 'moved';
  readonly left: readonly [from: number, to: number];
  readonly right: readonly [from: number, to: number];
}

/**
 * The bands between two texts, in the order of the left one.
 *
 * @param most so many, the largest ones, where there are more: what is thinner cannot be seen
 */
export function bandsOf(a: SpannedText, b: SpannedText, most: number): Band[] {
  const bands = a.spans.flatMap((span): Band[] => {
    const partner = span.partner === null ? undefined : b.spans[span.partner];
    if (partner === undefined || (span.kind !== 'common' && span.kind !== 'moved')) return [];
    return [{ kind: span.kind, left: placeIn(a, span), right: placeIn(b, partner) }];
  });
  if (bands.length <= most) return bands;
  const least = bands.map(heightOf).sort((x, y) => y - x)[most - 1]!;
  return bands.filter((band) => heightOf(band) >= least).slice(0, most);
}

const heightOf = ({ left, right }: Band) => left[1] - left[0] + right[1] - right[0];

function placeIn({ characters }: SpannedText, { from, to }: Span): [number, number] {
  return characters === 0 ? [0, 0] : [from / characters, to / characters];
}

/** Positions of the spans of a text that the other one has not in the same order, next to one another counted once. */
export function changesIn({ spans }: SpannedText): number[] {
  return spans.flatMap(({ kind }, at) =>
    kind !== 'common' && (at === 0 || spans[at - 1]!.kind === 'common') ? [at] : [],
  );
}
