/** What extraction may cost, whatever the bytes. Each is named in the error that it causes. */
export interface ExtractLimits {
  /** Bytes of a document before it is decoded; `body-too-large`. */
  readonly documentBytesMax: number;
  /** Bytes of its text as UTF-8; `body-too-large`. One byte of a legacy charset becomes up to three. */
  readonly textBytesMax: number;
  /** Open elements inside one another, where a tree is built (select, remove); `document-too-complex`. */
  readonly depthMax: number;
  /**
   * Nodes of that tree: elements, texts and comments; `document-too-complex`. An attribute counts a quarter, and so does a
   * part of a text: a reference, or what stands between two.
   */
  readonly nodesMax: number;
  /** Characters of a selector; `invalid-selector`. */
  readonly selectorCharactersMax: number;
}

export const DEFAULT_EXTRACT_LIMITS: ExtractLimits = {
  // the largest page of three manuals in hand is 1.6 MB; browsers' own archives hold few above 5 MB
  documentBytesMax: 8 * 1024 * 1024,
  textBytesMax: 16 * 1024 * 1024,
  // what browsers allow; the deepest page of a sample of a million sites had 26
  depthMax: 512,
  nodesMax: 200_000,
  selectorCharactersMax: 1_000,
};

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
