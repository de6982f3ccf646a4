/** What is wrong with an index, one sentence each; of very many the first are kept and the rest counted. */
export class Problems {
  private readonly most: number;
  private readonly found: string[] = [];
  private more = 0;

  constructor(most = 100) {
    this.most = most;
  }

  add(sentence: string): void {
    if (this.found.length < this.most) this.found.push(sentence);
    else this.more++;
  }

  /** The value of `work`, or undefined and a problem where it throws. */
  try<T>(what: string, work: () => T): T | undefined {
    try {
      return work();
    } catch {
      this.add(`${what} is damaged: its checksum does not fit.`);
      return undefined;
    }
  }

  expect(isSo: boolean, otherwise: string): void {
    if (!isSo) this.add(otherwise);
  }

  get sentences(): string[] {
    return this.more === 0 ? [...this.found] : [...this.found, `And ${this.more} more.`];
  }
}
