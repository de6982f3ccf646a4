import { ShingledError } from '../errors.ts';
import type { WriteOutcome, WritePlan } from '../store/port.ts';
import type { BulkLine, BulkLineAnswer, BulkOperation, BulkOptions } from './api.ts';
import type { ServiceContext } from './context.ts';
import { answersInOrder } from './in-order.ts';
import { lineFailure, shortened } from './lines.ts';
import { unknownUrl } from './query.ts';
import { nameSource } from './url.ts';
import { checkPut, planGone, planPut } from './write-plans.ts';

/*
 * Many writes in one request. Lines are read and sketched side by side and committed together, but
 *
 * - a line's answer is given when the line is durable, in the order of the lines; in a relaxed load when it is written, and
 *   one sync makes all of it durable at the end;
 * - lines for one URL take effect in their order, so the last wins (each waits for the one before it to be written);
 * - a line that fails fails alone;
 * - where a queue is full, lines wait for it: a slow disk slows the request down, and fails a line only after `bulkWaitMs`.
 */

/** A line's URL, and how its write plan is made: checked already, read when its turn comes. */
interface Draft {
  readonly url: string;
  readonly plan: () => Promise<WritePlan> | WritePlan;
}

export async function* bulkAnswers(
  context: ServiceContext,
  lines: AsyncIterable<BulkLine>,
  { relaxed }: BulkOptions = { relaxed: false },
): AsyncGenerator<BulkLineAnswer, void, undefined> {
  /** For each URL under way, the end of its last line so far. */
  const lastLines = new Map<string, Promise<unknown>>();
  const answerLine = async (line: BulkLine): Promise<BulkLineAnswer> => {
    try {
      if ('error' in line) throw line.error;
      const { url, status, contentKept } = await writeLine(context, lastLines, line.operation, relaxed);
      const told = { line: line.line, status: status === 'created' ? 201 : 200, url, result: status };
      // said where it may come as a surprise
      return status === 'history' && !contentKept ? { ...told, contentKept: false } : told;
    } catch (error) {
      const url = 'error' in line ? line.url : line.operation.url;
      return { line: line.line, url: url && shortened(url), ...lineFailure(context, error) };
    }
  };
  const { bulkLinesInFlightMax: linesMax, bulkBytesInFlightMax: bytesMax } = context.limits;
  const { relaxedLosses } = context.store;
  yield* answersInOrder(lines, { linesMax, bytesMax, bytesOf: bodyBytes }, answerLine);
  if (!relaxed) return;
  await context.store.sync();
  if (context.store.relaxedLosses === relaxedLosses) return;
  throw new ShingledError('storage-full', 'The disk has lost lines that were acknowledged before they were synced.', {
    retryAfterS: 5,
  });
}

function bodyBytes(line: BulkLine): number {
  return 'operation' in line && line.operation.op === 'put' ? (line.operation.body?.bytes.length ?? 0) : 0;
}

async function writeLine(
  context: ServiceContext,
  lastLines: Map<string, Promise<unknown>>,
  operation: BulkOperation,
  relaxed: boolean,
): Promise<WriteOutcome & { readonly url: string }> {
  const draft = draftOf(context, operation);
  const writing = write(context, draft, lastLines.get(draft.url), relaxed);
  // whoever comes next waits for the end of this line, whatever the end is
  const end = writing.catch(() => {});
  lastLines.set(draft.url, end);
  try {
    const outcome = await writing;
    if (outcome.status === 'unknown') throw unknownUrl('url');
    return { ...outcome, url: draft.url };
  } finally {
    if (lastLines.get(draft.url) === end) lastLines.delete(draft.url);
  }
}

async function write(
  context: ServiceContext,
  draft: Draft,
  lineBefore: Promise<unknown> | undefined,
  relaxed: boolean,
): Promise<WriteOutcome> {
  const { limits, store, caller } = context;
  const plan = await draft.plan();
  await lineBefore;
  return store.apply(plan, { caller, roomWaitMs: limits.bulkWaitMs, relaxed });
}

function draftOf(context: ServiceContext, operation: BulkOperation): Draft {
  if (operation.op === 'delete') {
    const { url } = nameSource(operation.url, 'url', context.limits.urlBytesMax);
    return { url, plan: () => ({ kind: 'delete', url, receivedAt: context.now() }) };
  }
  if (operation.op === 'gone') {
    const plan = planGone(context, operation);
    return { url: plan.url, plan: () => plan };
  }
  const { body, select, remove, meta } = operation;
  if (body === null) {
    throw new ShingledError('invalid-request', 'A line that puts a document brings its text.', { field: 'text' });
  }
  const checked = checkPut(context, operation);
  const { recordModulusMax } = context.store.description;
  const input = { ...body, select, remove, modulusMax: recordModulusMax, keepText: false };
  const plan = async () => {
    const processed = await context.documents.processInBulk(input, context.caller);
    return planPut(context, checked, meta, { ...body, httpStatus: null, finalUrl: null }, processed);
  };
  return { url: checked.name.url, plan };
}
