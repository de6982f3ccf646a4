import { ShingledError } from '../errors.ts';
import type { BulkLineAnswer } from '../service/api.ts';
import type { WantedLine } from './port.ts';
import { type Batch, type BatchLimits, batchesOf } from './request-batches.ts';
import type { ServiceClient } from './service-client.ts';

/*
 * Many writes, in requests of many lines, one after the other: lines of one URL keep their order. The next one is gathered
 * while the service works for the one before.
 *
 * A request is answered as a whole, once all of it is on disk there. One that breaks off, or of which the service lost
 * something, is sent again: what it wrote before comes to `unchanged` then.
 */

/** Far under BULK_LINES_MAX and BULK_BYTES_MAX, and about a second of work. */
const BATCH_LIMITS: BatchLimits = { linesMax: 10_000, charactersMax: 16 * 2 ** 20, patienceMs: 1000 };

/** Codes of lines that say nothing of the line: it may do in a moment. */
const PASSING: ReadonlySet<string> = new Set(['write-queue-full', 'overloaded', 'draining', 'deadline-exceeded']);

export async function* remoteBulk(
  client: ServiceClient,
  lines: AsyncIterable<WantedLine>,
  limits = BATCH_LIMITS,
): AsyncGenerator<BulkLineAnswer, void, undefined> {
  const batches = batchesOf(lines, limits);
  let next = batches.next();
  for (;;) {
    const { done, value: batch } = await next;
    if (done === true) return;
    next = batches.next();
    // heard when it is asked for
    next.catch(() => {});
    yield* await answersTo(client, batch);
  }
}

interface Summary {
  readonly complete: boolean;
  readonly durable?: boolean;
}

async function answersTo(client: ServiceClient, lines: Batch): Promise<BulkLineAnswer[]> {
  const body = `${lines.map(({ json }) => json).join('\n')}\n`;
  let passing: { readonly answers: BulkLineAnswer[] } | null = null;
  try {
    const answers = await client.persistently(async () => {
      const read = await readAnswers(client, body);
      // it holds more than this service reads at once
      if (!read.isComplete && lines.length > 1) return null;
      passing = { answers: read.answers };
      const failed = read.answers.find((answer) => 'code' in answer && PASSING.has(answer.code));
      if (failed !== undefined) throw new ShingledError('overloaded', (failed as { detail: string }).detail);
      return read.answers;
    });
    if (answers !== null) return numbered(answers, lines);
  } catch (error) {
    // the patience is over: whoever asked hears what each line came to
    if (passing === null || !(error instanceof ShingledError) || error.code !== 'overloaded') throw error;
    return numbered((passing as { answers: BulkLineAnswer[] }).answers, lines);
  }
  const half = Math.ceil(lines.length / 2);
  const first = await answersTo(client, lines.slice(0, half));
  return [...first, ...(await answersTo(client, lines.slice(half)))];
}

const numbered = (answers: readonly BulkLineAnswer[], lines: Batch): BulkLineAnswer[] =>
  answers.map((answer, at) => ({ ...answer, line: lines[at]!.line }));

async function readAnswers(client: ServiceClient, body: string) {
  const query = { durability: 'relaxed', describe: true };
  const type = 'application/x-ndjson';
  const text = await client.text({ method: 'POST', path: '/documents', query, body, contentType: type });
  const answers: BulkLineAnswer[] = [];
  let summary: Summary | null = null;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const json = JSON.parse(line) as BulkLineAnswer | { readonly summary: Summary };
    if ('summary' in json) summary = json.summary;
    else answers.push(json);
  }
  if (summary === null || summary.durable === false) {
    const lost = `The answer of ${client.server} broke off, or something was lost there.`;
    throw new ShingledError('overloaded', lost);
  }
  return { answers, isComplete: summary.complete };
}
