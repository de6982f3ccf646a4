import { ShingledError } from '../../errors.ts';
import { withDeadline } from '../../sharing/deadline.ts';
import { Places } from '../../sharing/places.ts';
import type { DeletePlan, GonePlan, SamePlan, Store, WriteOutcome } from '../../store/port.ts';
import type { BulkOperation, PutAnswer } from '../api.ts';
import { BegunWrite, BegunWrites } from '../begun-writes.ts';
import type { ServiceContext } from '../context.ts';
import { isShort, unknownUrl } from '../document/query.ts';
import { LineOrder } from './line-order.ts';
import {
  type LookUp,
  neighboursOf,
  type ReadPut,
  tellsOfOthers,
  type WriteOptions,
  type WrittenPut,
  writeUnless,
} from './unless.ts';
import { checkPutLine, planDelete, planGone, planSame, readPut } from './write-plans.ts';

/** What a line brings, once it is read. */
type ReadLine = ReadPut | { readonly plan: SamePlan | GonePlan | DeletePlan };

/** … and what came of writing it. */
interface WrittenRead extends WrittenPut {
  readonly line: ReadLine;
}

/** What became of a line. */
export type WrittenLine = Pick<WriteOutcome, 'contentKept'> &
  Pick<PutAnswer, 'url' | 'status' | 'similar' | 'similarComplete'> & {
    /** Of a put. */
    readonly described: Described | null;
  };

interface Described {
  readonly newContent: boolean;
  readonly short: boolean;
}

/**
 * Writes the lines of one bulk request, those for one URL in their order.
 *
 * @returns to be called in the order of the lines; throws whatever reading, asking and storing throw
 */
export function createBulkWriter(context: ServiceContext, relaxed: boolean) {
  const { store, conditional, limits, caller } = context;
  /** Those under way. */
  const lines = new BegunWrites();
  const order = new LineOrder();
  let isAnyConditional = false;
  const apply = { caller, roomWaitMs: limits.bulkWaitMs, relaxed };
  const lookUp = lookUpInBulk(context);
  const options: WriteOptions = { lookUp, ofRequest: lines, apply, mayWrite };

  async function writeInTurn({ write, read }: Draft, linesBefore: readonly BegunWrite[]): Promise<WrittenRead> {
    const line = await read();
    if (write.unless !== null) await enterConditional(write);
    // what is the same as another is known once it is there
    if (line.plan.kind !== 'same') write.know('document' in line ? line.plan.content : null);
    if (linesBefore.length > 0) await allBefore(line, linesBefore);
    if ('document' in line && line.unless !== null) {
      const { outcome, standing } = await writeUnless(context, line, write, options);
      return { line, outcome, standing };
    }
    const ahead = mayWrite(write);
    if (ahead !== null) await ahead;
    const applied = store.apply(line.plan, apply);
    write.handedOver.happen();
    const outcome = await applied;
    // before others go on, who may tell what was not known
    if (outcome.status === 'unknown' && line.plan.kind === 'same') throw await unknownSame(store, line.plan);
    return { line, outcome, standing: null };
  }

  async function enterConditional(write: BegunWrite): Promise<void> {
    for (const earlier of lines.before(write)) if (earlier.known.ahead !== null) await earlier.known.ahead;
    write.enter(conditional);
  }

  /**
   * Waits until no line before this one has still to be held against what the index was before it. A line may be
   * written sooner only where it is held against them in turn, and takes nothing away.
   */
  async function afterVerdicts(write: BegunWrite): Promise<void> {
    const unjudged = lines.before(write).filter(({ unless, judged }) => unless !== null && judged.ahead !== null);
    if (unjudged.length === 0) return;
    if (write.unless !== null && (await store.source(write.url)) === undefined) return;
    for (const earlier of unjudged) await earlier.judged.ahead;
  }

  function mayWrite(write: BegunWrite): Promise<void> | null {
    return isAnyConditional ? afterVerdicts(write) : null;
  }

  return async (operation: BulkOperation): Promise<WrittenLine> => {
    const draft = draftOf(context, operation);
    const { write, reads } = draft;
    isAnyConditional ||= write.unless !== null;
    const linesBefore = order.enter(write, reads);
    write.enter(lines);
    try {
      const written = await write.run(() => writeInTurn(draft, linesBefore));
      const { line } = written;
      const told = writtenLineOf(written);
      if (!('document' in line && tellsOfOthers(line))) return told;
      return { ...told, ...(await neighboursOf(context, line, written, lookUp)) };
    } finally {
      order.leave(write, reads);
    }
  };
}

