import { ERRORS, ShingledError } from '../../errors.ts';
import type { Store } from '../../store/port.ts';
import type { BulkLine, BulkLineAnswer, BulkOptions, LineFailure, SimilarLine, SimilarLineAnswer } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { similar } from '../similar/similar.ts';
import { createBulkWriter, type WrittenLine } from './bulk-writer.ts';
import { answersInOrder } from './in-order.ts';

/* Requests of many lines: writes, and a batch of queries. */

/** As much of a refused URL is said again: its line has a number, and the rest could be megabytes. */
const REPEATED_CHARACTERS_MAX = 200;

/**
 * Many writes in one request. Lines are read and sketched side by side and committed together, but
 *
 * - lines are answered in their order, each when it is durable; in a relaxed load when it is written, and one sync at
 *   the end is for all;
 * - lines for one URL take effect in their order, so the last wins (each waits for the one before it to be written);
 * - a line that fails fails alone;
 * - a line that is inserted unless similar is held against all lines before it (unless.ts);
 * - where a queue is full, lines wait for it: a slow disk slows the request down, and fails a line only after `bulkWaitMs`.
 */
export function bulkAnswers(
  context: ServiceContext,
  lines: AsyncIterable<BulkLine>,
  { relaxed, describe = false }: BulkOptions,
): AsyncGenerator<BulkLineAnswer, void, undefined> {
  const write = createBulkWriter(context, relaxed);
  const answerLine = async (line: BulkLine): Promise<BulkLineAnswer> => {
    try {
      if ('error' in line) throw line.error;
      return writtenLine(line.line, await write(line.operation), describe);
    } catch (error) {
      return failedLine(context, line, error);
    }
  };
  const { bulkLinesInFlightMax: linesMax, bulkBytesInFlightMax: bytesMax } = context.limits;
  const room = { linesMax, bytesMax, bytesOf: bodyBytes };
  return answersInOrder(lines, room, answerLine, relaxed ? syncer(context.store) : undefined);
}

/** What a line is told that was written. @param describe whether it says of a put if it was new, and short */
export function writtenLine(
  line: number,
  { url, status, contentKept, described, ...neighbours }: WrittenLine,
  describe: boolean,
): Extract<BulkLineAnswer, { result: unknown }> {
  const wished = describe && described !== null ? described : {};
  const told = { line, status: status === 'created' ? 201 : 200, url, result: status, ...wished, ...neighbours };
  // said where it may come as a surprise
  return status === 'history' && !contentKept ? { ...told, contentKept: false } : told;
}

/** … and one that was not. */
export function failedLine(context: FaultContext, line: BulkLine, error: unknown): BulkLineAnswer {
  const url = 'error' in line ? line.url : line.operation.url;
  const { status, ...why } = lineFailure(context, error);
  return { line: line.line, status, url: repeatedUrl(url), ...why };
}

/** The URL of a line that failed, as it is said again. */
export function repeatedUrl(url: string | null): string | null {
  const isLong = url !== null && url.length > REPEATED_CHARACTERS_MAX;
  return isLong ? url.slice(0, REPEATED_CHARACTERS_MAX).toWellFormed() : url;
}

type FaultContext = Pick<ServiceContext, 'onFault'>;

/** Syncs what was written from now on, and throws where some of it was lost before. */
function syncer(store: Store): () => Promise<void> {
  const { relaxedLosses } = store;
  return async () => {
    await store.sync();
    if (store.relaxedLosses === relaxedLosses) return;
    throw new ShingledError('storage-full', 'The disk has lost lines that were acknowledged before they were synced.', {
      retryAfterS: 5,
    });
  };
}

export function bodyBytes(line: BulkLine): number {
  return 'operation' in line && line.operation.op === 'put' ? (line.operation.body?.bytes.length ?? 0) : 0;
}

/** A batch of queries: a line waits for room among the queries instead of being refused. */
export function similarLines(
  context: ServiceContext,
  lines: AsyncIterable<SimilarLine>,
): AsyncGenerator<SimilarLineAnswer, void, undefined> {
  const answerLine = async (line: SimilarLine): Promise<SimilarLineAnswer> => {
    try {
      if ('error' in line) throw line.error;
      const answer = await similar(context, line.reference, line.options, 'wait');
      return { line: line.line, status: 200, answer };
    } catch (error) {
      return { line: line.line, ...lineFailure(context, error) };
    }
  };
  return answersInOrder(lines, { linesMax: context.limits.batchLinesInFlightMax }, answerLine);
}

/** One line's error, told to that line alone. What is a fault of this side is reported; what is not ours, not shown. */
export function lineFailure(context: FaultContext, error: unknown): LineFailure {
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
