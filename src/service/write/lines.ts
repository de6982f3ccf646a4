import { ERRORS, ShingledError } from '../../errors.ts';
import type { Access, SimilarLine, SimilarLineAnswer } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { similar } from '../similar/similar.ts';
import { answersInOrder } from './in-order.ts';

/* What lines of a bulk request and of a batch have in common, and the batch of queries itself. */

const REPEATED_CHARACTERS_MAX = 200;
/** Lines of one batch of queries under way: a quarter of the places, so that single queries keep flowing. */
export const BATCH_LINES_IN_FLIGHT_MAX = 8;

/** Why a line has no result. */
export interface LineFailure {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly field?: string;
  readonly limit?: { readonly name: string; readonly value: number };
}

/** One line's error, told to that line alone. What is a fault of this side is reported; what is not ours, not shown. */
export function lineFailure(context: ServiceContext, error: unknown): LineFailure {
  if (!(error instanceof ShingledError)) {
    context.onFault?.(error);
    return { status: ERRORS.internal.status, code: 'internal', detail: ERRORS.internal.title };
  }
  const { status, code, message, field, limit } = error;
  if (code === 'internal' || code === 'index-unreadable') context.onFault?.(error);
  return {
    status,
    code,
    detail: message,
    ...(field === undefined ? {} : { field }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** As much of a refused URL as is said again: its line has a number, and the rest could be megabytes. */
export function shortened(url: string): string {
  return url.length <= REPEATED_CHARACTERS_MAX ? url : url.slice(0, REPEATED_CHARACTERS_MAX).toWellFormed();
}

/** A batch of queries: a line waits for room among the queries instead of being refused. */
export function similarLines(
  context: ServiceContext,
  lines: AsyncIterable<SimilarLine>,
  access: Access,
): AsyncGenerator<SimilarLineAnswer, void, undefined> {
  const answerLine = async (line: SimilarLine): Promise<SimilarLineAnswer> => {
    try {
      if ('error' in line) throw line.error;
      const answer = await similar(context, line.reference, line.options, access, 'wait');
      return { line: line.line, status: 200, answer };
    } catch (error) {
      return { line: line.line, ...lineFailure(context, error) };
    }
  };
  return answersInOrder(lines, { linesMax: BATCH_LINES_IN_FLIGHT_MAX }, answerLine);
}
