import { sourceRowOfVersionKey } from '../format/keys.ts';

/** Goes through table h beside table s. */
export class VersionRows {
  private readonly rows: Generator<[key: string, value: Buffer]>;
  private readonly onStray: (sourceRow: string) => void;
  private head: [key: string, value: Buffer] | undefined;

  constructor(rows: Generator<[key: string, value: Buffer]>, onStray: (sourceRow: string) => void) {
    this.rows = rows;
    this.onStray = onStray;
    this.advance();
  }

  /** The versions of a source: sources in order. */
  of(sourceRow: string): [key: string, value: Buffer][] {
    const own: [key: string, value: Buffer][] = [];
    for (; this.head !== undefined; this.advance()) {
      const owner = sourceRowOfVersionKey(this.head[0]);
      if (owner > sourceRow) break;
      if (owner === sourceRow) own.push(this.head);
      else this.onStray(owner);
    }
    return own;
  }

  end(): void {
    for (; this.head !== undefined; this.advance()) this.onStray(sourceRowOfVersionKey(this.head[0]));
  }

  private advance(): void {
    const next = this.rows.next();
    this.head = next.done === true ? undefined : next.value;
  }
}
