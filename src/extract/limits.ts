import { defaultsOf } from '../limit-row.ts';

const MIB = 2 ** 20;

/** What turning bytes into text may cost, as far as a deployment may set it. */
export const EXTRACT_LIMIT_ROWS = {
  documentBytesMax: {
    default: 8 * MIB,
    minimum: 1024,
    maximum: 512 * MIB,
    description: 'Bytes of one document before it is decoded.',
    reason: 'The largest page of three real manuals is 1.6 MB; few in archives of browsers have more than 5 MB.',
  },
  nodesMax: {
    default: 200_000,
    minimum: 100,
    maximum: 100_000_000,
    description:
      'Elements and comments of the tree that `select` and `remove` need; attributes count a quarter, and so does each part of a text.',
    reason: 'Keeps the memory of a worker under its limit.',
  },
  pdfPagesMax: {
    default: 5_000,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Pages of a PDF file.',
    reason: 'The largest manuals have two or three thousand; a page of text takes 5 ms.',
  },
};

/** What no deployment would set. */
const FIXED = {
  /**
   * Open elements inside one another, where a tree is built, and in office documents: what browsers allow; the deepest page of
   * a million had 26.
   */
  depthMax: 512,
  /** Bytes that an office document or a book unpacks to: 16 MiB of text in markup of sixteen times as much. */
  unpackedBytesMax: 256 * MIB,
  /** Characters of a selector: people write under a hundred. */
  selectorCharactersMax: 1000,
};

/** A byte of an old charset becomes up to three in UTF-8, but much of a page is no text. */
const TEXT_BYTES_PER_DOCUMENT_BYTE = 2;
const TEXT_BYTES_LEAST = 16 * MIB;

/** What extraction may cost, whatever the bytes. Each is named in the error that it causes. */
export type ExtractLimits = ReturnType<typeof extractLimits>;

/** All of them, with those that are set. */
export function extractLimits(set: Readonly<Record<keyof typeof EXTRACT_LIMIT_ROWS, number>>) {
  const textBytesMax = Math.max(TEXT_BYTES_LEAST, TEXT_BYTES_PER_DOCUMENT_BYTE * set.documentBytesMax);
  return { ...set, ...FIXED, textBytesMax } as const;
}

export const DEFAULT_EXTRACT_LIMITS = extractLimits(defaultsOf(EXTRACT_LIMIT_ROWS));

/** Without a tree, a document is read into memory beside the heap but for its text of a legacy charset, twice over. */
const HEAP_BYTES_PER_BYTE_READ = 8;

/** Heap that the largest tree of so many nodes may need, a node: 243 bytes (<br>) to 385 (nested, with a text) [measured]. */
const HEAP_BYTES_PER_NODE = 400;
/** A page is one string of two bytes a character; an attribute full of "&lt" is a rope of 32 bytes for every three. */
const HEAP_BYTES_PER_DOCUMENT_BYTE = 13;
/** The code, and what a selector keeps for itself. */
const HEAP_BYTES_BESIDE = 32 * 1024 * 1024;

/** Heap in bytes that a thread needs which reads documents without a tree. */
export function heapBytesToRead({ documentBytesMax }: ExtractLimits): number {
  return 2 * HEAP_BYTES_BESIDE + documentBytesMax * HEAP_BYTES_PER_BYTE_READ;
}

/** Heap in bytes that a process needs which makes trees, so that these limits bite before its memory ends. */
export function heapBytesNeeded({ nodesMax, documentBytesMax }: ExtractLimits): number {
  return HEAP_BYTES_BESIDE + nodesMax * HEAP_BYTES_PER_NODE + documentBytesMax * HEAP_BYTES_PER_DOCUMENT_BYTE;
}
