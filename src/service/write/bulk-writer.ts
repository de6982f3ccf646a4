import { ShingledError } from '../../errors.ts';
import { withDeadline } from '../../sharing/deadline.ts';
import { Places } from '../../sharing/places.ts';
import type { DeletePlan, GonePlan, WriteOutcome } from '../../store/port.ts';
import type { BulkOperation, PutAnswer } from '../api.ts';
import { BegunWrite, BegunWrites } from '../begun-writes.ts';
import type { ServiceContext } from '../context.ts';
import { unknownUrl } from '../document/query.ts';
import {
  type LookUp,
  neighboursOf,
  type ReadPut,
  tellsOfOthers,
  type WriteOptions,
  type WrittenPut,
  writeUnless,
} from './unless.ts';
import { checkPutLine, planDelete, planGone } from './write-plans.ts';

/** What a line brings, once it is read. */
type ReadLine = ReadPut | { readonly plan: GonePlan | DeletePlan };

/** What became of a line. */
export type WrittenLine = Pick<WriteOutcome, 'contentKept'> &
  Pick<PutAnswer, 'url' | 'status' | 'similar' | 'similarComplete'>;

/**
 * Writes the lines of one bulk request, those for one URL in their order.
 *
 * @returns to be called in the order of the lines; throws whatever reading, asking and storing throw
 */
export function createBulkWriter(context: ServiceContext, relaxed: boolean) {
  const { store, conditional, limits, caller } = context;
  /** Those under way. */
  const lines = new BegunWrites();
  /** For each URL under way, its last line so far. */
  const lastLines = new Map<string, BegunWrite>();
  let isAnyConditional = false;
  const apply = { caller, roomWaitMs: limits.bulkWaitMs, relaxed };
  const lookUp = lookUpInBulk(context);
  const options: WriteOptions = { lookUp, ofRequest: lines, apply, mayWrite };

  async function writeInTurn(
    { write, read }: Draft,
    lineBefore: BegunWrite | undefined,
  ): Promise<WrittenPut & { readonly line: ReadLine }> {
    const line = await read();
    if (write.unless !== null) {
      for (const earlier of lines.before(write)) if (earlier.known.ahead !== null) await earlier.known.ahead;
      write.enter(conditional);
    }
    write.know('document' in line ? line.plan.content : null);
    if (lineBefore !== undefined) await lineBefore.ended;
    if ('document' in line) {
      const { outcome, standing } = await writeUnless(context, line, write, options);
      return { line, outcome, standing };
    }
    const ahead = mayWrite(write);
    if (ahead !== null) await ahead;
    return { line, outcome: await store.apply(line.plan, apply), standing: null };
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
    const { write } = draft;
    const { url } = write;
    isAnyConditional ||= write.unless !== null;
    const lineBefore = lastLines.get(url);
    write.enter(lines);
    lastLines.set(url, write);
    try {
      const { line, ...written } = await write.run(() => writeInTurn(draft, lineBefore));
      const { status, contentKept } = written.outcome ?? ({ status: 'skipped', contentKept: false } as const);
      if (status === 'unknown') throw unknownUrl('url');
      if (!('document' in line) || !tellsOfOthers(line)) return { url, status, contentKept };
      return { url, status, contentKept, ...(await neighboursOf(context, line, written, lookUp)) };
    } finally {
      if (lastLines.get(url) === write) lastLines.delete(url);
    }
  };
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
  readonly read: () => Promise<ReadLine> | ReadLine;
}

/** @throws ShingledError for a line that cannot be written whatever is there */
function draftOf(context: ServiceContext, operation: BulkOperation): Draft {
  if (operation.op !== 'put') {
    const plan = operation.op === 'gone' ? planGone(context, operation) : planDelete(context, operation.url);
    return { write: new BegunWrite(plan.url, null), read: () => ({ plan }) };
  }
  const { name, read } = checkPutLine(context, operation);
  return { write: new BegunWrite(name.url, operation.unless), read };
}
