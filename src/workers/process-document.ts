import type { Sketcher } from '../core/sketch.ts';
import { ShingledError } from '../errors.ts';
import { type ExtractedText, extract } from '../extract/extract.ts';
import type { ExtractLimits } from '../extract/limits.ts';
import { bytesDigest, createLexicalDigest, shingleDigest } from '../identity/digests.ts';
import type { Identity } from '../identity/identity.ts';
import type { DocumentInput, ProcessedDocument } from './port.ts';

/** bytes -> text -> sketch -> digests, one document at a time. */
export type DocumentProcessor = (input: DocumentInput) => Promise<ProcessedDocument>;

/**
 * The one way that a document goes, on the event loop and in a worker.
 *
 * What it returns owns its memory: nothing in it is a view of the input or of scratch memory.
 *
 * @param sketcher of this identity and this thread
 * @throws (the processor) as DocumentPipeline.process does, but for `overloaded`.
 */
export function createDocumentProcessor(
  identity: Identity,
  limits: ExtractLimits,
  sketcher: Sketcher,
): DocumentProcessor {
  return async (input) => {
    const { text, kind, charset, title, language } = await extractText(input, limits);
    const lexicalDigest = createLexicalDigest(identity);
    const sketch = sketcher.sketch(text, input.modulusMax, lexicalDigest.add);
    if (sketch.tokenCount === 0) throw new ShingledError('empty-document', emptyBecause(input));
    return {
      bytesDigest: bytesDigest(identity, {
        bytes: input.bytes,
        mediaType: ESSENCE[kind],
        charset,
        select: input.select,
        remove: input.remove,
      }),
      lexicalDigest: lexicalDigest.value(),
      shingleDigest: shingleDigest(identity, sketch.shingleSum, sketch.shingleCount),
      mediaType: kind === 'plain' ? 'text/plain' : 'text/html',
      charset,
      title,
      language,
      text: input.keepText ? new Uint8Array(text) : null,
      sketch,
    };
  };
}

/** What a document was read as: the same bytes as HTML and as XHTML are not the same document. */
const ESSENCE = { html: 'text/html', xhtml: 'application/xhtml+xml', plain: 'text/plain' } as const;

async function extractText(input: DocumentInput, limits: ExtractLimits): Promise<ExtractedText> {
  if (input.select === null && input.remove === null) return extract(input, limits);
  // loaded only where it is used, which is in a worker: a tree builder and CSS cost the event loop nothing
  const { extractSelected } = await import('../extract/select.ts');
  return extractSelected(input, input, limits);
}

function emptyBecause(input: DocumentInput): string {
  return input.select === null && input.remove === null
    ? 'The document has no words'
    : 'The chosen parts of the page have no words';
}
