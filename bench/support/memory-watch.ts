import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 50;

/** What a process had at the most, and took. */
export interface Peak {
  /** Of memory of its own: looked at twenty times a second. */
  readonly anonymousMib: number;
  /** With mapped files. */
  readonly residentMib: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** Looks at a process until it has ended, or is told to end. */
export class Watch {
  private readonly pid: number;
  private readonly startedAt = performance.now();
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly most = { anonymousMib: 0, residentMib: 0, cpuSeconds: 0 };

  constructor(pid: number) {
    this.pid = pid;
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
  }

  end(): Peak {
    clearInterval(this.timer);
    this.look();
    return { ...this.most, seconds: (performance.now() - this.startedAt) / 1000 };
  }

  private look(): void {
    const status = this.read('status');
    const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / 1024;
    const fields = this.read('stat').split(') ')[1]?.split(' ');
    this.most.anonymousMib = Math.max(this.most.anonymousMib, of('RssAnon'));
    this.most.residentMib = Math.max(this.most.residentMib, of('VmHWM'));
    // in hundredths of a second
    if (fields !== undefined) this.most.cpuSeconds = (Number(fields[11]) + Number(fields[12])) / 100;
  }

  /** Nothing once it has ended. */
  private read(file: string): string {
    try {
      return readFileSync(`/proc/${this.pid}/${file}`, 'utf8');
    } catch {
      return '';
    }
  }
}
