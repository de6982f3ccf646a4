import { createFingerprintIndex, fingerprintIndexSteps, STEP_VALUES } from '../../core/compare/fingerprint-index.ts';
import type { NumberedFingerprints } from '../../core/composition/numbered.ts';
import { joinRuns, quotedPassages, type Run, runsOf } from '../../core/composition/quoted-runs.ts';
import { type TextPiece, textPieces } from '../../core/composition/text-pieces.ts';
import { findPassages } from '../../core/passages/passages.ts';
import type { LookUpPlan } from '../../core/query/look-up.ts';
import { FINGERPRINT_BITS, type Sample } from '../../core/sketch/modulus.ts';
import { exactSample } from '../../core/sketch/narrow.ts';
import { ShingledError } from '../../errors.ts';
import { type Deadline, inTime, withDeadline } from '../../sharing/deadline.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { Content } from '../../store/port.ts';
import type { QueryContext } from '../context.ts';
import { type Cover, type CoverOptions, coverText, type FoundContent } from './cover-parts.ts';
import type { ExplainedText, Explainer } from './explained-text.ts';
import { type LookUpTally, lookUp, planKeys } from './looked-up.ts';

/*
 * A text -> the contents that share enough of it, in one of two ways.
 *
 *   sources      the whole text at once. Where more share something than are read, most of those are copies of one another:
 *                what is explained by then is not looked up again, and others come to light
 *   quotations   a piece of the text after the other (core/composition/text-pieces.ts), so that one of 25 words is no smaller
 *                a part of a long text. All of a piece is looked up, and what a content shares of it is a quotation where
 *                it is enough words in one place (core/composition/quoted-runs.ts)
 */

/** Look-ups of one text for sources, each for what those before it left unexplained. */
const ROUNDS_MAX = 4;
/** Of a piece; some 4,000 words, as many as LOOK_UPS_MAX allows. */
const PIECE_BYTES = 20 * 1024;
/** Read on the event loop. */
const PIECE_BYTES_MOST = 256 * 1024;
/** Words by which pieces overlap, beside those of the least quotation. */
const OVERLAP_WORDS = 40;
/** Of the time that is left: what is found is to be told, too. */
const FINDING_PART = 0.75;
/** Passages of one content in a piece: beyond are those of texts that repeat one sentence. */
const PASSAGES_MAX = 1000;

export interface Found {
  readonly contents: readonly FoundContent[];
  /** Pieces that the deadline left out, of how many. */
  readonly left: number;
  readonly of: number;
}

/** @param shared shingles of the text that a content has which is to be found */
export async function findSources(
  context: QueryContext,
  text: ExplainedText,
  shared: number,
  options: CoverOptions,
  tally: LookUpTally,
): Promise<Cover> {
  const { shingleCount, numbers } = text;
  const found = new Map<string, FoundContent>();
  let plan = await planKeys(context, { ...text, sample: exactSample(text.sample) }, false);
  let left = shingleCount;
  let digest: string | null = text.shingleDigest;
  let before: Cover | null = null;
  for (let round = 1; ; round++) {
    const asked = { shingleCount: left, shingleDigest: digest, shared };
    const sharing = async () => {
      const lookedUp = await lookUp(context, plan, asked, tally);
      const unknown = lookedUp.records.filter(({ id }) => !found.has(id));
      return { ...lookedUp, unknown, explainers: await text.explainersOf(unknown) };
    };
    const read = before === null ? await sharing() : await inTime(sharing, context.deadline);
    if (read === null) return { ...before!, isLate: true };
    for (const [i, record] of read.unknown.entries()) {
      if (context.turns.spent()) await context.turns.next();
      const explainer = read.explainers[i]!;
      if (explainer === null) continue;
      const covered = numbers.numbersIn(explainer.sample);
      found.set(record.id, { ...explainer, record, covered, runs: [], quoted: null });
    }
    const cover = await coverText(context, numbers, [...found.values()], options);
    const rest = read.isCut && round < ROUNDS_MAX && !cover.isLate && !cover.more ? restOf(plan, numbers, cover) : null;
    if (rest === null) {
      read.note();
      return cover;
    }
    before = cover;
    plan = rest;
    left = Math.max(plan.keys.length, Math.round(shingleCount * (1 - cover.covered / cover.sampled)), 1);
    digest = null;
  }
}

/** The keys that no part has; null where that is none, or all. */
function restOf(plan: LookUpPlan, text: NumberedFingerprints, { parts }: Cover): LookUpPlan | null {
  const isCovered = new Uint8Array(text.size);
  for (const { covered } of parts) for (const number of covered) isCovered[number] = 1;
  const numbers = text.numbersOf(plan.keys);
  const keys = plan.keys.filter((_, i) => isCovered[numbers[i]!] !== 1);
  if (keys.length === 0 || keys.length === plan.keys.length) return null;
  return { ...plan, keys, keysWanted: plan.keysWanted - plan.keys.length + keys.length };
}

