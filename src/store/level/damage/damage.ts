import type { DamagedPart } from '../../port.ts';
import { isCorruption, isDamage } from '../outage/failures.ts';

/** So many things are told one by one; that there are more is known all the same. */
const TOLD_MAX = 100;
const TABLE = /\d+\.ldb/;

/** What was met of an index that cannot be trusted: each thing is told once. From the first on it counts as damaged. */
export class Damage {
  private readonly known = new Map<string, DamagedPart>();
  private readonly location: string;
  private readonly tell: (part: DamagedPart) => void;

  /**
   * @param location the folder of the database
   * @param tell called with each thing that was not met before
   */
  constructor(location: string, tell: (part: DamagedPart) => void) {
    this.location = location;
    this.tell = tell;
  }

  get found(): boolean {
    return this.known.size > 0;
  }

  /** The first {@link TOLD_MAX} of them. */
  get parts(): readonly DamagedPart[] {
    return [...this.known.values()];
  }

  /**
   * @param problem a sentence
   * @param file its name in the folder of the database, where it is known which one
   */
  note(problem: string, file: string | null = null): void {
    const key = `${file}\n${problem}`;
    if (this.known.size >= TOLD_MAX || this.known.has(key)) return;
    const part = { file, problem };
    this.known.set(key, part);
    this.tell(part);
  }

  /** Notes an error that means damage, and no other; without where the database lies. */
  noteError(error: unknown): void {
    if (!(error instanceof Error) || !(isDamage(error) || isCorruption(error))) return;
    const problem = error.message.replaceAll(`${this.location}/`, '');
    this.note(problem, TABLE.exec(problem)?.[0] ?? null);
  }
}
