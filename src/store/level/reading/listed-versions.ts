import { type LevelDatabase, Pages } from '../database/level-handle.ts';
import type { Snapshot } from '../database/near-rows.ts';
import { ABOVE, timeOfVersionKey, versionsPrefix } from '../format/keys.ts';
import { unreadable } from '../format/value-bytes.ts';
import type { SourceRow } from '../format/values.ts';
import { openVersion } from '../format/version-values.ts';
import { presentVersion } from '../writing/history.ts';
import type { DatedVersion } from '../writing/version-runs.ts';

/*
 * The versions of many sources that lie side by side. Table h has its rows in the order of table s, so one iterator has those
 * of all. That takes some 10 µs a version, where 130 go into reading those of one source.
 *
 *   s   a          b                c
 *   h   (present)  b-1 b-2 b-3 …    c-1       what is more than is wanted is jumped over
 */

/** Rows of table h that LevelDB hands over at a time. */
const ROWS_A_STEP = 512;

type Row = [key: string, value: Buffer];

export class ListedVersions {
  private readonly rows: Pages<Row>;
  private ahead: Row[] = [];
  private next = 0;

  /** @param from first of the sources, `to` last of them: between them there is no other */
  constructor(level: LevelDatabase, snapshot: Snapshot, { from, to }: { from: string; to: string }) {
    const span = { gte: versionsPrefix(from), lt: versionsPrefix(to) + ABOVE };
    this.rows = new Pages(level.iterator({ ...span, snapshot, fillCache: false, highWaterMarkBytes: 2 ** 20 }));
  }

  /**
   * The newest versions of a source, at most `limit` (1 or more): to be asked for in the order of sources.
   *
   * @throws ShingledError `index-unreadable` where there are not as many as its row says
   */
  async of(url: string, source: SourceRow, limit: number): Promise<DatedVersion[]> {
    const versions: DatedVersion[] = [{ observedAt: source.since, row: presentVersion(source) }];
    // of one that is gone, the version before says what was there
    const least = source.state === 'gone' ? 2 : 1;
    const wanted = Math.min(Math.max(limit, least), source.versionCount);
    const prefix = versionsPrefix(url);
    while (versions.length < wanted) {
      const row = await this.peek();
      // rows of a source that is not there belong to nobody
      if (row !== undefined && row[0] < prefix) this.next++;
      else if (row?.[0].startsWith(prefix) === true) {
        this.next++;
        versions.push({ observedAt: timeOfVersionKey(row[0]), row: openVersion(...row) });
      } else throw unreadable(prefix);
    }
    if (wanted < source.versionCount) this.jump(prefix + ABOVE);
    return versions;
  }

  close(): Promise<void> {
    return this.rows.close();
  }

  private async peek(): Promise<Row | undefined> {
    if (this.next === this.ahead.length) {
      this.ahead = await this.rows.next(ROWS_A_STEP);
      this.next = 0;
    }
    return this.ahead[this.next];
  }

  private jump(key: string): void {
    while (this.next < this.ahead.length && this.ahead[this.next]![0] < key) this.next++;
    if (this.next < this.ahead.length) return;
    this.ahead = [];
    this.next = 0;
    this.rows.seek(key);
  }
}
