import { ShingledError } from '../../errors.ts';
import type { IngestItem, RefusedReason } from '../../ingest/port.ts';
import type { BulkLineAnswer, Match, PutAnswer } from '../../service/api.ts';
import { type Asked, consequenceOf } from './consequences.ts';
import type { FolderListing } from './folders/folder-listing.ts';
import type { LineFile } from './line-file.ts';
import type { LoadState } from './state-file.ts';
import { type Examples, increment, type Tally } from './tally.ts';

/** A record as it is told of, without what it says. */
export interface Seen extends Pick<IngestItem, 'at' | 'bytes'>, Asked {
  readonly file: string;
  readonly mark: IngestItem['mark'] | undefined;
  /** Whether it is a folder that could not be read. */
  readonly hides: boolean;
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
  const { at, bytes, next, mark } = item;
  const op = 'operation' in item ? item.operation.op : null;
  const isNamed = 'wanted' in item && item.isNamed === true;
  return { at, bytes, file: next.file, url: urlOf(item), op, isNamed, mark, hides: 'hides' in item };
}

function urlOf(item: IngestItem): string | null {
  if ('operation' in item) return item.operation.url;
  if ('wanted' in item) return item.wanted;
  return 'list' in item ? item.list : item.url;
}

type Written = Pick<PutAnswer, 'url' | 'status' | 'similar' | 'similarComplete'> & {
  readonly isNew: boolean;
  readonly short: boolean;
};

/** Tells of records in their order: counts them, and writes lines of those that were refused or resemble others. */
export class Teller {
  readonly tally: Tally;
  /** By reason the first record that was refused or passed over in this run. */
  readonly examples: Examples = { refused: {}, passedOver: {} };
  /** Whether a document was written by the URL of its file, for want of another one. */
  hasFileUrls = false;
  readonly #errors: LineFile | null;
  readonly #similar: LineFile | null;
  readonly #listing: FolderListing | null;

  /** @param tally what is counted on from */
  constructor(
    tally: Tally,
    files: {
      readonly errors: LineFile | null;
      readonly similar: LineFile | null;
      readonly listing?: FolderListing | null;
    },
  ) {
    this.tally = structuredClone(tally);
    this.#errors = files.errors;
    this.#similar = files.similar;
    this.#listing = files.listing ?? null;
  }

  /** @returns the fault that keeps it from being done, null where it is told */
  tell(outcome: Outcome): ShingledError | null {
    const { seen } = outcome;
    const failure = failureOf(outcome);
    const consequence = failure === null ? null : consequenceOf(failure.code, seen);
    if (failure !== null && consequence === 'end') return failure.fault();
    this.tally.read++;
    this.tally.bytes += seen.bytes;
    if (failure !== null) this.#tellFailed(seen, failure, consequence === 'passed over');
    else if (outcome.kind === 'line' || outcome.kind === 'put') this.#tellWritten(writtenOf(outcome));
    else if (outcome.kind === 'not-modified') this.tally.notModified++;
    this.#listing?.tell(seen, { isRefused: consequence === 'refused', isTaken: isTaken(outcome, failure) });
    return null;
  }

  /** All that was told so far, once its lines are on disk. */
  sure(): Omit<LoadState, 'position'> {
    const errorsBytes = this.#errors?.sync() ?? 0;
    const errorsLeftOut = this.errorsLeftOut;
    const similarBytes = this.#similar?.sync() ?? 0;
    const listingBytes = this.#listing?.sync() ?? 0;
    return { tally: structuredClone(this.tally), errorsBytes, errorsLeftOut, similarBytes, listingBytes };
  }

  /** Records that were refused or passed over and are not in the file of these, which has its most bytes. */
  get errorsLeftOut(): number {
    return this.#errors?.leftOut ?? 0;
  }

  close(): void {
    this.#errors?.close();
    this.#similar?.close();
  }

  #tellFailed({ file, at, url }: Seen, { code: reason, detail }: Failure, isPassedOver: boolean): void {
    const which = isPassedOver ? 'passedOver' : 'refused';
    increment(this.tally[which], reason);
    this.examples[which][reason] ??= { file, at, url, detail };
    this.#errors?.add({ file, at, url, reason, detail, ...(isPassedOver ? { passedOver: true } : {}) });
  }

  #tellWritten({ url, status, isNew, short, similar = [], similarComplete = true }: Written): void {
    increment(this.tally.results, status);
    const isWritten = status === 'created' || status === 'updated';
    if (isWritten && !isNew) this.tally.identical++;
    if (isWritten && url.startsWith('file:')) this.hasFileUrls = true;
    if (short) this.tally.short++;
    if (similar.length === 0 || !(isWritten || status === 'skipped')) return;
    this.#similar?.add({ url, status, similar: similar.map(resembled), complete: similarComplete });
  }
}

/** Whether the index has what was read. */
function isTaken(outcome: Outcome, failure: Failure | null): boolean {
  if (outcome.kind === 'not-modified') return true;
  return (
    failure === null && (outcome.kind === 'line' || outcome.kind === 'put') && writtenOf(outcome).status !== 'skipped'
  );
}

function resembled({
  sources,
  sourceCount,
  moreSources,
  equivalence,
  resemblance,
  queryInMatch,
  matchInQuery,
}: Match): object {
  const more = moreSources === true ? { moreSources } : {};
  return {
    urls: sources.map(({ url }) => url),
    sourceCount,
    ...more,
    equivalence,
    resemblance,
    queryInMatch,
    matchInQuery,
  };
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
