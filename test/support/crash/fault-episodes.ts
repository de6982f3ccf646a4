import { setTimeout as pause } from 'node:timers/promises';
import { below } from '../store/level-plans.ts';
import { BATCHES, FAULTS, type Fault, type FaultControl, FILES } from './fault-control.ts';
import type { Writing } from './level-crash.ts';

/* What a campaign does to a process that writes: single calls of it fail, of every kind, and writing must come back. */

/** So long may writing take to come back, on a machine that does other things too. */
const PATIENCE_MS = 60_000;
/** So long is waited for a call that the fault fits. */
const MEETS_MS = 300;

const inLog: readonly (keyof typeof FAULTS)[] = ['writeEio', 'writeEnospc', 'syncEio', 'syncLost'];
const elsewhere: readonly [keyof typeof FILES, readonly (keyof typeof FAULTS)[]][] = [
  ['log', ['openEmfile', 'readEio']],
  ['table', ['writeEio', 'writeEnospc', 'syncEio', 'syncLost', 'openEmfile']],
  ['manifest', ['writeEio', 'writeEnospc', 'syncEio', 'syncLost', 'openEmfile']],
  ['mark', ['writeEio', 'syncEio', 'syncLost', 'openEmfile', 'renameEio']],
  ['current', ['writeEio', 'openEmfile', 'renameEio']],
];
const named = (name: string, files: number, batches: number, fault: keyof typeof FAULTS): Fault => ({
  name: `${name} ${fault}`,
  ...{ files, batches, fault: FAULTS[fault] },
});
const writing: readonly Fault[] = Object.entries(BATCHES).flatMap(([name, batch]) =>
  inLog.map((fault) => named(name, FILES.log, batch, fault)),
);
const ALL: readonly Fault[] = [
  ...writing,
  ...elsewhere.flatMap(([name, faults]) => faults.map((fault) => named(name, FILES[name], 0, fault))),
];

/** What a process that writes does to itself beside its writes (level-writer.ts). */
export const troublesBy = (random: () => number): string =>
  `compact,end-workers,may-not-open${random() < 0.5 ? ',tiny-tails' : ''}`;

async function until(isSo: () => boolean, ms: number): Promise<boolean> {
  for (const end = performance.now() + ms; performance.now() < end; await pause(2)) if (isSo()) return true;
  return isSo();
}

export class FaultEpisodes {
  private readonly control: FaultControl;
  private readonly random: () => number;
  private readonly faults: readonly Fault[];
  /** Calls that failed, by the names of the faults. */
  private readonly failed = new Map<string, number>();
  private longestMs = 0;
  /** Those of the last episode, and of the round. */
  private met: string[] = [];
  private metInRound: string[] = [];

  /** @param only faults whose names contain that */
  constructor(control: FaultControl, random: () => number, only = '') {
    this.control = control;
    this.random = random;
    this.faults = ALL.filter(({ name }) => name.includes(only));
  }

  get report() {
    return { longestMs: this.longestMs, failed: Object.fromEntries([...this.failed].toSorted()) };
  }

  /** What was done to the process since it was started. */
  get story(): string {
    return this.metInRound.join(', ') || 'nothing';
  }

  /** Before a start: now and then a call of the opening fails. */
  beforeStart(): void {
    this.metInRound = [];
    if (this.random() >= 0.1) return;
    const fault = this.any(this.faults);
    this.control.arm(fault, below(this.random, 3), 1);
    this.metInRound.push(`${fault.name} at its start`);
  }

  /**
   * A few faults one after the other; after each of them every client must be acknowledged something again. The last one
   * may be left to the end of the process.
   *
   * @throws Error where writing does not come back, or the process ends by itself
   */
  async life(writer: Writing): Promise<void> {
    const { random } = this;
    this.control.disarm();
    for (let left = 1 + below(random, 4); left > 0; left--) {
      await this.fault(writer);
      if (left === 1 && random() < 0.3) return;
      await this.backAgain(writer);
    }
    await pause(below(random, 60));
  }

  /** At any time. */
  end(): void {
    this.control.disarm();
  }

  private async fault(writer: Writing): Promise<void> {
    const { random } = this;
    this.met = [];
    const fault = this.any(this.faults);
    await this.meet(fault, writer, fault.files === FILES.log && random() < 0.5 ? 20 : 2);
    // and one that what writing comes back by may meet
    if (random() < 0.3) await this.meet(this.any(this.faults), writer, 3);
    await pause(below(random, 40));
    this.control.disarm();
  }

  private async meet(fault: Fault, writer: Writing, passMax: number): Promise<void> {
    const { control, random } = this;
    control.arm(fault, below(random, passMax), 1 + below(random, 2));
    await until(() => control.failed > 0 || writer.hasEnded(), MEETS_MS);
    this.met.push(`${fault.name} ${control.failed} times`);
    this.metInRound.push(this.met.at(-1)!);
    this.failed.set(fault.name, (this.failed.get(fault.name) ?? 0) + control.failed);
  }

  private async backAgain(writer: Writing): Promise<void> {
    const before = [...writer.counts];
    const beganAt = performance.now();
    const isBack = () => before.every((count, client) => writer.counts[client]! > count);
    await until(() => writer.hasEnded() || isBack(), PATIENCE_MS);
    const what = this.met.join(', ');
    if (writer.hasEnded()) throw new Error(`After ${what}: the process has ended by itself (${writer.howEnded()}).`);
    if (!isBack()) throw new Error(`After ${what}: writing has not come back within ${PATIENCE_MS} ms.`);
    this.longestMs = Math.max(this.longestMs, Math.round(performance.now() - beganAt));
  }

  private any(faults: readonly Fault[]): Fault {
    return faults[below(this.random, faults.length)]!;
  }
}
