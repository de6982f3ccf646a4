import { readdirSync, readFileSync } from 'node:fs';

/** Looked at so often: what a process does after the last look is missed. */
const LOOK_MS = 100;
const PAGE_BYTES = 4096;
const TICKS_A_SECOND = 100;

/** CPU time and memory of all processes of a session (setsid), where those of forked ones are told by nobody. Linux only. */
export class ProcessTree {
  /** Of the processes at one time together, at the most. */
  memoryMiB = 0;
  private readonly ticks = new Map<string, number>();
  private readonly session: number;
  private readonly timer: NodeJS.Timeout;

  constructor(session: number) {
    this.session = session;
    this.timer = setInterval(() => this.look(), LOOK_MS);
  }

  get cpuSeconds(): number {
    return [...this.ticks.values()].reduce((sum, ticks) => sum + ticks, 0) / TICKS_A_SECOND;
  }

  end(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    let pages = 0;
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (Number(fields[3]) !== this.session) continue;
        this.ticks.set(pid, Number(fields[11]) + Number(fields[12]));
        const [, resident, shared] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
        pages += Number(resident) - Number(shared);
      } catch {
        // it has ended
      }
    }
    this.memoryMiB = Math.max(this.memoryMiB, (pages * PAGE_BYTES) / 2 ** 20);
  }
}
