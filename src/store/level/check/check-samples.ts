import { HOST_SAMPLES_SINCE_FORMAT, hostSampleOf } from '../format/host-sample-rows.ts';
import { openNumber, type SourceRow } from '../format/values.ts';
import { type Problems, Sums, textStatement } from './findings.ts';
import type { Row } from './row-walks.ts';

/** Proves the rows by which hosts are sampled: each live source of one has its row, and no row is of another source. */
export class SampleCheck {
  /** Indexes of before have none. */
  readonly hasRows: boolean;
  private readonly problems: Problems;
  private readonly rankKey: readonly [number, number];
  private readonly contents: number;
  private readonly sums: Sums;

  /** @param contents how many numbers were given out */
  constructor(formatVersion: number, contents: number, rankKey: readonly [number, number], problems: Problems) {
    this.hasRows = formatVersion >= HOST_SAMPLES_SINCE_FORMAT;
    this.contents = contents;
    this.rankKey = rankKey;
    this.problems = problems;
    this.sums = new Sums(this.hasRows ? contents : 0);
  }

  /** @param rows of table t */
  async read(rows: AsyncIterable<Row>): Promise<void> {
    for await (const [key, value] of rows) {
      const content = this.problems.try('A sample of a host', () => openNumber(key, value));
      if (content === undefined) continue;
      this.problems.expect(content < this.contents, `A sample of a host has content ${content}, which is not there.`);
      this.sums.add(content, textStatement(key));
    }
  }

  /** What a source says. @param key of its row */
  source(key: string, source: SourceRow): void {
    const sample = this.hasRows ? hostSampleOf(key, () => source, this.rankKey) : null;
    if (sample !== null) this.sums.subtract(sample[1], textStatement(sample[0]));
  }

  disagreements(): { readonly count: number; readonly first: number } {
    return this.sums.disagreements();
  }
}
