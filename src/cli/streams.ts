/** Where a command reads and prints, and what tells it to end: the process, or a test. */
export interface CliStreams {
  out(text: string): void;
  err(text: string): void;
  /** Text after text to standard output, each once the one before has left; ends quietly where nobody takes more. */
  flow(texts: Iterable<string> | AsyncIterable<string>): Promise<void>;
  /** Bytes to standard output, which may be written over once they have left. Rejects where nobody takes more. */
  outBytes(bytes: Uint8Array): Promise<void>;
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array>;
  /** Whether a person looks at standard error, and at standard output. */
  readonly isTerminal: boolean;
  readonly isOutputTerminal: boolean;
  /** Of that terminal. */
  readonly columns: number;
  /**
   * From now on SIGINT and SIGTERM abort the signal, and end the process only when they come again. Before, they end it at
   * once.
   */
  catchInterrupts(): AbortSignal;
}
