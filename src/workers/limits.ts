/** Where documents are processed, and what one may cost there. */
export interface PipelineLimits {
  /** Pages up to this size are processed on the event loop, which 64 KiB hold for about 1 ms, at the very worst 9. */
  readonly inlineHtmlBytesMax: number;
  /** Plain texts up to this size are, too: 256 KiB take about 2.5 ms. */
  readonly inlineTextBytesMax: number;
  /** Worker threads, and processes for selectors; each started when the first document needs one. */
  readonly threads: number;
  /** Documents of a caller's single requests that may wait for a worker, those with selectors apart; `overloaded`. */
  readonly queueMax: number;
  /** How long a worker may take for one document, from when it begins; then `document-too-complex`. */
  readonly timeoutMs: number;
  /**
   * JavaScript heap of a process for selectors; a document that needs more is `document-too-complex`, and ends it. It has to
   * hold what the limits of extraction allow (extract/limits.ts), so that these are what is told.
   */
  readonly memoryMb: number;
}

export const DEFAULT_PIPELINE_LIMITS: PipelineLimits = {
  inlineHtmlBytesMax: 64 * 1024,
  inlineTextBytesMax: 256 * 1024,
  threads: 2,
  queueMax: 64,
  timeoutMs: 3_000,
  memoryMb: 256,
};
