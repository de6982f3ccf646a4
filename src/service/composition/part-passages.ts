import { createFingerprintIndex } from '../../core/compare/fingerprint-index.ts';
import { type ClaimedPassage, claimPassages } from '../../core/composition/claimed-passages.ts';
import { type Run, runsOf, wordsOfRun } from '../../core/composition/quoted-runs.ts';
import { textFragment, titleBytes } from '../../core/passages/passage-link.ts';
import { findPassages } from '../../core/passages/passages.ts';
import { codeUnitSteps } from '../../core/text/code-units.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { LimitReached } from '../api.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import {
  cutOf,
  LINK_CHARACTERS_MAX,
  linkable,
  QUOTED_CHARACTERS_MAX,
  sequenceText,
} from '../similar/match-passages.ts';
import type { CompositionOptions, CompositionPassage } from './composition-shapes.ts';
import type { CoveredPart } from './cover-parts.ts';

/*
 * Which passage of a text is from which part, in the text's own words. Of the runs that the parts share, each place is given to
 * the part with the longest one there (core/composition/claimed-passages.ts).
 */

/** Passages shown: of more the longest are. */
const SHOWN_MAX = 500;
/** Runs of one part that take part: of more the longest do. */
const RUNS_MAX = 1000;
/** Bytes of a text around a passage that a link is made by: where a word ends may depend on them. */
const AROUND_BYTES = 128;
/** A link names words at either end; of a passage with more bytes none is made. */
const LINKED_BYTES_MAX = 64 * 1024;
/** What is trimmed of a passage that begins or ends where another one does. */
const EDGES = [/^[^\p{L}\p{N}\p{M}]+/u, /[^\p{L}\p{N}\p{M}]+$/u];

/** @returns `passages`: null where the text is not at hand */
export async function partPassages(
  context: QueryContext,
  query: Query,
  parts: readonly CoveredPart[],
  find: CompositionOptions['find'],
): Promise<{ readonly passages: readonly CompositionPassage[] | null; readonly limits: readonly LimitReached[] }> {
  const text = query.document?.text ?? null;
  if (text === null) {
    const { length } = parts;
    return {
      passages: null,
      limits: length === 0 ? [] : [{ code: 'passages-need-text', affected: length, of: length }],
    };
  }
  if (parts.length === 0) return { passages: [], limits: [] };
  const { runs, limits } =
    find === 'quotations' ? { runs: parts.map((part) => part.runs), limits: [] } : await runsIn(context, text, parts);
  const { shingleSize } = context.identity.fingerprint;
  const claimed = claimPassages(runs, Math.min(shingleSize, query.tokenCount));
  const shown = longest(claimed, SHOWN_MAX).toSorted((a, b) => a.start - b.start);
  const trimmed = shown.map((passage) => trim(text, passage));
  const units = await inTurns(codeUnitSteps(text), context.turns);
  const titleEnd = titleBytes(text, query.document?.title ?? null);
  const passages: CompositionPassage[] = [];
  for (const passage of trimmed) {
    if (context.turns.spent()) await context.turns.next();
    const { part, alsoIn, exact, start, end } = passage;
    passages.push({
      ...{ from: units.before(start), to: units.before(end), part, alsoIn, tokens: wordsOfRun(passage), exact },
      text: quoted(text.subarray(start, end)),
      link: linkTo(context, text, passage, titleEnd, linkable(parts[part]!.list.sources)),
    });
  }
  const left = claimed.length - shown.length;
  const more: LimitReached[] = left === 0 ? [] : [{ code: 'passages', affected: left, of: claimed.length }];
  return { passages, limits: [...limits, ...more] };
}

async function runsIn(context: QueryContext, whole: Uint8Array, parts: readonly CoveredPart[]) {
  const sequenced = await sequenceText(context, whole);
  const { text, sequence } = sequenced;
  const piece = { from: 0, to: text.length, firstToken: 0, sequence };
  const runs: Run[][] = [];
  for (const { sample, modulus } of parts) {
    if (context.turns.spent()) await context.turns.next();
    context.deadline.throwIfGivenUp();
    runs.push(runsOf(piece, findPassages(sequence, createFingerprintIndex(sample), modulus, RUNS_MAX)));
  }
  return { runs, limits: cutOf(sequenced) };
}

function longest<T extends Run>(passages: readonly T[], most: number): readonly T[] {
  if (passages.length <= most) return passages;
  return passages.toSorted((a, b) => wordsOfRun(b) - wordsOfRun(a)).slice(0, most);
}

/** A rest of a run begins or ends where another passage does: with what stands between them. */
function trim(text: Uint8Array, passage: ClaimedPassage): ClaimedPassage {
  if (passage.isWhole) return passage;
  const spelled = new TextDecoder('utf-8', { ignoreBOM: true }).decode(text.subarray(passage.start, passage.end));
  const [before = '', behind = ''] = EDGES.map((edge) => edge.exec(spelled)?.[0]);
  const bytes = (part: string) => new TextEncoder().encode(part).length;
  return { ...passage, start: passage.start + bytes(before), end: passage.end - bytes(behind) };
}

/** Of a long passage its beginning and its end. */
function quoted(bytes: Uint8Array): string {
  const half = QUOTED_CHARACTERS_MAX / 2;
  const decode = (part: Uint8Array) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(part);
  // a character has four bytes at the most
  if (bytes.length <= 8 * half) {
    const text = decode(bytes);
    if (text.length <= 2 * half) return text;
    return `${text.slice(0, half).toWellFormed()} … ${text.slice(-half).toWellFormed()}`;
  }
  const [head, tail] = [decode(bytes.subarray(0, 4 * half + 4)), decode(bytes.subarray(-4 * half - 4))];
  return `${head.slice(0, half).toWellFormed()} … ${tail.slice(-half).toWellFormed()}`;
}

function linkTo(
  { sketcher }: QueryContext,
  text: Uint8Array,
  { start, end, firstToken, lastToken, headLast, tailFirst, isWhole, exact }: ClaimedPassage,
  titleEnd: number,
  url: string | null,
): string | null {
  if (url === null || end - start > LINKED_BYTES_MAX) return null;
  // of a rest it is not known which of its words were seen together
  if (!isWhole && !exact) return null;
  let from = Math.max(0, start - AROUND_BYTES);
  while (from < start && (text[from]! & 0xc0) === 0x80) from++;
  let to = Math.min(text.length, end + AROUND_BYTES);
  while (to < text.length && (text[to]! & 0xc0) === 0x80) to++;
  const around = text.subarray(from, to);
  const sequence = sketcher.sequence(around);
  const first = sequence.tokenStarts.indexOf(start - from);
  const last = sequence.tokenEnds.lastIndexOf(end - from);
  // the words around it make others of them here
  if (first < 0 || last - first !== lastToken - firstToken) return null;
  const local = { firstToken: first, lastToken: last, words: last - first + 1, exact };
  const seen = { headLast: first + headLast - firstToken, tailFirst: first + tailFirst - firstToken };
  const fragment = textFragment(around, sequence, { ...local, ...seen }, Math.max(0, titleEnd - from));
  return fragment === null || url.length + fragment.length > LINK_CHARACTERS_MAX ? null : url + fragment;
}
