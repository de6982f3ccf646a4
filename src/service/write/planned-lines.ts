import type { MadeRecord } from '../../core/coding/made-record.ts';
import { ShingledError } from '../../errors.ts';
import { letGo } from '../../sharing/garbage.ts';
import type { PutPlan } from '../../store/port.ts';
import type { BulkLine, BulkOperation } from '../api.ts';
import type { ServiceContext } from '../context.ts';
import { bodyBytes } from './bulk.ts';
import { tellsOfOthers } from './unless.ts';
import { type CheckedLine, checkPutLine, inputOf, type PlanContext, planPut } from './write-plans.ts';

/*
 * Lines that do nothing but put documents, as plans for a store that takes many at once (a first load).
 *
 *   lines ─ groups of 128 ─ checked here, read and sketched by the workers, some groups ahead ─ plans, in the order of lines
 *
 * A line of another kind ends them: what deletes, or asks what is there, needs an index that is there.
 */

/** One batch of the workers: of two, what is under way is twice as much, and collecting garbage copies it again and again. */
const GROUP_LINES = 128;
const GROUP_BYTES = 1024 * 1024;
/** Groups that the workers have in hand, while the one before them is stored. */
const GROUPS_AHEAD = 4;

/** A line, with what it puts, or with why it puts nothing. */
export type PlannedLine = { readonly line: BulkLine } & (
  | { readonly plan: PutPlan; readonly record: MadeRecord | null }
  | { readonly error: unknown }
);

type Planner = PlanContext & Pick<ServiceContext, 'documents' | 'caller'>;

export class PlannedLines {
  private readonly context: Planner;
  private readonly lines: AsyncIterator<BulkLine>;
  /** The first line that is no plain put. */
  private other: BulkLine | null = null;
  private ended = false;

  constructor(context: Planner, lines: AsyncIterable<BulkLine>) {
    this.context = context;
    this.lines = lines[Symbol.asyncIterator]();
  }

  /**
   * None is empty, and each is the taker's, to {@link letGo} of.
   *
   * @throws what reading lines throws, after the plans of all lines before it
   */
  async *groups(): AsyncGenerator<PlannedLine[], void, undefined> {
    try {
      yield* this.readAhead();
    } finally {
      // whoever stops before their end reads no more of them
      if (this.other === null) await this.lines.return?.();
    }
  }

  private async *readAhead(): AsyncGenerator<PlannedLine[], void, undefined> {
    const ahead: Promise<PlannedLine[]>[] = [];
    const broken: unknown[] = [];
    for (;;) {
      while (ahead.length < GROUPS_AHEAD && !this.ended && broken.length === 0) {
        const group: CheckedOrNot[] = [];
        await this.read(group).catch((error: unknown) => broken.push(error));
        if (group.length > 0) ahead.push(heldBack(this.plan(group)));
      }
      const first = ahead.shift();
      if (first === undefined) break;
      yield await first;
    }
    if (broken.length > 0) throw broken[0];
  }

  /** What is left once the groups have ended: from the first line of another kind on; null where there was none. */
  get rest(): AsyncIterable<BulkLine> | null {
    return this.other === null ? null : continued(this.other, this.lines);
  }

  private async read(group: CheckedOrNot[]): Promise<void> {
    for (let bytes = 0; group.length < GROUP_LINES && bytes < GROUP_BYTES; ) {
      const next = await this.lines.next();
      const line = next.done === true ? null : next.value;
      if (line === null || !isPlainPut(line)) {
        this.other = line;
        this.ended = true;
        return;
      }
      bytes += bodyBytes(line);
      group.push(this.check(line));
    }
  }

  private check(line: BulkLine): CheckedOrNot {
    if ('error' in line) return { line, error: line.error };
    try {
      return { line, put: checkPutLine(this.context, line.operation as PutOperation) };
    } catch (error) {
      return { line, error };
    }
  }

  /** @param group done with afterwards */
  private async plan(group: CheckedOrNot[]): Promise<PlannedLine[]> {
    const { context } = this;
    const puts = group.filter((one) => 'put' in one).map(({ put }) => put);
    const outcomes = await context.documents.processAll(
      puts.map((put) => inputOf(context, put)),
      context.caller,
    );
    const planned: PlannedLine[] = [];
    let at = 0;
    for (const one of group) {
      if (!('put' in one)) {
        planned.push(one);
        continue;
      }
      const { line, put } = one;
      const outcome = outcomes[at++]!;
      if (outcome instanceof ShingledError) {
        planned.push({ line, error: outcome });
        continue;
      }
      const plan = planPut(context, put, outcome);
      planned.push({ line, plan: plan instanceof Promise ? await plan : plan, record: outcome.record });
    }
    letGo(outcomes);
    letGo(group);
    return planned;
  }
}

/** Holds its error until it is awaited: one that fails ahead of its turn would end the process otherwise. */
function heldBack<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** A line that may be read, or why it may not. */
type CheckedOrNot = { readonly line: BulkLine } & ({ readonly put: CheckedLine } | { readonly error: unknown });

type PutOperation = Extract<BulkOperation, { op: 'put' }>;

/** Whether a line is a put that asks for nothing, or one that cannot be read, which is told of it whatever is there. */
const isPlainPut = (line: BulkLine) =>
  'error' in line || (line.operation.op === 'put' && !tellsOfOthers(line.operation));

async function* continued(first: BulkLine, lines: AsyncIterator<BulkLine>): AsyncGenerator<BulkLine, void, undefined> {
  try {
    yield first;
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) yield next.value;
  } finally {
    await lines.return?.();
  }
}
