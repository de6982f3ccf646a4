import type { Logger } from 'pino';
import { ServedCorpus } from '../cluster/served/served-corpus.ts';
import { limitsFrom } from '../config/setting.ts';
import type { Config } from '../config.ts';
import { GuardedFetcher } from '../fetch/guarded-fetcher.ts';
import { FETCH_LIMIT_ROWS } from '../fetch/limits.ts';
import { openIndex } from '../open-index.ts';
import { SERVICE_LIMIT_ROWS, SERVICE_LIMITS } from '../service/limits.ts';
import { createService } from '../service/service.ts';
import { EventLoop } from '../sharing/turns.ts';
import { openQueryThreads } from '../start-queries.ts';
import { openDocuments } from './open-documents.ts';

/* A service without HTTP: a command on a folder wants no more, and need not load Fastify and all that is around it. */

const CLOCK_AHEAD =
  'the clock is far ahead of the newest document, or of how long the service runs: should it be right, past contents are forgotten by it in a day';

/** The process that the service runs in. */
export interface Process {
  readonly version: string;
  readonly pid: number;
  /** Whether it is a command of who owns the machine, who may know why a page could not be fetched. */
  readonly isCommand?: boolean;
}

/**
 * An index with all that answers questions of it.
 *
 * @throws ShingledError `invalid-config`, `index-missing`, `index-locked`, `index-mismatch`, `index-damaged`
 */
export async function openParts(config: Config, { version, pid, isCommand = false }: Process, log: Logger) {
  const limits = { ...SERVICE_LIMITS, ...limitsFrom(config, '', SERVICE_LIMIT_ROWS) };
  const loop = new EventLoop(limits.sliceMs);
  const corpus = await openCorpus(config, log, loop);
  const { store, identity } = await openIndex(config, pid, log).catch(async (error: unknown) => {
    await corpus?.close();
    throw error;
  });
  const documents = openDocuments(config, identity, { onWorked: (caller, ms) => loop.chargeTime(caller, ms) });
  log.info(`sketches are made by the ${documents.kernel.name} kernel: ${documents.kernel.why}`);
  const refusals = new Map<string, number>();
  /** What listens on a port says so here: the fetcher keeps away from it. */
  const ownPorts: number[] = [];
  const fetcher = new GuardedFetcher({
    ...limitsFrom(config, 'FETCH_', FETCH_LIMIT_ROWS),
    portsAllowed: config.FETCH_PORTS,
    privateAllowed: config.FETCH_ALLOWED_PRIVATE,
    denied: config.FETCH_DENIED,
    ownPorts: () => ownPorts,
    tellsReasons: isCommand,
    userAgent: config.FETCH_USER_AGENT,
    onRefused: (reason, hostname, requestId) => {
      refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
      log.info({ requestId, reason, host: hostname }, 'a fetch was refused or failed');
    },
  });
  const queries = openQueryThreads(config, { store, identity, limits, loop, documents }, log);
  const service = createService({
    store,
    fetcher,
    documents,
    ...(queries === undefined ? {} : { queries }),
    ...(corpus === undefined ? {} : { corpus }),
    identity,
    limits,
    loop,
    // a clock that was never set may say less, and no document is of before 1970
    now: () => Math.max(0, Date.now()),
    version,
    ...(config.TIMEGATE_PREFIX === null ? {} : { timegatePrefix: config.TIMEGATE_PREFIX }),
    onFault: (fault, requestId) => log.error({ requestId, err: fault }, 'failed in the background'),
    onClockAhead: (aheadMs) => log.warn({ aheadMs }, CLOCK_AHEAD),
  });
  return {
    service,
    store,
    loop,
    queries,
    ownPorts,
    probes: {
      damaged: () => store.damaged,
      writable: () => store.writable,
      writeQueue: async () => {
        const { queued, queueAgeMs } = await store.stats();
        return { length: queued, ageMs: queueAgeMs };
      },
      fetchRefusals: () => refusals,
      queryThreads: () => queries?.load ?? [],
    },
    close: async () => {
      await service.close();
      await fetcher.close();
      await documents.close();
      await queries?.close();
      await corpus?.close();
      await store.close();
    },
  };
}

function openCorpus({ CLUSTERS_DIR: folder }: Config, log: Logger, loop: EventLoop): Promise<ServedCorpus> | undefined {
  if (folder === null) return undefined;
  return ServedCorpus.open(folder, {
    onOpened: (documents) => log.info({ folder, documents }, 'a clustered corpus is served'),
    onFailed: (why) => log.error({ folder, why }, 'another clustered corpus cannot be read: the one before goes on'),
    onWorked: (caller, ms) => loop.chargeTime(caller, ms),
  });
}
