import { type MainRun, mainRunSteps } from '../../core/content/main-runs.ts';
import type { MarkedDocument } from '../../core/content/own-content.ts';
import { compareTextSteps, type Stretch } from '../../core/differences/compare-texts.ts';
import type { WordedSequence } from '../../core/differences/shared-windows.ts';
import { wordedTextSteps } from '../../core/differences/worded-text.ts';
import { createSketcher } from '../../core/sketch/sketch.ts';
import { characterStart, codeUnitSteps } from '../../core/text/code-units.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { LimitReached } from '../api.ts';
import type { Differences, Span, SpannedText } from '../comparison-api.ts';
import type { TimedContext } from '../context.ts';
import type { Query } from '../document/query.ts';

/*
 * What two documents in hand have in common and what not, for a page to draw.
 *
 *   text        | It was the age of | wisdom, | it was the age of … |            as it was extracted
 *   stretches   | common            | only    | common              |            core/differences/, by words
 *   spans       0                   18        26                                 to where the next one's first word begins
 *
 * Of a long text the first DIFFERENCES_TEXT_BYTES_MAX are compared; by the deadline everything is, or nothing.
 */

/** How far back from where a long text is cut a space is looked for, so that no word is cut in two. */
const CUT_BYTES = 4096;
const SPACES: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09]);

/** A text as far as it is compared. */
interface ReadText {
  readonly whole: Uint8Array;
  readonly part: Uint8Array;
  /** Which of its shingles are main. */
  readonly marks: Pick<MarkedDocument, 'sample' | 'main'>;
}

/** @returns null where a text is not at hand, or they were not asked for */
export async function differencesBetween(
  context: TimedContext,
  a: Query,
  b: Query,
  { texts = false }: { readonly texts?: boolean },
): Promise<{ differences: Differences | null; limits: readonly LimitReached[] }> {
  const { differencesTextBytesMax: bytesMax, differencesSpansMax: spansMax } = context.limits;
  const [wholeA, wholeB] = [a.document?.text ?? null, b.document?.text ?? null];
  if (wholeA === null || wholeB === null) {
    const affected = Number(wholeA === null) + Number(wholeB === null);
    return { differences: null, limits: [{ code: 'differences-need-text', affected, of: 2 }] };
  }
  const [textA, textB] = [readPart(wholeA, bytesMax, a), readPart(wholeB, bytesMax, b)];
  const found = await findStretches(context, textA, textB);
  const limits: LimitReached[] = found === null ? [{ code: 'deadline', affected: 2, of: 2 }] : [];
  const of = wholeA.length + wholeB.length;
  const unread = of - textA.part.length - textB.part.length;
  if (unread > 0) limits.push({ code: 'differences-text', affected: unread, of });
  const stretches = (found?.a.stretches.length ?? 0) + (found?.b.stretches.length ?? 0);
  const place = (text: ReadText, of: Found | null) => inTurns(placeSteps(text, of, spansMax), context.turns);
  const [placedA, placedB] = [await place(textA, found?.a ?? null), await place(textB, found?.b ?? null)];
  const left = [placedA, placedB].reduce((sum, { leftOut }) => sum + leftOut, 0);
  if (left > 0) limits.push({ code: 'differences-spans', affected: left, of: stretches });
  const differences = {
    complete: limits.length === 0,
    a: await spanned(context, textA, placedA, placedB, texts),
    b: await spanned(context, textB, placedB, placedA, texts),
  };
  return { differences, limits };
}

function readPart(whole: Uint8Array, bytesMax: number, { sample, main }: Query): ReadText {
  // a document in hand was read
  const marks = { sample, main: main === 'not-read' ? null : main };
  if (whole.length <= bytesMax) return { whole, part: whole, marks };
  let end = bytesMax;
  while (end > bytesMax - CUT_BYTES && !SPACES.has(whole[end - 1]!)) end--;
  if (end === bytesMax - CUT_BYTES) end = characterStart(whole, bytesMax);
  return { whole, part: whole.subarray(0, end), marks };
}

/** The stretches of a text, and where its words begin, in bytes. */
interface Found {
  readonly stretches: readonly Stretch[];
  readonly tokenStarts: Uint32Array;
  /** Where its main text stands, in bytes; null where all of it is. */
  readonly main: readonly MainRun[] | null;
}

