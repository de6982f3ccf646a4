import { ShingledError } from '../../../errors.ts';
import type { ListedSource, SourcePage, SourceRange, UrlPage, Version } from '../../port.ts';
import { urlOfSourceKey } from '../../source-key.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import { type Span, sourceSpans } from '../format/keys.ts';
import { openSource, type SourceRow } from '../format/values.ts';
import { presentVersion } from '../writing/history.ts';
import { atOnce, sourceOf, versionsOf } from './reads.ts';

/*
 * Sources in the order of their keys: table s is the list. One iterator a page, and one more where hosts below one lie apart
 * from it. Rows come from LevelDB in as large steps as the page has room for, and past the cache, which is for queries.
 *
 *   3 µs a row, 0.5 of them its key; 50 µs for the iterator
 */

/** A page ends after so many bytes of rows: notes beside a source may be a megabyte. */
const PAGE_BYTES_MAX = 2 ** 20;
/** And after so many versions, of which a source may have 100,000. */
const PAGE_VERSIONS_MAX = 4096;

export function readSources(
  level: LevelDatabase,
  range: SourceRange,
  { versionsMax }: { versionsMax: number },
): Promise<SourcePage> {
  return atOnce(level, async (snapshot) => {
    const options = { ...STEPS, snapshot };
    const { taken, isLast } = await take(range, (span) => level.iterator({ ...span, ...options }), bytesOfRow);
    const listed: ListedSource[] = [];
    let versionsTold = 0;
    for (const [key, value] of taken) {
      const url = urlOfSourceKey(key.slice(1));
      try {
        const row = openSource(key, value);
        // nothing is waited for where there is nothing to read
        const told = versionsMax === 0 ? [] : row.versionCount === 1 ? soleVersion(row) : null;
        const versions = told ?? (await versionsOf(level, snapshot, url, row, { limit: versionsMax }));
        listed.push({ url, source: sourceOf(url, row), versions });
        versionsTold += versions.length;
      } catch (error) {
        if (!(error instanceof ShingledError)) throw error;
        listed.push({ url, source: null, versions: [] });
      }
      if (versionsTold >= PAGE_VERSIONS_MAX) return { listed, after: url };
    }
    return { listed, after: isLast ? null : (listed.at(-1)?.url ?? null) };
  });
}

export async function readSourceUrls(level: LevelDatabase, range: SourceRange): Promise<UrlPage> {
  const { taken, isLast } = await take(range, (span) => level.keys({ ...span, ...STEPS }), bytesOfKey);
  const urls = taken.map((key) => urlOfSourceKey(key.slice(1)));
  return { urls, after: isLast ? null : (urls.at(-1) ?? null) };
}

const STEPS = { fillCache: false, highWaterMarkBytes: PAGE_BYTES_MAX };

const bytesOfRow = ([key, value]: readonly [string, Buffer]) => key.length + value.length;
const bytesOfKey = (key: string) => key.length;

/** A source that never changed holds its content. */
const soleVersion = (row: SourceRow): Version[] => [
  { observedAt: row.since, ...presentVersion(row), contentKept: true },
];

interface Steps<T> {
  nextv(size: number): Promise<T[]>;
  close(): Promise<void>;
}

/** The first entries of a range, and whether they are all of it. */
async function take<T>(
  { limit, ...range }: SourceRange,
  open: (span: Span) => Steps<T>,
  bytesOf: (entry: T) => number,
): Promise<{ taken: T[]; isLast: boolean }> {
  const taken: T[] = [];
  let bytes = 0;
  for (const span of sourceSpans(range)) {
    const steps = open(span);
    try {
      for (;;) {
        if (taken.length >= limit || bytes >= PAGE_BYTES_MAX) return { taken, isLast: false };
        const entries = await steps.nextv(limit - taken.length);
        if (entries.length === 0) break;
        for (const entry of entries) {
          bytes += bytesOf(entry);
          taken.push(entry);
        }
      }
    } finally {
      await steps.close();
    }
  }
  return { taken, isLast: true };
}
