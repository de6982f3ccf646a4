import { Deadline } from '../../../sharing/deadline.ts';
import type { IndexDescription, SweepOutcome, WriteOutcome, WritePlan } from '../../port.ts';
import type { StoreSettings } from '../../settings.ts';
import type { KnownKeys } from '../database/known-keys.ts';
import { lexicalKey } from '../format/keys.ts';
import { NOT_LOADED, type RowReader } from '../format/loaded-rows.ts';
import type { Totals } from '../format/values.ts';
import { inSteps, nextTurn } from '../next-turn.ts';
import { BatchRows } from './batch-rows.ts';
import type { Pending } from './committer.ts';
import { Draft } from './draft.ts';
import { sweepPast } from './history.ts';
import { resolvePlan } from './resolve.ts';

/*
 * Plans that wait become one batch: each is resolved over what those before it come to.
 *
 *   prefetch        one read for all: the source row and the lexical digest of every plan, but of those that are certainly new
 *   resolve         in order, without waiting; most plans need nothing more
 *   a row lacks     the plan begins anew when the row is there; before it is read, the plans after it are tried out as well,
 *                   so that what they lack is read with it: as many reads a batch as the longest chain of rows, about three
 */

/** The batch takes no further plan from this many rows and kept fingerprints on: it is held in memory, and in the log. */
const BATCH_WEIGHT_MAX = 400_000;
/** A row weighs as much as so many fingerprints. */
const ROW_WEIGHT = 64;
/** Resolving pauses after so long, for everything else that waits. */
const SLICE_MS = 2;
/** So often the plans that follow are tried out: a batch in which each plan builds on the one before is not tried n² times. */
const TRIALS_MAX = 6;

export interface Resolved {
  readonly draft: Draft;
  /** Settle the plans once the batch is on disk. */
  readonly settle: readonly (() => void)[];
  /** Plans for which the batch had no room. */
  readonly left: readonly PendingWrite[];
}

export interface ResolverParts {
  readonly database: RowReader;
  readonly known: Pick<KnownKeys, 'mayHave'>;
  readonly description: IndexDescription;
  readonly settings: StoreSettings;
  /** False where what follows from all sources is made later: how many hold each content, by which rows hosts are sampled. */
  readonly keepsDerived?: boolean;
}

export class Resolver {
  private readonly parts: ResolverParts;
  private slice = new Deadline(SLICE_MS);

  constructor(parts: ResolverParts) {
    this.parts = parts;
  }

  /** @param before the batch that is on its way to the disk, with the totals after it */
  async resolve(requests: readonly PendingWrite[], totals: Totals, before?: BatchRows): Promise<Resolved> {
    const { database, description, settings, keepsDerived = true } = this.parts;
    const keyed = keepsDerived ? { firstContent: totals.nextContent, rankKey: settings.rankKey } : null;
    const rows = new BatchRows(database, keyed, before);
    const draft = new Draft(rows, totals, description, settings);
    await this.prefetch(rows, requests);
    const settle: (() => void)[] = [];
    let trials = 0;
    let taken = 0;
    let weight = 0;
    this.slice = new Deadline(SLICE_MS);
    while (taken < requests.length && weight < BATCH_WEIGHT_MAX) {
      if (this.slice.passed) await this.pause();
      const { request, resolve, reject } = requests[taken]!;
      try {
        const outcome = draft.attempt(() => resolveRequest(draft, request));
        settle.push(() => resolve(outcome));
      } catch (error) {
        if (error === NOT_LOADED) {
          if (trials++ < TRIALS_MAX) await this.tryOut(draft, requests, taken + 1);
          await rows.loaded.load();
          await inSteps(rows.loaded.steps());
          continue;
        }
        settle.push(() => reject(error));
      }
      taken++;
      weight += ROW_WEIGHT + weightOf(request);
    }
    // what comes next, sealing the rows, takes as long for large documents as resolving them did
    if (this.slice.passed) await this.pause();
    rows.forgetBefore();
    return { draft, settle, left: requests.slice(taken) };
  }

  /** Finds out what plans will ask for. What they come to is thrown away. */
  private async tryOut(draft: Draft, requests: readonly PendingWrite[], from: number): Promise<void> {
    for (let i = from; i < requests.length; i++) {
      if (this.slice.passed) await this.pause();
      try {
        draft.attempt(() => {
          resolveRequest(draft, requests[i]!.request);
          throw NOT_LOADED;
        });
      } catch {
        // thrown in any case; what is wrong with a plan is said in its turn
      }
    }
  }

  /** The rows that almost every plan starts from. */
  private prefetch(rows: BatchRows, requests: readonly PendingWrite[]): Promise<void> {
    const { known } = this.parts;
    const want = (key: string) => (known.mayHave(key) ? rows.loaded.want(key) : rows.loaded.absent(key));
    for (const { request } of requests) {
      if (request.kind === 'sweep') continue;
      const plan = request.kind === 'relaxed' ? request.plan : request;
      want(rows.keyOfSource(plan.url));
      if (plan.kind === 'put') want(lexicalKey(plan.content.id));
      else if (plan.kind === 'same') want(rows.keyOfSource(plan.as));
    }
    return rows.loaded.load();
  }

  private async pause(): Promise<void> {
    await nextTurn();
    this.slice = new Deadline(SLICE_MS);
  }
}

function resolveRequest(draft: Draft, request: WriteRequest): WriteOutcome | SweepOutcome {
  if (request.kind === 'sweep') return sweepPast(draft, request.now, request.limit);
  return resolvePlan(draft, request.kind === 'relaxed' ? request.plan : request);
}

function weightOf(request: WriteRequest): number {
  const plan = request.kind === 'relaxed' ? request.plan : request;
  return plan.kind === 'put' ? plan.content.sample.fingerprints.length : 0;
}

export interface SweepRequest {
  readonly kind: 'sweep';
  readonly now: number;
  readonly limit: number;
}

/** A plan that is acknowledged before it is synced. */
export interface RelaxedRequest {
  readonly kind: 'relaxed';
  readonly plan: WritePlan;
}

export type WriteRequest = WritePlan | RelaxedRequest | SweepRequest;
export type PendingWrite = Pending<WriteRequest, WriteOutcome | SweepOutcome>;
