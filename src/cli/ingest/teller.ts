import { ShingledError } from '../../errors.ts';
import type { IngestItem, RefusedReason } from '../../ingest/port.ts';
import type { BulkLineAnswer, Match, PutAnswer } from '../../service/api.ts';
import type { LineFile } from './line-file.ts';
import type { LoadState } from './state-file.ts';
import { increment, type Tally } from './tally.ts';

/** A record as it is told of, without what it says. */
export interface Seen extends Pick<IngestItem, 'at' | 'bytes'> {
  readonly file: string;
  readonly url: string | null;
}

/** What became of a record. */
export type Outcome = { readonly seen: Seen } & (
  | { readonly kind: 'line'; readonly answer: BulkLineAnswer }
  | { readonly kind: 'put'; readonly answer: PutAnswer }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'refused'; readonly reason: RefusedReason; readonly detail: string }
  | { readonly kind: 'not-modified' }
  /** Read, and nothing is to become of it. */
  | { readonly kind: 'done' }
);

export function seenOf(item: IngestItem): Seen {
  const { at, bytes, next } = item;
  return { at, bytes, file: next.file, url: urlOf(item) };
}

function urlOf(item: IngestItem): string | null {
  if ('operation' in item) return item.operation.url;
  if ('wanted' in item) return item.wanted;
  return 'list' in item ? item.list : item.url;
}

/** What says nothing of the record, and everything of the disk or the service. */
const FAULTS: ReadonlySet<string> = new Set([
  ...['storage-full', 'write-queue-full', 'overloaded', 'draining', 'rate-limited'],
  ...['service-unreachable', 'unauthorized', 'forbidden'],
]);

/** Of archives and folders: nothing is wrong with them. */
const PASSED_OVER: ReadonlySet<string> = new Set<RefusedReason>(['no-document', 'unusable-type']);

type Written = Pick<PutAnswer, 'url' | 'status' | 'similar' | 'similarComplete'> & {
  readonly isNew: boolean;
  readonly short: boolean;
};

/** Tells of records in their order: counts them, and writes lines of those that were refused or resemble others. */
export class Teller {
  readonly tally: Tally;
  /** By reason the first record that was refused or passed over, and why. */
  readonly firsts = new Map<string, string>();
  readonly #errors: LineFile | null;
  readonly #similar: LineFile | null;

  /** @param tally what is counted on from */
  constructor(tally: Tally, files: { readonly errors: LineFile | null; readonly similar: LineFile | null }) {
    this.tally = structuredClone(tally);
    this.#errors = files.errors;
    this.#similar = files.similar;
  }

  /** @returns the fault that keeps it from being done, null where it is told */
  tell(outcome: Outcome): ShingledError | null {
    const { seen } = outcome;
    const failure = failureOf(outcome);
    if (failure !== null && FAULTS.has(failure.code)) return failure.fault();
    this.tally.read++;
    this.tally.bytes += seen.bytes;
    if (failure !== null) this.#refuse(seen, failure.code, failure.detail);
    else if (outcome.kind === 'line' || outcome.kind === 'put') this.#tellWritten(writtenOf(outcome));
    else if (outcome.kind === 'not-modified') this.tally.notModified++;
    return null;
  }

  /** All that was told so far, once its lines are on disk. */
  sure(): Omit<LoadState, 'position'> {
    const errorsBytes = this.#errors?.sync() ?? 0;
    const similarBytes = this.#similar?.sync() ?? 0;
    return { tally: structuredClone(this.tally), errorsBytes, similarBytes };
  }

  close(): void {
    this.#errors?.close();
    this.#similar?.close();
  }

  #refuse({ file, at, url }: Seen, reason: string, detail: string): void {
    increment(PASSED_OVER.has(reason) ? this.tally.passedOver : this.tally.refused, reason);
    if (!this.firsts.has(reason)) this.firsts.set(reason, `${file}, ${at}: ${detail}`);
    this.#errors?.add({ file, at, url, reason, detail });
  }

  #tellWritten({ url, status, isNew, short, similar = [], similarComplete = true }: Written): void {
    increment(this.tally.results, status);
    const isWritten = status === 'created' || status === 'updated';
    if (isWritten && !isNew) this.tally.identical++;
    if (short) this.tally.short++;
    if (similar.length === 0 || !(isWritten || status === 'skipped')) return;
    this.#similar?.add({ url, status, similar: similar.map(resembled), complete: similarComplete });
  }
}

function resembled({ sources, sourceCount, equivalence, resemblance, queryInMatch, matchInQuery }: Match): object {
  return { urls: sources.map(({ url }) => url), sourceCount, equivalence, resemblance, queryInMatch, matchInQuery };
}

interface Failure {
  readonly code: string;
  readonly detail: string;
  readonly fault: () => ShingledError;
}

function failureOf(outcome: Outcome): Failure | null {
  if (outcome.kind === 'refused') return failure(outcome.reason, outcome.detail);
  if (outcome.kind === 'line' && 'code' in outcome.answer) return failure(outcome.answer.code, outcome.answer.detail);
  if (outcome.kind !== 'failed') return null;
  const { error } = outcome;
  if (error instanceof ShingledError) return { code: error.code, detail: error.message, fault: () => error };
  return failure('internal', error instanceof Error ? error.message : String(error));
}

const failure = (code: string, detail: string): Failure => ({
  code,
  detail,
  fault: () => new ShingledError(code as ShingledError['code'], detail),
});

function writtenOf(outcome: Extract<Outcome, { readonly kind: 'line' | 'put' }>): Written {
  if (outcome.kind === 'put') {
    const { newContent, content, ...told } = outcome.answer;
    return { ...told, isNew: newContent, short: content?.short ?? false };
  }
  const answer = outcome.answer as Extract<BulkLineAnswer, { readonly result: unknown }>;
  const { result, newContent = true, short = false } = answer;
  return { ...answer, status: result, isNew: newContent, short };
}
