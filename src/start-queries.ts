import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { limitsFrom } from './config/setting.ts';
import type { Config } from './config.ts';
import { EXTRACT_LIMIT_ROWS, extractLimits } from './extract/limits.ts';
import type { Identity } from './identity/identity.ts';
import type { QueryThreadData } from './queries/query.worker.ts';
import { QueryThreads } from './queries/query-threads.ts';
import type { ServiceLimits } from './service/limits.ts';
import type { EventLoop } from './sharing/turns.ts';
import type { LevelStore } from './store/level/level-store.ts';
import type { DocumentPipeline } from './workers/port.ts';

const THREAD_FILE = new URL(
  `./queries/query.worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`,
  import.meta.url,
);

/** What a query of 32 under way may hold: records of candidates, and an answer of a megabyte. */
const MEMORY_MB = 512;
/** Three semi-spaces of 8 MB: what a thread has under way is little beside what bulk writes keep in the main one. */
const YOUNG_MEMORY_MB = 24;

export interface QueryThreadParts {
  readonly store: LevelStore;
  readonly identity: Identity;
  readonly limits: ServiceLimits;
  readonly loop: EventLoop;
  readonly documents: Pick<DocumentPipeline, 'kernel'>;
}

/** The configured query threads over an open index; undefined where there are to be none. */
export function openQueryThreads(
  config: Config,
  { store, identity, limits, loop, documents }: QueryThreadParts,
  log: Logger,
): QueryThreads | undefined {
  const { feed } = store;
  const count = config.QUERY_THREADS ?? Math.max(1, availableParallelism() - 1);
  if (count === 0) return undefined;
  const workerData = (): QueryThreadData => ({
    ...{ setup: feed.setup, first: feed.whole, identity, limits, kernel: documents.kernel.name },
    extractLimits: extractLimits(limitsFrom(config, 'EXTRACT_', EXTRACT_LIMIT_ROWS)),
  });
  const threads = new QueryThreads({
    ...{ count, file: THREAD_FILE, workerData, memoryMb: MEMORY_MB, youngMemoryMb: YOUNG_MEMORY_MB },
    beforeQuestion: () => feed.flush(),
    isFree: () => loop.isFree,
    onWorked: (caller, ms) => loop.chargeTime(caller, ms),
    onEnded: (why) => log.error({ why }, 'a query thread has ended, and is started again'),
  });
  feed.follow(threads);
  log.info(`queries are answered by ${count} ${count === 1 ? 'thread' : 'threads'} beside the main one`);
  return threads;
}
