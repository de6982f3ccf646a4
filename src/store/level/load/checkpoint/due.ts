import { Races, rest } from '../../../../sharing/waiting.ts';

/** When checkpoints are due, also while nothing comes. */
export class Due {
  private readonly everyMs: number;
  private readonly races = new Races();
  private isDue = false;

  constructor(everyMs: number) {
    this.everyMs = everyMs;
    this.begin();
  }

  /** Whether something comes before the next checkpoint is due; what it is says who awaits it. */
  isBefore(coming: Promise<unknown>): Promise<boolean> {
    if (this.isDue) return Promise.resolve(false);
    return this.races.run(coming).then(
      () => true,
      (error: unknown) => !(error instanceof IsDue),
    );
  }

  /** A checkpoint was set just now: the next one is due as long from here. */
  begin(): void {
    this.isDue = false;
    void rest(this.everyMs).then(() => {
      this.isDue = true;
      this.races.stop(new IsDue());
    });
  }
}

class IsDue extends Error {}
