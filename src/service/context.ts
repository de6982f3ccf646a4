import type { Sketcher } from '../core/sketch.ts';
import type { Fetcher } from '../fetch/port.ts';
import type { Identity } from '../identity/identity.ts';
import type { Store } from '../store/port.ts';
import type { DocumentPipeline } from '../workers/port.ts';
import type { ServiceLimits } from './limits.ts';
import type { QueryQueue } from './queue.ts';
import type { Turns } from './turns.ts';

/** What the service is made of; it closes none of it. */
export interface ServiceParts {
  readonly store: Store;
  readonly fetcher: Fetcher;
  readonly documents: DocumentPipeline;
  readonly identity: Identity;
  readonly limits: ServiceLimits;
  /** ms since 1970. */
  readonly now: () => number;
  readonly version: string;
  /** Told of what fails where no caller hears of it: a bulk line's unexpected error, a sweep. */
  readonly onFault?: (fault: unknown) => void;
}

/** What every use works with: the parts, what they share of the process, and for whom. */
export interface ServiceContext extends ServiceParts {
  readonly caller: string;
  readonly queries: QueryQueue;
  readonly turns: Turns;
  /** For the order of a query's shingles; sketches are made by the pipeline. */
  readonly sketcher: Sketcher;
}

/** The ms since `startedAt` (performance.now()), to a tenth. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}
