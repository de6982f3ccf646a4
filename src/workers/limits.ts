/** Where documents are processed, and what one may cost there. */
export interface PipelineLimits {
  /** Pages up to this size are processed on the event loop, which 64 KiB hold for about 1 ms, at the very worst 9. */
  readonly inlineHtmlBytesMax: number;
  /** Plain texts up to this size are, too: 256 KiB take about 2.5 ms. */
  readonly inlineTextBytesMax: number;
  /** Worker threads, started when the first document needs one. */
  readonly threads: number;
  /** Documents of other requests that may wait for a worker; one more is `overloaded`. */
  readonly queueMax: number;
  /** Documents of bulk requests that may wait for a worker; one more is `overloaded`. */
  readonly bulkQueueMax: number;
  /** How long a worker may take for one document, from when it begins; then `document-too-complex`. */
  readonly timeoutMs: number;
  /**
   * JavaScript heap of a worker; a document that needs more is `document-too-complex`. It has to hold what the limits of
   * extraction allow with room to spare (extract/limits.ts), since V8 may end the whole process where a worker's heap ends.
   */
  readonly memoryMb: number;
}

export const DEFAULT_PIPELINE_LIMITS: PipelineLimits = {
  inlineHtmlBytesMax: 64 * 1024,
  inlineTextBytesMax: 256 * 1024,
  threads: 2,
  queueMax: 64,
  bulkQueueMax: 8_192,
  timeoutMs: 3_000,
  memoryMb: 256,
};
