import { ShingledError } from '../errors.ts';
import { defaultsOf } from '../limit-row.ts';

/** Where documents are turned into sketches and what one may cost there, as far as a deployment may set it. */
export const PIPELINE_LIMIT_ROWS = {
  threads: {
    default: 2,
    minimum: 1,
    maximum: 256,
    description:
      'Worker threads, and processes in which `select` and `remove` are applied, and PDF files, office documents and mail read; each is started when it is needed.',
    reason: 'What a small machine has cores for.',
  },
  timeoutMs: {
    default: 3_000,
    minimum: 10,
    maximum: 600_000,
    description: 'How long a worker may take for one document, from when it begins.',
    reason: 'The largest honest page needs a tenth of it.',
  },
  pdfTimeoutMs: {
    default: 30_000,
    minimum: 10,
    maximum: 600_000,
    description: 'How long a process may take for one PDF file, office document or mail, from when it begins.',
    reason: 'A page takes 5 ms on an idle machine: a manual of 1,000 pages has six times as long as it needs there.',
  },
  memoryMb: {
    default: 256,
    minimum: 32,
    maximum: 65_536,
    description:
      'Megabytes of JavaScript heap of a process for selectors, PDF files, office documents and mail; must hold the largest tree that EXTRACT_NODES_MAX allows.',
    reason: 'A tree at that limit needs 213: beyond it V8 would end the process, and not say which limit was met.',
  },
};

/** What no deployment would set. */
const FIXED = {
  /** Pages up to this size are processed on the event loop, which they hold for about 1 ms, at the very worst 9. */
  inlineHtmlBytesMax: 64 * 1024,
  /** Plain texts up to this size are, too: they take about 2.5 ms. */
  inlineTextBytesMax: 256 * 1024,
  /** Sets of features up to this size are, too: 3,400 strings of 16 bytes take 2 ms, 10,000 of 3 bytes 6. */
  inlineFeaturesBytesMax: 64 * 1024,
  /** Documents of a caller's single requests that wait for a thread, and as many for a process: bounds memory and waiting. */
  queueMax: 64,
};

export const DEFAULT_PIPELINE_LIMITS = { ...defaultsOf(PIPELINE_LIMIT_ROWS), ...FIXED };
export type PipelineLimits = Readonly<typeof DEFAULT_PIPELINE_LIMITS>;

/** What survives a collection of the young generation counts for the heap all at once: with V8's own 48 MB, too much does. */
export const YOUNG_GENERATION_MB = 16;

/**
 * What a process for parsing may have in memory beside `memoryMb`: Node and pdf.js take 110, the document and the message that
 * brought it some more. What a PDF file or an archive unfolds to lies in no JavaScript heap, so this bounds it.
 */
export const PROCESS_MB_BESIDE = 160;

/* Why a document is not processed, where that is no fault of what it says. */

const UNITS = { timeoutMs: 'ms', pdfTimeoutMs: 'ms', memoryMb: 'MB of memory' } as const;

export function tooComplex(name: keyof typeof UNITS, value: number): ShingledError {
  return new ShingledError('document-too-complex', `The document takes more than ${value} ${UNITS[name]} to process`, {
    limit: { name, value },
  });
}

export function documentsWait(queueMax: number): ShingledError {
  return new ShingledError('overloaded', `${queueMax} documents are waiting to be processed`, {
    limit: { name: 'queueMax', value: queueMax },
    retryAfterS: 1,
  });
}
