import type { WriteOutcome, WritePlan } from '../../port.ts';
import type { Pending } from './committer.ts';

export interface SweepRequest {
  readonly kind: 'sweep';
  readonly now: number;
  readonly limit: number;
}

export interface SweepOutcome {
  readonly examined: number;
  readonly forgotten: number;
}

/** A plan that is acknowledged before it is synced. */
export interface RelaxedRequest {
  readonly kind: 'relaxed';
  readonly plan: WritePlan;
}

export type WriteRequest = WritePlan | RelaxedRequest | SweepRequest;
export type PendingWrite = Pending<WriteRequest, WriteOutcome | SweepOutcome>;