/**
 * Waits for lines before a line that may change what it comes to. The store keeps the order of what one caller hands over, so
 * that the versions of one URL go in one batch, and not in one each. What is read before it is written needs their ends.
 */
async function allBefore(line: ReadLine, writes: readonly BegunWrite[]): Promise<void> {
  const isRead = line.plan.kind === 'same' || ('document' in line && line.unless !== null);
  for (const { handedOver, ended } of writes) await (isRead ? ended : handedOver.ahead);
}

/** @throws ShingledError `unknown-url` */
function writtenLineOf({ line, outcome }: WrittenRead): WrittenLine {
  const { url } = line.plan;
  const { status, contentKept } = outcome ?? ({ status: 'skipped', contentKept: false } as const);
  if (status === 'unknown') throw unknownUrl('url');
  if (!('document' in line)) return { url, status, contentKept, described: null };
  const described = { newContent: outcome?.contentIsNew === true, short: isShort(line.plan.content) };
  return { url, status, contentKept, described };
}

/** As many look-ups of one request at a time as of a batch of queries; each waits for its place as long as a line does. */
function lookUpInBulk({ caller, limits, places }: ServiceContext): LookUp {
  const room = new Places({
    // of which one caller has half
    size: 2 * limits.batchLinesInFlightMax,
    waitingMax: limits.bulkLinesInFlightMax,
    refusal: () => new ShingledError('overloaded', 'Too many lines wait to be looked up.'),
  });
  return (work) =>
    withDeadline(limits.bulkWaitMs, undefined, (until) => {
      const patience = { until, patient: true };
      return room.run(caller, patience, () => places.run(caller, patience, () => work(until)));
    });
}

/** A line as others see it, and how it is read: checked already, read when its turn comes. */
interface Draft {
  readonly write: BegunWrite;
  /** The other URL whose content it takes. */
  readonly reads: string | null;
  readonly read: () => Promise<ReadLine> | ReadLine;
}

/** @throws ShingledError for a line that cannot be written whatever is there */
function draftOf(context: ServiceContext, operation: BulkOperation): Draft {
  if (operation.op !== 'put') {
    const plan = planOf(context, operation);
    const reads = plan.kind === 'same' && plan.as !== plan.url ? plan.as : null;
    return { write: new BegunWrite(plan.url, null), reads, read: () => ({ plan }) };
  }
  const put = checkPutLine(context, operation);
  const read = () => readPut(context, put, (input) => context.documents.processInBulk(input, context.caller));
  return { write: new BegunWrite(put.name.url, operation.unless), reads: null, read };
}

function planOf(context: ServiceContext, operation: Exclude<BulkOperation, { op: 'put' }>) {
  switch (operation.op) {
    case 'same':
      return planSame(context, operation);
    case 'gone':
      return planGone(context, operation);
    case 'delete':
      return planDelete(context, operation.url);
  }
}

async function unknownSame(store: Store, { as, url }: SamePlan): Promise<ShingledError> {
  const field = as === url ? 'url' : 'as';
  if ((await store.source(as)) === undefined) return unknownUrl(field);
  const detail = 'The URL is known, but what it said then is not, or is forgotten.';
  return new ShingledError('unknown-version', detail, { field });
}
