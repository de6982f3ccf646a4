import type { CorpusClusters } from '../cluster/served/port.ts';
import type { Sketcher } from '../core/sketch/sketch.ts';
import type { Fetcher } from '../fetch/port.ts';
import type { Identity } from '../identity/identity.ts';
import type { QueryPool } from '../queries/port.ts';
import type { Crowd } from '../sharing/crowd.ts';
import type { Deadline } from '../sharing/deadline.ts';
import type { Places } from '../sharing/places.ts';
import type { EventLoop, Turns } from '../sharing/turns.ts';
import type { ReadStore, Store } from '../store/port.ts';
import type { DocumentPipeline } from '../workers/port.ts';
import type { Access } from './api.ts';
import type { BegunWrites } from './begun-writes.ts';
import type { ServiceLimits } from './limits.ts';
import type { TemplateReader } from './templates.ts';

/** What the service is made of; it closes none of it. */
export interface ServiceParts {
  readonly store: Store;
  readonly fetcher: Fetcher;
  readonly documents: DocumentPipeline;
  /** Threads that answer queries; none where it is left out. */
  readonly queries?: QueryPool;
  /** A corpus that was clustered before; none where it is left out. */
  readonly corpus?: CorpusClusters;
  readonly identity: Identity;
  readonly limits: ServiceLimits;
  readonly loop: EventLoop;
  /** ms since 1970; never less than 0. */
  readonly now: () => number;
  readonly version: string;
  /** Begins the URLs at which archives have old versions of pages; there are none where it is left out. */
  readonly timegatePrefix?: string | undefined;
  /** Told of what fails where no caller hears of it: a bulk line's unexpected error, a sweep. */
  readonly onFault?: (fault: unknown, requestId?: string) => void;
  /** Told where nothing is forgotten by the clock for now, since it is so far ahead of where it has to be. */
  readonly onClockAhead?: (aheadMs: number) => void;
}

/** What it takes to answer a query, on whichever thread. */
export interface QueryContext {
  readonly store: ReadStore;
  readonly documents: Pick<DocumentPipeline, 'process'>;
  readonly identity: Identity;
  readonly limits: ServiceLimits;
  readonly sketcher: Sketcher;
  /** What pages of hosts have in common. */
  readonly templates: TemplateReader;
  readonly caller: string;
  /** The caller's turns of the event loop. */
  readonly turns: Turns;
  readonly deadline: Deadline;
}

/** What every use works with: the parts, what they share of the process, and for whom. */
export interface ServiceContext extends ServiceParts, Access {
  /** For requests to be worked for in. */
  readonly places: Places;
  /** For steps of lists to be read in. */
  readonly scans: Places;
  /** Whether queries come faster than one thread answers them. */
  readonly crowd: Crowd;
  /** The caller's turns of the event loop. */
  readonly turns: Turns;
  /** For the order of a query's shingles; sketches are made by the pipeline. */
  readonly sketcher: Sketcher;
  /** What pages of hosts have in common. */
  readonly templates: TemplateReader;
  /** Puts of all callers that are under way and inserted unless similar. */
  readonly conditional: BegunWrites;
}

/** The same, and until when. */
export interface TimedContext extends ServiceContext {
  readonly deadline: Deadline;
}

/** The ms since `startedAt` (performance.now()), to a tenth. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}
