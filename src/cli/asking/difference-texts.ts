import type { CompareAnswer } from '../../service/api.ts';
import type { Span, SpanKind, SpannedText } from '../../service/comparison-api.ts';
import { lineOf } from './share-texts.ts';

/*
 * What two texts have in common and what not, as a person reads it. What both have comes in its order, and between it what
 * only one has, first of a, then of b.
 *
 *     It was the age of                  both have it
 *   - wisdom,                            only a
 *   + iron and gold,                     only b
 *   < the spring of hope                 a has it here, b elsewhere
 *   > the spring of hope                 b has it here, a elsewhere
 */

const MARKS: { readonly [kind in SpanKind]: readonly [inA: string, inB: string] } = {
  common: ['  ', '  '],
  moved: ['< ', '> '],
  repeated: ['- ', '+ '],
  only: ['- ', '+ '],
  unread: ['? ', '? '],
};
/** A longer piece is shown by its ends. */
const SHOWN_CHARACTERS_MAX = 160;

/** Empty where differences were not asked for. */
export function differencesText({ differences, a, b }: CompareAnswer): string {
  if (differences === undefined) return '';
  if (differences === null) {
    const names = [a, b].flatMap(({ from }, i) => (from === 'index' ? ['ab'[i]!] : []));
    return `differences need both texts, and the index keeps none: of ${names.join(' and ')} give a file, or --fetch always\n`;
  }
  const lines = ['', '  in both, - only in a, + only in b, < moved from here, > moved to here'];
  const inA = differences.a.spans.map((_, at) => linesOf(differences.a, at, 0));
  const inB = differences.b.spans.map((_, at) => linesOf(differences.b, at, 1));
  let [nextA, nextB] = [0, 0];
  const tellUpTo = (toA: number, toB: number) => {
    lines.push(...inA.slice(nextA, toA).flat(), ...inB.slice(nextB, toB).flat());
  };
  for (const [at, { kind, partner }] of differences.b.spans.entries()) {
    if (kind !== 'common' || partner === null) continue;
    tellUpTo(partner, at);
    lines.push(...inB[at]!);
    [nextA, nextB] = [partner + 1, at + 1];
  }
  tellUpTo(inA.length, inB.length);
  if (!differences.complete) lines.push('  Not all was compared.');
  return `${lines.join('\n')}\n`;
}

function linesOf({ spans, text = '' }: SpannedText, at: number, side: 0 | 1): string[] {
  const span = spans[at]!;
  const shown = span.kind === 'unread' ? [unreadText(span)] : piecesOf(text.slice(span.from, span.to));
  return shown.map((piece) => `${MARKS[span.kind][side]}${piece}`);
}

const unreadText = ({ from, to }: Span) => `${to - from} characters that were not compared`;

function piecesOf(text: string): string[] {
  const line = lineOf(text);
  if (line === '') return [];
  if (line.length <= SHOWN_CHARACTERS_MAX) return [line];
  const half = SHOWN_CHARACTERS_MAX / 2;
  return [`${line.slice(0, half).toWellFormed().trim()} … ${line.slice(-half).toWellFormed().trim()}`];
}
