import { characterStart, codeUnitSteps } from '../../core/text/code-units.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { DocumentReference } from '../api.ts';
import type { ExplanationStep, ReadingStep } from '../comparison-api.ts';
import type { TimedContext } from '../context.ts';
import { isFeatureSet } from '../document/feature-sets.ts';
import { hasSameWords, type Obtained, type Query } from '../document/query.ts';
import { firstDifference } from './why-not.ts';

/* From the bytes of two documents to their texts: what is the same, as far as it is at hand. */

/** One of the two documents, as it was asked for, as it came, and as it was read. */
export interface ExplainedDocument {
  readonly reference: DocumentReference;
  readonly obtained: Obtained;
  readonly query: Query;
}

/** Characters that are quoted before the first difference of two texts, and from it on. */
const QUOTED_BEFORE = 30;
const QUOTED_FROM = 50;
/** No character takes more bytes. */
const CHARACTER_BYTES_MAX = 4;

export async function stepsOfReading(
  context: TimedContext,
  a: ExplainedDocument,
  b: ExplainedDocument,
): Promise<ExplanationStep<ReadingStep>[]> {
  return [bytesStep(a, b), decodingStep(a, b), await textStep(context, a, b)];
}

/** Null of what only the index knows. */
function bytesOf({ reference, obtained }: ExplainedDocument): Uint8Array | null {
  return reference.body?.bytes ?? ('bytes' in obtained ? obtained.bytes.bytes : null);
}

function bytesStep(a: ExplainedDocument, b: ExplainedDocument): ExplanationStep<ReadingStep> {
  if (isFeatureSet(a.query) && isFeatureSet(b.query)) return featuresStep(a, b);
  const [bytesA, bytesB] = [bytesOf(a), bytesOf(b)];
  const figures = {
    a: bytesA === null ? {} : { bytes: bytesA.length },
    b: bytesB === null ? {} : { bytes: bytesB.length },
  };
  if (bytesA === null || bytesB === null) {
    const same = a.query.bytesDigest === b.query.bytesDigest;
    const detail = same
      ? 'Both have the same bytes, by their digests.'
      : 'Their bytes, or how they were read, are not the same, by their digests: the index keeps no bytes.';
    return { step: 'bytes', same, ...figures, detail };
  }
  const at = firstDifference(bytesA, bytesB);
  const counted = `a has ${bytesA.length} bytes, b has ${bytesB.length}`;
  const detail =
    at === null ? `Both have the same ${bytesA.length} bytes.` : `They part at byte ${at + 1}: ${counted}.`;
  return { step: 'bytes', same: at === null, ...figures, detail };
}

/** Of two sets of features, for which neither order nor repetition counts. */
function featuresStep(a: ExplainedDocument, b: ExplainedDocument): ExplanationStep<ReadingStep> {
  const same = a.query.bytesDigest === b.query.bytesDigest;
  return {
    step: 'bytes',
    same,
    a: {},
    b: {},
    detail: `They are ${same ? 'the same' : 'not the same'} set of features.`,
  };
}

function decodingStep(a: ExplainedDocument, b: ExplainedDocument): ExplanationStep<ReadingStep> {
  const [readA, readB] = [a.query.document, b.query.document];
  if (readA === null || readB === null) {
    const same = a.query.bytesDigest === b.query.bytesDigest ? true : null;
    const detail = same ? 'Both were read in the same way.' : 'The index does not keep how a document was read.';
    return { step: 'decoding', same, a: decodingOf(a), b: decodingOf(b), detail };
  }
  const told = [a, b].map(({ query, reference: { select, remove } }) => {
    const { mediaType, charset } = query.document!;
    const chosen = [
      ...(select === null ? [] : [`select ${JSON.stringify(select)}`]),
      ...(remove === null ? [] : [`remove ${JSON.stringify(remove)}`]),
    ];
    return [`${mediaType} in ${charset}`, ...chosen].join(', ');
  });
  const same = told[0] === told[1];
  const detail = same ? `Both were read as ${told[0]}.` : `a was read as ${told[0]}, b as ${told[1]}.`;
  return { step: 'decoding', same, a: decodingOf(a), b: decodingOf(b), detail };
}

function decodingOf({ query: { document } }: ExplainedDocument) {
  return document === null ? {} : { mediaType: document.mediaType, charset: document.charset };
}

async function textStep(
  { turns }: TimedContext,
  a: ExplainedDocument,
  b: ExplainedDocument,
): Promise<ExplanationStep<ReadingStep>> {
  if (isFeatureSet(a.query) || isFeatureSet(b.query)) {
    const same = isFeatureSet(a.query) === isFeatureSet(b.query) ? (a.query.id === b.query.id ? true : null) : false;
    return { step: 'text', same, a: {}, b: {}, detail: 'Features have no text.' };
  }
  const [textA, textB] = [a.query.document?.text ?? null, b.query.document?.text ?? null];
  const measure = async (text: Uint8Array | null) => (text === null ? null : inTurns(codeUnitSteps(text), turns));
  const at = textA === null || textB === null ? null : firstDifference(textA, textB);
  const [unitsA, unitsB] = [await measure(textA), await measure(textB)];
  const figures = {
    a: unitsA === null ? {} : { characters: unitsA.length },
    b: unitsB === null ? {} : { characters: unitsB.length },
  };
  if (unitsA === null || unitsB === null) {
    if (a.query.bytesDigest === b.query.bytesDigest) {
      return {
        step: 'text',
        same: true,
        ...figures,
        detail: 'The same bytes, read in the same way, have the same text.',
      };
    }
    const same = hasSameWords(a.query, b.query) ? null : false;
    const detail = 'The index keeps no text';
    return {
      step: 'text',
      same,
      ...figures,
      detail: same === null ? `${detail}: it may be the same.` : `${detail}: its words are not the same.`,
    };
  }
  if (at === null)
    return { step: 'text', same: true, ...figures, detail: `Both have the same ${unitsA.length} characters.` };
  const counted = `a has ${unitsA.length} characters, b has ${unitsB.length}`;
  const detail = `They part at character ${unitsA.before(characterStart(textA!, at)) + 1}: ${counted}.`;
  const examples = [{ a: quoteAt(textA!, at), b: quoteAt(textB!, at) }];
  return { step: 'text', same: false, ...figures, detail, examples };
}

/** A few characters around a byte; those before it are the same in both. */
function quoteAt(text: Uint8Array, at: number): string {
  const from = characterStart(text, at);
  const decode = (begin: number, end: number) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(
      text.subarray(characterStart(text, begin), characterStart(text, end)),
    );
  const before = decode(Math.max(0, from - CHARACTER_BYTES_MAX * QUOTED_BEFORE), from).slice(-QUOTED_BEFORE);
  const after = decode(from, from + CHARACTER_BYTES_MAX * QUOTED_FROM).slice(0, QUOTED_FROM);
  return `${before}${after}`.toWellFormed();
}
