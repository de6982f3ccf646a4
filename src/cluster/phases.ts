import type { ClusterPhase, ClusterProgress } from './port.ts';

interface PhaseOptions {
  progress?(told: ClusterProgress): void;
}

/** How long each phase took. */
export class Phases {
  readonly ms: Record<string, number> = {};
  private readonly options: PhaseOptions;
  private phase: ClusterPhase | null = null;
  private since = 0;

  constructor(options: PhaseOptions) {
    this.options = options;
  }

  /** What is begun with nothing done is a phase, or one that comes again. */
  tell(told: ClusterProgress): void {
    if (told.phase !== this.phase || told.of === null) this.enter(told.phase);
    else this.options.progress?.(told);
  }

  enter(phase: ClusterPhase): void {
    this.end();
    this.phase = phase;
    this.since = performance.now();
    this.options.progress?.({ phase, done: 0, of: null });
  }

  end(): void {
    // pairs and records come in turns
    if (this.phase !== null)
      this.ms[this.phase] = (this.ms[this.phase] ?? 0) + Math.round(performance.now() - this.since);
    this.phase = null;
  }
}
