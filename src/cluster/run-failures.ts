import { ShingledError } from '../errors.ts';

/** What a failure in the middle of a run is called: memory that is refused, or a fault of ours. */
export function failureOf(error: unknown): ShingledError {
  if (error instanceof ShingledError) return error;
  const message = error instanceof Error ? error.message : String(error);
  // what V8 and Node say where an array cannot be had
  if (
    error instanceof RangeError &&
    /array (buffer )?(allocation|length)|typed array length|maximum size/i.test(message)
  ) {
    const detail = `The system refused memory (${message}). What was read is kept: the same command goes on where there is more.`;
    return new ShingledError('memory-short', detail, { cause: error });
  }
  return new ShingledError('internal', error instanceof Error ? (error.stack ?? message) : message, { cause: error });
}
