import type { Version } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import type { Snapshot } from '../database/near-rows.ts';
import { ABOVE, lexicalKey, timeOfVersionKey, versionsPrefix } from '../format/keys.ts';
import { unreadable } from '../format/value-bytes.ts';
import { openVersion, type SourceRow } from '../format/values.ts';
import { presentVersion } from '../writing/history.ts';

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

/** What of an iterator is used. */
interface Rows {
  nextv(size: number): Promise<Row[]>;
  seek(key: string): void;
  close(): Promise<void>;
}

type VersionSoFar = Omit<Version, 'contentKept'>;

export class ListedVersions {
  private readonly level: LevelDatabase;
  private readonly snapshot: Snapshot;
  private readonly rows: Rows;
  private ahead: Row[] = [];
  private next = 0;

  /** @param from first of the sources, `to` last of them: between them there is no other */
  constructor(level: LevelDatabase, snapshot: Snapshot, { from, to }: { from: string; to: string }) {
    this.level = level;
    this.snapshot = snapshot;
    const span = { gte: versionsPrefix(from), lt: versionsPrefix(to) + ABOVE };
    this.rows = level.iterator({ ...span, snapshot, fillCache: false, highWaterMarkBytes: 2 ** 20 });
  }

  /**
   * The newest versions of a source, at most `limit` (1 or more): to be asked for in the order of sources.
   *
   * @throws ShingledError `index-unreadable` where there are not as many as its row says
   */
  async of(url: string, source: SourceRow, limit: number): Promise<VersionSoFar[]> {
    const versions: VersionSoFar[] = [{ observedAt: source.since, ...presentVersion(source) }];
    const wanted = Math.min(limit, source.versionCount);
    const prefix = versionsPrefix(url);
    while (versions.length < wanted) {
      const row = await this.peek();
      // rows of a source that is not there belong to nobody
      if (row !== undefined && row[0] < prefix) this.next++;
      else if (row?.[0].startsWith(prefix) === true) {
        this.next++;
        versions.push({ observedAt: timeOfVersionKey(row[0]), ...openVersion(...row) });
      } else throw unreadable(prefix);
    }
    if (wanted < source.versionCount) this.jump(prefix + ABOVE);
    return versions;
  }

  /** Of which of some versions the contents are there: each with its answer. */
  async kept(all: readonly (readonly VersionSoFar[])[]): Promise<Version[][]> {
    // there is no row of no digest
    const ids = [...new Set(all.flatMap((versions) => versions.map(({ contentId }) => contentId ?? '')))];
    const values = await this.level.rows.getMany(ids.map(lexicalKey), this.snapshot);
    const isKept = new Map(ids.map((id, i) => [id, values[i] !== undefined]));
    return all.map((versions) =>
      versions.map((version) => ({ ...version, contentKept: isKept.get(version.contentId ?? '')! })),
    );
  }

  close(): Promise<void> {
    return this.rows.close();
  }

  private async peek(): Promise<Row | undefined> {
    if (this.next === this.ahead.length) {
      this.ahead = await this.rows.nextv(ROWS_A_STEP);
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
