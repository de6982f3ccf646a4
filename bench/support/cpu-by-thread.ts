import { readdirSync, readFileSync } from 'node:fs';

/** CPU time of a process by what its threads are for, ms. */
export interface ThreadsCpu {
  /** The event loop of the main thread. */
  readonly main: number;
  /** All query threads. */
  readonly queries: number;
  /** V8's own, LevelDB's, the pool's, the worker of segments. */
  readonly others: number;
}

/** What they have used so far; a thread that has ended is not there any more. Of Linux only. */
export function threadsCpuMs(pid: number): ThreadsCpu {
  const sums = { main: 0, queries: 0, others: 0 };
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(stat)!;
    const fields = rest!.split(' ');
    // in hundredths of a second
    const ms = 10 * (Number(fields[11]) + Number(fields[12]));
    sums[Number(thread) === pid ? 'main' : name === 'queries' ? 'queries' : 'others'] += ms;
  }
  return sums;
}

/** Of one query, µs, from two readings. */
export function threadsCpuUs(before: ThreadsCpu, after: ThreadsCpu, queries: number): ThreadsCpu {
  const of = (part: keyof ThreadsCpu) => (1000 * (after[part] - before[part])) / queries;
  return { main: of('main'), queries: of('queries'), others: of('others') };
}

/**
 * What so many cores would answer a second, all of them the service's, as CPU time bounds it: no thread does more than one
 * core, query threads have all cores but one, and what the rest of the process takes comes off the whole.
 */
export function projectedRate({ main, queries, others }: ThreadsCpu, cores: number): { rate: number; bound: string } {
  const bounds: [number, string][] = [
    [1e6 / main, 'the main thread'],
    [(1e6 * Math.max(1, cores - 1)) / queries, 'the query threads'],
    [(1e6 * cores) / (main + queries + others), 'all cores'],
  ];
  const [rate, bound] = bounds.reduce((least, next) => (next[0] < least[0] ? next : least));
  return { rate, bound };
}