/** What was found so far of a quoted content. */
interface Quoted extends Explainer {
  readonly record: Content;
  readonly runs: Run[];
  /** The fingerprints of all words of its quotations that are 0 mod `toldAt`: its record tells of these only. */
  readonly fingerprints: number[];
  readonly toldAt: number;
}

export async function findQuotations(
  context: QueryContext,
  text: ExplainedText,
  whole: Uint8Array,
  minimumWords: number,
  tally: LookUpTally,
): Promise<Found> {
  const { turns, deadline } = context;
  const found = new Map<string, Quoted>();
  const overlap = minimumWords + OVERLAP_WORDS;
  let pieces = 0;
  let readTo = 0;
  const readAll = async (until: Deadline) => {
    const timed = { ...context, deadline: until };
    for (const piece of textPieces(whole, context.sketcher.sequence, {
      bytes: PIECE_BYTES,
      bytesMost: PIECE_BYTES_MOST,
      overlap,
    })) {
      if (turns.spent()) await turns.next();
      if (!(await inPiece(timed, text, piece, minimumWords, found, tally))) return;
      pieces++;
      readTo = piece.to;
    }
  };
  await withDeadline(deadline.leftMs * FINDING_PART, deadline.signal, readAll).catch((error: unknown) => {
    deadline.throwIfGivenUp();
    const isLate = error instanceof ShingledError && error.code === 'deadline-exceeded';
    if (pieces === 0) throw isLate ? deadline.error : error;
    if (!isLate) throw error;
  });
  const pieceBytes = pieces === 0 ? PIECE_BYTES : readTo / pieces;
  const of = readTo === whole.length ? pieces : Math.max(pieces + 1, Math.ceil(whole.length / pieceBytes));
  const contents: FoundContent[] = [];
  for (const { record, modulus, sample, runs, toldAt, fingerprints } of found.values()) {
    if (turns.spent()) await turns.next();
    const quoted = { modulus: toldAt, bits: text.sample.bits, values: Float64Array.from(fingerprints) };
    const covered = text.numbers.numbersIn(quoted);
    contents.push({ record, modulus, sample, covered, runs: joinRuns(runs), quoted });
  }
  return { contents, left: of - pieces, of };
}

/** @returns false where the deadline came first to some of its contents */
async function inPiece(
  context: QueryContext,
  text: ExplainedText,
  piece: TextPiece,
  minimumWords: number,
  found: Map<string, Quoted>,
  tally: LookUpTally,
): Promise<boolean> {
  const { turns, deadline } = context;
  const { fingerprints, shingleSize } = piece.sequence;
  const own = ownOf(text, distinctOf(fingerprints));
  const shingleCount = own.fingerprints.length * own.modulus;
  if (shingleCount === 0) return true;
  const plan = await planKeys(context, { by: text.by, shingleCount, sample: own }, true);
  const shared = Math.max(1, minimumWords - shingleSize + 1);
  const { records, note } = await lookUp(context, plan, { shingleCount, shingleDigest: null, shared }, tally);
  note();
  const explainers = await text.explainersOf(records);
  for (const [i, record] of records.entries()) {
    if (turns.spent()) await turns.next();
    if (deadline.passed) return false;
    const explainer = explainers[i]!;
    if (explainer === null) continue;
    const { sample, modulus } = explainer;
    const isLong = sample.values.length > STEP_VALUES;
    const index = isLong ? await inTurns(fingerprintIndexSteps(sample), turns) : createFingerprintIndex(sample);
    const passages = findPassages(piece.sequence, index, modulus, PASSAGES_MAX);
    const quoted = quotedPassages(piece.sequence, passages, { modulus, minimumWords });
    if (quoted.length === 0) continue;
    const toldAt = Math.min(modulus, record.sample.modulus);
    const known = found.get(record.id) ?? { ...explainer, record, runs: [], toldAt, fingerprints: [] };
    found.set(record.id, known);
    known.runs.push(...runsOf(piece, quoted));
    for (const { firstToken, lastToken } of quoted) {
      for (let window = firstToken; window <= lastToken - shingleSize + 1; window++) {
        const fingerprint = fingerprints[window]!;
        if (fingerprint % toldAt === 0) known.fingerprints.push(fingerprint);
      }
    }
  }
  return true;
}

/** Those fingerprints of a piece that are explained. */
function ownOf({ index, sample }: ExplainedText, fingerprints: Float64Array): Sample {
  if (index === null) return { modulus: 1, fingerprints };
  const isOwn = index.found(fingerprints, fingerprints.length, FINGERPRINT_BITS);
  return { modulus: sample.modulus, fingerprints: fingerprints.filter((_, i) => isOwn[i] === 1) };
}

function distinctOf(fingerprints: Float64Array): Float64Array {
  const sorted = fingerprints.toSorted();
  let count = 0;
  for (let i = 0; i < sorted.length; i++) {
    sorted[count] = sorted[i]!;
    count += Number(i === sorted.length - 1 || sorted[i] !== sorted[i + 1]);
  }
  return sorted.subarray(0, count);
}
