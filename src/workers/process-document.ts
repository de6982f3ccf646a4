import { type MadeRecord, makeRecord } from '../core/coding/made-record.ts';
import { createFeatureSet } from '../core/sketch/feature-set.ts';
import { createFeatureSketcher, type FeatureSketcher } from '../core/sketch/feature-sketch.ts';
import type { Sketch, Sketcher } from '../core/sketch/sketch.ts';
import { ShingledError } from '../errors.ts';
import type { ExtractedText } from '../extract/extract.ts';
import { FEATURES_TYPE } from '../features/feature-list.ts';
import { FILE_TYPES } from '../features/file-types.ts';
import { bytesDigest, contentDigest, createLexicalDigest, featuresDigest, shingleDigest } from '../identity/digests.ts';
import type { Identity } from '../identity/identity.ts';
import { boundGrowth } from './not-here.ts';
import type { DocumentInput, ProcessedDocument } from './port.ts';

/** bytes -> text -> sketch -> digests, one document at a time; or bytes -> features -> sketch -> digests. */
export type DocumentProcessor = (input: DocumentInput) => Promise<ProcessedDocument>;

/**
 * The one way that a document goes, on the event loop, in a worker and in a process for selectors and PDF files.
 *
 * What it returns owns its memory: nothing in it is a view of the input or of scratch memory.
 *
 * @param sketcher of this identity and this thread
 * @param extract what reads a document's text
 * @param isHurried whether it gives up a text that takes long for its size (not-here.ts)
 * @throws (the processor) as DocumentPipeline.process does, but for `overloaded`.
 */
export function createDocumentProcessor(
  identity: Identity,
  sketcher: Sketcher,
  extract: (input: DocumentInput) => ExtractedText | Promise<ExtractedText>,
  isHurried = false,
): DocumentProcessor {
  let sketchFeatures: FeatureSketcher | null = null;

  function processFeatures(features: readonly string[], input: DocumentInput): ProcessedDocument {
    const set = createFeatureSet(features);
    if (set.count === 0)
      throw new ShingledError('empty-document', 'The document has no features: their list is empty.');
    sketchFeatures ??= createFeatureSketcher(identity.fingerprint.polynomial, identity.featureMixing);
    const sketch = sketchFeatures(set, input.modulusMax, input.wholeMax);
    const read = { mediaType: FEATURES_TYPE, charset: 'utf-8' } as const;
    const digest = featuresDigest(identity, set.bytes);
    return {
      // of the set, not of how it was written: order and repetition do not matter
      bytesDigest: bytesDigest(identity, { bytes: set.bytes, ...read, select: null, remove: null }),
      lexicalDigest: digest,
      contentDigest: digest,
      shingleDigest: shingleDigest(identity, sketch.shingleSum, sketch.shingleCount),
      ...read,
      title: null,
      language: null,
      text: null,
      sketch,
      record: recordOf(sketch, input),
    };
  }

  const digestOf = ({ bytes, select, remove }: DocumentInput, mediaType: string, charset: string) =>
    bytesDigest(identity, { bytes, mediaType, charset, select, remove });

  return async (input) => {
    const extracted = extract(input);
    // without a wait where there is none: until it is sketched, a text may lie in memory that the next one is written to
    const { text, kind, charset, title, language, main, features } =
      extracted instanceof Promise ? await extracted : extracted;
    if (features !== undefined) return processFeatures(features, input);
    const words = createLexicalDigest(identity);
    const add = isHurried ? boundGrowth(text.length, words.add) : words.add;
    const sketch = sketcher.sketch(text, input.modulusMax, add, input.wholeMax, main);
    if (sketch.tokenCount === 0) throw new ShingledError('empty-document', emptyBecause(input, kind));
    const lexicalDigest = words.value();
    return {
      bytesDigest: input.isBytesDigestLeftOut === true ? '' : digestOf(input, ESSENCE[kind], charset),
      lexicalDigest,
      contentDigest: contentDigest(identity, lexicalDigest, sketch.main),
      shingleDigest: shingleDigest(identity, sketch.shingleSum, sketch.shingleCount),
      mediaType: kind === 'xhtml' ? ESSENCE.html : ESSENCE[kind],
      charset,
      title,
      language,
      text: input.keepText ? new Uint8Array(text) : null,
      sketch,
      record: recordOf(sketch, input),
    };
  };
}

const recordOf = (sketch: Sketch, { recordFor = 0 }: DocumentInput): MadeRecord | null =>
  recordFor === 0 ? null : makeRecord(sketch, recordFor);

/** What a document was read as: the same bytes as HTML and as XHTML are not the same document. */
const ESSENCE = {
  html: 'text/html',
  xhtml: 'application/xhtml+xml',
  plain: 'text/plain',
  ...FILE_TYPES,
  features: FEATURES_TYPE,
} as const;

function emptyBecause(input: DocumentInput, kind: ExtractedText['kind']): string {
  if (kind === 'pdf') return 'The PDF file has no words as text: pages that are images, such as scans, are not read.';
  return input.select === null && input.remove === null
    ? 'The document has no words: neither a letter nor a digit is in what a reader would see of it.'
    : 'What select and remove leave of the page has no words.';
}
