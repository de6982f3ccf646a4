import { ShingledError } from '../errors.ts';
import { LISTS_DEEP_MAX } from '../ingest/limits.ts';
import type { IngestItem, ItemRuns } from '../ingest/port.ts';
import type { IngestSources, OpenedInput } from '../ingest/sources.ts';
import type { BulkLine, BulkOperation } from '../service/api.ts';

/*
 * Records of files as lines that put documents, in their order. What a list names is fetched first, some ahead:
 *
 *   records ─┬─ documents ───────────────┬─ lines
 *            ├─ URLs of a list ─ fetched ─┘
 *            └─ lists in lists: read where they stand
 */

/** Documents that are fetched ahead of the one that is waited for. */
const FETCHES_AHEAD = 64;

type Line = BulkLine | null;

export class CorpusLines {
  /** Records so far. */
  count = 0;
  /** Those that are none of the corpus, by reason. */
  readonly leftOut: Record<string, number> = {};
  private readonly sources: IngestSources;
  private readonly signal: AbortSignal | undefined;
  /** Only where there are lists: a promise for each record would cost about as much as reading it. */
  private ahead: Promise<Line>[] = [];

  constructor(sources: IngestSources, signal: AbortSignal | undefined) {
    this.sources = sources;
    this.signal = signal;
  }

  leaveOut(why: string): void {
    this.leftOut[why] = (this.leftOut[why] ?? 0) + 1;
  }

  /** Each line numbered by its record. */
  async *of(inputs: AsyncIterable<OpenedInput>): AsyncGenerator<BulkLine, void, undefined> {
    for await (const { items } of inputs) yield* this.read(items, 0);
    while (this.ahead.length > 0) yield* this.first();
  }

  /** @param depth of lists around them */
  private async *read(runs: ItemRuns, depth: number): AsyncGenerator<BulkLine, void, undefined> {
    for await (const run of runs) {
      this.signal?.throwIfAborted();
      for (const item of run) {
        if ('list' in item && depth < LISTS_DEEP_MAX) {
          yield* this.read(this.sources.openList(item.list), depth + 1);
          continue;
        }
        const line = this.lineOf(item, this.count++);
        if (line === null) continue;
        if (this.ahead.length === 0 && !(line instanceof Promise)) yield line;
        else this.wait(Promise.resolve(line));
        if (this.ahead.length > FETCHES_AHEAD) yield* this.first();
      }
    }
  }

  private wait(line: Promise<Line>): void {
    // whoever waits for it is told; where reading ends before, nobody waits
    line.catch(() => {});
    this.ahead.push(line);
  }

  private async *first(): AsyncGenerator<BulkLine, void, undefined> {
    const line = await this.ahead.shift()!;
    if (line !== null) yield line;
  }

  private lineOf(item: IngestItem, line: number): BulkLine | Promise<Line> | null {
    if ('wanted' in item) return this.fetched(item.wanted, line);
    if ('operation' in item && item.operation.op === 'put') return { line, operation: plainPut(item.operation) };
    this.leaveOut('refused' in item ? item.refused : 'list' in item ? 'malformed' : 'no-document');
    return null;
  }

  private async fetched(url: string, line: number): Promise<Line> {
    try {
      const { bytes, contentType, httpStatus } = await this.sources.fetchDocument(url, this.signal);
      if (httpStatus < 400) return { line, operation: { op: 'put', url, body: { bytes, contentType }, ...NO_WISHES } };
      this.leaveOut('fetch-status');
    } catch (error) {
      this.signal?.throwIfAborted();
      if (!(error instanceof ShingledError)) throw error;
      this.leaveOut(error.code);
    }
    return null;
  }
}

const NO_WISHES = { observedAt: null, meta: null, select: null, remove: null, similar: 0, unless: null };

type Put = Extract<BulkOperation, { op: 'put' }>;

/** What a line wants to be told of other documents, or to depend on them, is for an index. */
const plainPut = (put: Put): Put => ({ ...put, similar: 0, unless: null });
