/** What a file says, and what it says of itself. */
export interface FileText {
  /** UTF-8. */
  readonly text: Uint8Array;
  readonly title: string | null;
  readonly language: string | null;
}
