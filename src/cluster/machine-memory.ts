import { readFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';

/** Where Linux says what a group of processes may take: of the second, and of the first kind of groups. */
const GROUP_FILES = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'];
/** Of it all, unless told: the rest is for others, and for files that the system holds. */
const SHARE = 1 / 2;

/** What a run may take of the memory, unless told: half of that of the machine, or of the group of processes that we are in. */
export function defaultMemoryBytes(): number {
  const limits = GROUP_FILES.map(groupLimit).filter((limit) => limit > 0);
  return Math.floor(SHARE * Math.min(totalmem(), ...limits));
}

/** What nobody uses, or what the system would give back. */
export const freeMemoryBytes = (): number => freemem();

/** NaN where there is none. */
function groupLimit(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return Number.NaN;
  }
}
