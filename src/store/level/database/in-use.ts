/** Counts what is under way. */
export class InUse {
  private count = 0;
  private onNone: (() => void)[] = [];

  begin(): void {
    this.count++;
  }

  end(): void {
    if (--this.count === 0) for (const tell of this.onNone.splice(0)) tell();
  }

  async none(): Promise<void> {
    if (this.count > 0) await new Promise<void>((resolve) => void this.onNone.push(resolve));
  }
}
