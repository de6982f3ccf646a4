import { Bell } from '../../../sharing/waiting.ts';

/** Counts what is under way. */
export class InUse {
  private readonly ended = new Bell();
  private count = 0;

  begin(): void {
    this.count++;
  }

  end(): void {
    if (--this.count === 0) this.ended.ring();
  }

  async none(): Promise<void> {
    if (this.count > 0) await this.ended.next();
  }
}
