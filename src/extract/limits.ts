/** What extraction may cost, whatever the bytes. Each is named in the error that it causes. */
export interface ExtractLimits {
  /** Bytes of a document before it is decoded; `body-too-large`. */
  readonly documentBytesMax: number;
  /** Bytes of its text as UTF-8; `body-too-large`. One byte of a legacy charset becomes up to three. */
  readonly textBytesMax: number;
  /** Open elements inside one another, where a tree is built (select, remove); `document-too-complex`. */
  readonly depthMax: number;
  /** Nodes of that tree: elements, texts and comments; `document-too-complex`. */
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
