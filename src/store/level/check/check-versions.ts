import type { LevelDatabase } from '../database/level-handle.ts';
import { sourceRowOfVersionKey, Table, timeOfVersionKey, under } from '../format/keys.ts';
import { openVersion } from '../format/values.ts';
import type { Problems } from './found-problems.ts';

const ENTRIES_A_STEP = 512;

export interface PastVersions {
  readonly count: number;
  /** When the newest of them began; -1 where there are none. */
  readonly newest: number;
}

/** Goes through table h beside table s. */
export class VersionWalk {
  private readonly iterator: { nextv(size: number): Promise<[string, Buffer][]>; close(): Promise<void> };
  private readonly problems: Problems;
  private entries: [string, Buffer][] = [];
  private at = 0;

  constructor(level: LevelDatabase, problems: Problems) {
    const { gte, lt } = under(Table.version, 0);
    this.iterator = level.iterator<string, Buffer>({ gte, lt, fillCache: false });
    this.problems = problems;
  }

  /** The past versions of the source of this row key: sources in order. */
  async of(sourceRow: string): Promise<PastVersions> {
    let count = 0;
    let newest = -1;
    for (let entry = await this.peek(); entry !== undefined; entry = await this.peek()) {
      const [key, value] = entry;
      const owner = sourceRowOfVersionKey(key);
      if (owner > sourceRow) break;
      this.at++;
      if (owner < sourceRow) this.problems.add(`There is a version of ${owner.slice(1)}, which is not there.`);
      else {
        this.problems.try(`A version of ${owner.slice(1)}`, () => openVersion(key, value));
        if (count++ === 0) newest = timeOfVersionKey(key);
      }
    }
    return { count, newest };
  }

  async end(): Promise<void> {
    if ((await this.peek()) !== undefined) this.problems.add('There are versions of sources that are not there.');
  }

  close(): Promise<void> {
    return this.iterator.close();
  }

  private async peek(): Promise<[string, Buffer] | undefined> {
    if (this.at >= this.entries.length) {
      this.entries = await this.iterator.nextv(ENTRIES_A_STEP);
      this.at = 0;
    }
    return this.entries[this.at];
  }
}
