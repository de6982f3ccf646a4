import { rest } from '../../../sharing/waiting.ts';
import { type FileProblem, fileProblems } from '../files/verify.ts';
import type { Damage } from './damage.ts';

/** How long it rests before files are tried again that could not be looked at. */
const RETRY_MS = 60_000;

export interface VerificationOptions {
  /** The folder of the database. */
  readonly location: string;
  readonly damage: Damage;
  /** Told once of each file that cannot be looked at for now. */
  onUnverified(problem: FileProblem): void;
  /** Told after each pass. */
  onPass?: (() => void) | undefined;
  /** {@link RETRY_MS} unless given. */
  readonly retryMs?: number | undefined;
}

/**
 * Looks through the files of a database in the background (files/verify.ts): on opening, and again when something was met
 * that cannot be trusted, so that its file is named. What cannot be looked at for want of descriptors, say, is tried again
 * until it can.
 */
export class Verification {
  private readonly options: VerificationOptions;
  /** Files that were looked at. */
  private readonly seen = new Set<string>();
  private readonly told = new Set<string>();
  private running = false;
  private isAsked = false;
  private stopped = false;

  constructor(options: VerificationOptions) {
    this.options = options;
  }

  /** Begins, or begins again after the pass under way. */
  begin(): void {
    this.isAsked = true;
    if (this.running) return;
    this.running = true;
    void this.run();
  }

  /** Nothing is told from now on. */
  stop(): void {
    this.stopped = true;
  }

  private async run(): Promise<void> {
    for (let isWhole = true; !this.stopped && (this.isAsked || !isWhole); ) {
      if (this.isAsked) this.seen.clear();
      this.isAsked = false;
      isWhole = await this.pass();
      this.options.onPass?.();
      if (!isWhole) await rest(this.options.retryMs ?? RETRY_MS);
    }
    this.running = false;
  }

  /** @returns whether all could be looked at */
  private async pass(): Promise<boolean> {
    const { location, damage, onUnverified } = this.options;
    let isWhole = true;
    for await (const found of fileProblems(location, 'gentle', this.seen)) {
      if (this.stopped) break;
      const { file, problem, isDamage } = found;
      if (isDamage) damage.note(problem, file);
      else {
        isWhole = false;
        if (!this.told.has(file)) onUnverified(found);
        this.told.add(file);
      }
    }
    return isWhole;
  }
}
