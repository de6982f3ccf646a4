import { ShingledError } from '../../errors.ts';
import { Places } from '../../sharing/places.ts';
import type { DeletePlan, GonePlan, WriteOutcome } from '../../store/port.ts';
import type { DocumentInput } from '../../workers/port.ts';
import type { BulkOperation, PutAnswer, Thresholds } from '../api.ts';
import { BegunWrite, BegunWrites } from '../begun-writes.ts';
import type { ServiceContext } from '../context.ts';
import { withDeadline } from '../deadline.ts';
import { unknownUrl } from '../document/query.ts';
import { inPlace } from '../place.ts';
import { type LookUp, neighboursOf, type ReadPut, type WriteOptions, type WrittenPut, writeUnless } from './unless.ts';
import { checkPut, planDelete, planGone, readPut } from './write-plans.ts';

/** What a line brings, once it is read. */
type ReadLine = ReadPut | { readonly plan: GonePlan | DeletePlan };

/** A line's URL, and how it is read: checked already, read when its turn comes. */
interface Draft {
  readonly url: string;
  readonly unless: Thresholds | null;
  readonly read: () => Promise<ReadLine> | ReadLine;
}

/** What became of a line. */
export type WrittenLine = Pick<WriteOutcome, 'contentKept'> &
  Pick<PutAnswer, 'url' | 'status' | 'similar' | 'similarComplete'>;

/** Writes the lines of one bulk request, those for one URL in their order. */
export class BulkWriter {
  readonly #context: ServiceContext;
  readonly #options: WriteOptions;
  /** Those under way. */
  readonly #lines = new BegunWrites();
  /** For each URL under way, its last line so far. */
  readonly #lastLines = new Map<string, BegunWrite>();
  #isAnyConditional = false;

  constructor(context: ServiceContext, relaxed: boolean) {
    const { limits, caller } = context;
    this.#context = context;
    const apply = { caller, roomWaitMs: limits.bulkWaitMs, relaxed };
    const mayWrite = (write: BegunWrite) => this.#afterVerdicts(write);
    this.#options = { lookUp: lookUpInBulk(context), ofRequest: this.#lines, apply, mayWrite };
  }

  /** To be called in the order of the lines. @throws whatever reading, asking and storing throw */
  async write(operation: BulkOperation): Promise<WrittenLine> {
    const draft = draftOf(this.#context, operation);
    const { url } = draft;
    const write = new BegunWrite(url, draft.unless);
    this.#isAnyConditional ||= draft.unless !== null;
    const lineBefore = this.#lastLines.get(url);
    write.enter(this.#lines);
    this.#lastLines.set(url, write);
    try {
      const { line, ...written } = await write.run(() => this.#writeInTurn(draft, write, lineBefore));
      const { outcome } = written;
      const { status, contentKept } = outcome ?? ({ status: 'skipped', contentKept: false } as const);
      if (status === 'unknown') throw unknownUrl('url');
      const neighbours =
        'query' in line ? await neighboursOf(this.#context, line, written, this.#options.lookUp) : null;
      return { url, status, contentKept, ...neighbours };
    } finally {
      if (this.#lastLines.get(url) === write) this.#lastLines.delete(url);
    }
  }

  async #writeInTurn(
    draft: Draft,
    write: BegunWrite,
    lineBefore: BegunWrite | undefined,
  ): Promise<WrittenPut & { readonly line: ReadLine }> {
    const { store, conditional } = this.#context;
    const line = await draft.read();
    if (draft.unless !== null) {
      for (const earlier of this.#lines.before(write)) if (earlier.known.ahead !== null) await earlier.known.ahead;
      write.enter(conditional);
    }
    write.know('query' in line ? line.plan.content : null);
    await lineBefore?.ended;
    if ('query' in line) return { line, ...(await writeUnless(this.#context, line, write, this.#options)) };
    await this.#afterVerdicts(write);
    return { line, outcome: await store.apply(line.plan, this.#options.apply), standing: null };
  }

  /**
   * Waits until no line before this one has still to be held against what the index was before it. A line may be
   * written sooner only where it is held against them in turn, and takes nothing away.
   */
  async #afterVerdicts(write: BegunWrite): Promise<void> {
    if (!this.#isAnyConditional) return;
    const unjudged = this.#lines
      .before(write)
      .filter((earlier) => earlier.unless !== null && earlier.judged.ahead !== null);
    if (unjudged.length === 0) return;
    if (write.unless !== null && (await this.#context.store.source(write.url)) === undefined) return;
    for (const earlier of unjudged) await earlier.judged.ahead;
  }
}

/** As many look-ups of one request at a time as of a batch of queries; each waits for its place as long as a line does. */
function lookUpInBulk(context: ServiceContext): LookUp {
  const { caller, limits } = context;
  const room = new Places({
    // of which one caller has half
    size: 2 * limits.batchLinesInFlightMax,
    waitingMax: limits.bulkLinesInFlightMax,
    refusal: () => new ShingledError('overloaded', 'Too many lines wait to be looked up.'),
  });
  return (work) =>
    withDeadline(limits.bulkWaitMs, undefined, (until) => {
      const patience = { until, isPatient: true };
      const inRoom = () => inPlace(context, () => work(until), patience);
      return inPlace({ places: room, caller }, inRoom, patience);
    });
}

/** @throws ShingledError for a line that cannot be written whatever is there */
function draftOf(context: ServiceContext, operation: BulkOperation): Draft {
  if (operation.op !== 'put') {
    const plan = operation.op === 'gone' ? planGone(context, operation) : planDelete(context, operation.url);
    return { url: plan.url, unless: null, read: () => ({ plan }) };
  }
  const { body, unless } = operation;
  if (body === null) {
    throw new ShingledError('invalid-request', 'A line that puts a document brings its text.', { field: 'text' });
  }
  const checked = checkPut(context, operation);
  const readBytes = (input: DocumentInput) => context.documents.processInBulk(input, context.caller);
  return { url: checked.name.url, unless, read: () => readPut(context, operation, checked, body, readBytes) };
}
