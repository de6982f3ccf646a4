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

/** `next.record` of the first and the last item of an input; 0, 0: it has none. Of a table the first is behind its head. */
export interface RecordRange {
  readonly first: number;
  readonly last: number;
  /** How many there are; fewer than the numbers from the first to the last where blank lines stand between them. */
  readonly records: number;
}

/** Is told what is read, so that it can be found again. */
export interface FilesWatch {
  /** An input was read to its end. */
  input(records: RecordRange): void;
  /** Each record with an operation, in their order. */
  record(operation: BulkOperation, record: number): void;
  /** Each document, in their order. */
  document(operation: BulkOperation): void;
}

export interface CorpusLinesParts {
  readonly sources: IngestSources;
  readonly signal: AbortSignal | undefined;
  /** Nothing is fetched for it: what a list names is no record of a file. */
  readonly watch: FilesWatch | undefined;
}

export class CorpusLines {
  /** Records so far. */
  count = 0;
  /** Those that are none of the corpus, by reason. */
  readonly leftOut: Record<string, number> = {};
  private readonly parts: CorpusLinesParts;
  private bytesAhead: OpenedInput['bytesAhead'] = () => null;
  /** Where the last item ends in its input. */
  private byte = 0;
  /** Bytes that were left when that was first known. */
  private bytesAtFirst: number | null = null;
  /** Only where there are lists: a promise for each record would cost about as much as reading it. */
  private ahead: Promise<Line>[] = [];

  constructor(parts: CorpusLinesParts) {
    this.parts = parts;
  }

  /** How much of the inputs was read, 0 to 1; null while that is not known. */
  share(): number | null {
    const ahead = this.bytesAhead();
    if (typeof ahead !== 'number') return null;
    this.bytesAtFirst ??= ahead;
    return this.bytesAtFirst === 0 ? null : Math.min(1, 1 - (ahead - this.byte) / this.bytesAtFirst);
  }

  leaveOut(why: string): void {
    this.leftOut[why] = (this.leftOut[why] ?? 0) + 1;
  }

  /** Each line numbered by its record. */
  async *of(inputs: AsyncIterable<OpenedInput>): AsyncGenerator<BulkLine, void, undefined> {
    const { watch } = this.parts;
    if (watch !== undefined) yield* this.watched(inputs, watch);
    else {
      for await (const opened of inputs) {
        this.begin(opened);
        yield* this.read(opened.items, 0);
      }
    }
    while (this.ahead.length > 0) yield* this.first();
  }

  private async *watched(
    inputs: AsyncIterable<OpenedInput>,
    watch: FilesWatch,
  ): AsyncGenerator<BulkLine, void, undefined> {
    let before = 0;
    for await (const opened of inputs) {
      this.begin(opened);
      let [first, last, records] = [0, 0, 0];
      for await (const run of opened.items) {
        this.passed(run);
        this.parts.signal?.throwIfAborted();
        this.count += run.length;
        for (const item of run) {
          // where the rest of an input cannot be read, the number is none
          if (item.next.record > last) records++;
          last = Math.max(last, item.next.record);
          first ||= last;
          const record = before + Math.max(0, records - 1);
          if ('operation' in item) watch.record(item.operation, record);
          const line = this.putOf(item, record);
          if (line !== null) yield line;
        }
      }
      watch.input({ first, last, records });
      before += records;
    }
  }

  /** @param depth of lists around them */
  private async *read(runs: ItemRuns, depth: number): AsyncGenerator<BulkLine, void, undefined> {
    const { sources, signal } = this.parts;
    for await (const run of runs) {
      // a list in a list is somewhere else
      if (depth === 0) this.passed(run);
      signal?.throwIfAborted();
      for (const item of run) {
        if ('list' in item && depth < LISTS_DEEP_MAX) {
          yield* this.read(sources.openList(item.list), depth + 1);
          continue;
        }
        const record = this.count++;
        if ('wanted' in item) this.wait(this.fetched(item.wanted, record));
        else {
          const line = this.putOf(item, record);
          if (line === null) continue;
          if (this.ahead.length === 0) yield line;
          else this.wait(Promise.resolve(line));
        }
        if (this.ahead.length > FETCHES_AHEAD) yield* this.first();
      }
    }
  }

  private begin({ bytesAhead }: OpenedInput): void {
    this.bytesAhead = bytesAhead;
    this.byte = 0;
  }

  private passed(run: readonly IngestItem[]): void {
    this.byte = run.at(-1)?.next.byte ?? this.byte;
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

  private putOf(item: IngestItem, record: number): Line {
    if ('operation' in item && item.operation.op === 'put')
      return { line: record, operation: plainPut(item.operation) };
    this.leaveOut('refused' in item ? item.refused : 'list' in item ? 'malformed' : 'no-document');
    return null;
  }

  private async fetched(url: string, line: number): Promise<Line> {
    const { sources, signal } = this.parts;
    try {
      const { bytes, contentType, httpStatus } = await sources.fetchDocument(url, signal);
      if (httpStatus < 400) return { line, operation: { op: 'put', url, body: { bytes, contentType }, ...NO_WISHES } };
      this.leaveOut('fetch-status');
    } catch (error) {
      signal?.throwIfAborted();
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