/** @returns null where the deadline came first */
async function findStretches(context: TimedContext, a: ReadText, b: ReadText): Promise<{ a: Found; b: Found } | null> {
  // one of its own, of which nobody asks anything between the steps
  const sketcher = createSketcher(context.identity.fingerprint);
  function* steps() {
    const wordedA = yield* wordedTextSteps(sketcher, a.part);
    const wordedB = yield* wordedTextSteps(sketcher, b.part);
    const stretches = yield* compareTextSteps(wordedA, wordedB);
    const [mainA, mainB] = [yield* mainSteps(wordedA, a), yield* mainSteps(wordedB, b)];
    return {
      a: { stretches: stretches.a, tokenStarts: wordedA.sequence.tokenStarts, main: mainA },
      b: { stretches: stretches.b, tokenStarts: wordedB.sequence.tokenStarts, main: mainB },
    };
  }
  return inTime(steps(), context);
}

function* mainSteps({ sequence }: WordedSequence, { marks }: ReadText): Generator<undefined, Found['main']> {
  const runs = yield* mainRunSteps(sequence, marks);
  const { tokenStarts, tokenEnds } = sequence;
  return runs?.map(({ from, to }) => ({ from: tokenStarts[from]!, to: tokenEnds[to - 1]! })) ?? null;
}

async function inTime<T>(steps: Generator<undefined, T>, { turns, deadline }: TimedContext): Promise<T | null> {
  for (;;) {
    if (turns.spent()) await turns.next();
    deadline.throwIfGivenUp();
    if (deadline.passed) return null;
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The stretches that are shown of a text, with the byte at which each begins. */
interface Placed {
  readonly shown: readonly Stretch[];
  readonly starts: readonly number[];
  /** The byte at which what is not shown begins. */
  readonly end: number;
  readonly leftOut: number;
  /** Of each stretch the position among those shown, or null. */
  readonly positions: readonly (number | null)[];
  readonly main: Found['main'];
}

/** Stretches that are placed in one step: a ms or two. */
const STEP_STRETCHES = 2 ** 13;

function* placeSteps({ part }: ReadText, found: Found | null, spansMax: number): Generator<undefined, Placed> {
  const shown: Stretch[] = [];
  const starts: number[] = [];
  const positions: (number | null)[] = [];
  const { stretches, tokenStarts } = found === null ? NOTHING_FOUND : found.stretches.length > 0 ? found : WORDLESS;
  let end = found === null ? 0 : part.length;
  let leftOut = 0;
  for (const [i, stretch] of stretches.entries()) {
    if (i % STEP_STRETCHES === STEP_STRETCHES - 1) yield;
    const start = i === 0 ? 0 : tokenStarts[stretch.from]!;
    const next = stretches[i + 1] === undefined ? part.length : tokenStarts[stretch.to]!;
    // words of one character, such as those of ½, begin at one place
    if (start >= next) positions.push(null);
    else if (shown.length === spansMax) {
      if (leftOut === 0) end = start;
      leftOut++;
      positions.push(null);
    } else {
      positions.push(shown.push(stretch) - 1);
      starts.push(start);
    }
  }
  const main = found?.main ?? null;
  return { shown, starts, end, leftOut, positions, main: main !== null && main.length > spansMax ? null : main };
}

const NOTHING_FOUND: Found = { stretches: [], tokenStarts: new Uint32Array(0), main: null };
/** A part without any word is one stretch all the same: nothing of it is in the other text. */
const WORDLESS: Found = { ...NOTHING_FOUND, stretches: [{ kind: 'only', from: 0, to: 0, partner: null }] };

async function spanned(
  { turns }: TimedContext,
  { whole, part }: ReadText,
  { shown, starts, end, main }: Placed,
  other: Placed,
  withText: boolean,
): Promise<SpannedText> {
  const units = await inTurns(codeUnitSteps(whole), turns);
  const places = [...starts, end].map(units.before);
  const characters = units.length;
  const spans: Span[] = [];
  for (const [i, { kind, partner }] of shown.entries()) {
    const position = partner === null ? null : other.positions[partner]!;
    spans.push({ kind, from: places[i]!, to: places[i + 1]!, partner: position });
  }
  const read = places.at(-1)!;
  if (read < characters) spans.push({ kind: 'unread', from: read, to: characters, partner: null });
  if (turns.spent()) await turns.next();
  return {
    characters,
    ...(withText ? { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(part) } : {}),
    spans,
    main: main?.map(({ from, to }) => ({ from: units.before(from), to: units.before(to) })) ?? null,
  };
}
