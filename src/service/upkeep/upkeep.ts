import { ShingledError } from '../../errors.ts';
import { endsWithin } from '../../sharing/deadline.ts';
import type { UpkeepAnswer } from '../api.ts';
import type { ServiceParts } from '../context.ts';

type Figures = Partial<Pick<UpkeepAnswer, 'backup' | 'compaction'>>;

interface Job extends Figures {
  readonly kind: UpkeepAnswer['kind'];
  readonly startedAt: number;
  endedAt?: number;
  fault?: unknown;
}

export type Upkeep = ReturnType<typeof createUpkeep>;

type UpkeepParts = Pick<ServiceParts, 'store' | 'now' | 'onFault'> & {
  readonly limits: Pick<ServiceParts['limits'], 'upkeepWaitMs'>;
};

/** Backups and compactions: one at a time, and the last is remembered. */
export function createUpkeep({ store, limits, now, onFault }: UpkeepParts) {
  let last: Job | undefined;

  async function run(kind: Job['kind'], work: () => Promise<Figures>): Promise<UpkeepAnswer> {
    if (last !== undefined && last.endedAt === undefined) {
      throw new ShingledError('upkeep-running', `A ${last.kind} has not ended yet; GET /stats says when.`, {
        retryAfterS: 30,
      });
    }
    const before = last;
    const job: Job = { kind, startedAt: now() };
    last = job;
    const done = work().then(
      (figures) => Object.assign(job, figures, { endedAt: now() }),
      (fault: unknown) => Object.assign(job, { fault, endedAt: now() }),
    );
    const inTime = await endsWithin(limits.upkeepWaitMs, done);
    if (!inTime) void done.then(({ fault }) => fault === undefined || onFault?.(fault));
    else if (job.fault !== undefined) {
      // refused, it never began: what is told of the one before still holds
      if (job.fault instanceof ShingledError && job.fault.status < 500) last = before;
      throw job.fault;
    }
    return answerOf(job, now);
  }

  return {
    /**
     * Takes a backup, or has nothing left on disk of what was forgotten: at most one of the two at a time, else
     * `upkeep-running`. Resolves when it is done, or after `upkeepWaitMs` while it goes on; `stats` tells the rest.
     */
    backup: (name: string) =>
      run('backup', async () => {
        const { files, bytes, linkedFiles, writesWaitedMs } = await store.backup(name);
        return { backup: { name, files, bytes, linkedFiles, writesWaitedMs } };
      }),
    compact: () =>
      run('compact', async () => {
        const before = (await store.stats()).diskBytes;
        await store.compact();
        return { compaction: { diskBytesBefore: before, diskBytesAfter: (await store.stats()).diskBytes } };
      }),
    get last(): UpkeepAnswer | null {
      return last === undefined ? null : answerOf(last, now);
    },
  };
}

function answerOf(
  { kind, startedAt, endedAt, fault, backup = null, compaction = null }: Job,
  now: () => number,
): UpkeepAnswer {
  return {
    kind,
    state: endedAt === undefined ? 'running' : fault === undefined ? 'done' : 'failed',
    startedAt: new Date(startedAt).toISOString(),
    elapsedMs: (endedAt ?? now()) - startedAt,
    backup,
    compaction,
    problem: fault === undefined ? null : problemOf(fault),
  };
}

function problemOf(fault: unknown): UpkeepAnswer['problem'] {
  if (fault instanceof ShingledError) return { code: fault.code, detail: fault.message };
  return { code: 'internal', detail: 'Something went wrong inside; the log says what.' };
}
