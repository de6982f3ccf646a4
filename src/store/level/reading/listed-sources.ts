import { ShingledError } from '../../../errors.ts';
import type { ListedSource, Source, SourcePage, SourceRange, UrlPage } from '../../port.ts';
import { urlOfSourceKey } from '../../source-key.ts';
import { atOnce, type LevelDatabase, Pages } from '../database/level-handle.ts';
import type { Snapshot } from '../database/near-rows.ts';
import { type Span, sourceSpans } from '../format/keys.ts';
import { openSource, type SourceRow } from '../format/values.ts';
import { ListedVersions } from './listed-versions.ts';
import { sourceOf } from './reads.ts';
import { tellVersions } from './told-versions.ts';

/*
 * Sources in the order of their keys: table s is the list. One iterator a page, and one more where hosts below one lie apart
 * from it. Rows come past the cache, which is for queries.
 *
 *   3 µs a row, 1.5 of them its key; 50 µs for the iterator
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
    const { pieces, isLast } = await take(
      range,
      (span) => new Pages(level.iterator({ ...span, ...options })),
      bytesOfRow,
    );
    const listed: ListedSource[] = [];
    let versionsTold = 0;
    for (const piece of pieces) {
      const rows = piece.map(readable);
      const told =
        versionsMax === 0 ? rows.map(withoutVersions) : await versionsOfEach(level, snapshot, rows, versionsMax);
      for (const one of told) {
        listed.push(one);
        versionsTold += one.versions.length;
      }
      if (told.length < rows.length || versionsTold >= PAGE_VERSIONS_MAX) {
        return { listed, after: listed.at(-1)!.url };
      }
    }
    return { listed, after: isLast ? null : (listed.at(-1)?.url ?? null) };
  });
}

export async function readSourceUrls(level: LevelDatabase, range: SourceRange): Promise<UrlPage> {
  const { pieces, isLast } = await take(range, (span) => new Pages(level.keys({ ...span, ...STEPS })), bytesOfKey);
  const urls = pieces.flat().map((key) => urlOfSourceKey(key.slice(1)));
  return { urls, after: isLast ? null : (urls.at(-1) ?? null) };
}

const STEPS = { fillCache: false, highWaterMarkBytes: PAGE_BYTES_MAX };

const bytesOfRow = ([key, value]: readonly [string, Buffer]) => key.length + value.length;
const bytesOfKey = (key: string) => key.length;

/** A source by its row; null where that cannot be read. */
interface ReadSource {
  readonly url: string;
  readonly row: SourceRow | null;
}

function readable([key, value]: readonly [string, Buffer]): ReadSource {
  const url = urlOfSourceKey(key.slice(1));
  try {
    return { url, row: openSource(key, value) };
  } catch {
    return { url, row: null };
  }
}

const withoutVersions = ({ url, row }: ReadSource): ListedSource => ({
  url,
  source: row && sourceOf(url, row),
  versions: [],
});

/** Sources that lie side by side, with their versions: the first of them, where they have too many. */
async function versionsOfEach(
  level: LevelDatabase,
  snapshot: Snapshot,
  rows: readonly ReadSource[],
  versionsMax: number,
): Promise<ListedSource[]> {
  const walk = new ListedVersions(level, snapshot, { from: rows[0]!.url, to: rows.at(-1)!.url });
  try {
    const sources: { readonly url: string; readonly source: Source | null }[] = [];
    const found: Awaited<ReturnType<typeof walk.of>>[] = [];
    let count = 0;
    for (const { url, row } of rows) {
      const versions = row === null ? null : await orUnreadable(walk.of(url, row, versionsMax));
      sources.push({ url, source: row !== null && versions !== null ? sourceOf(url, row) : null });
      found.push(versions ?? []);
      count += versions?.length ?? 0;
      if (count >= PAGE_VERSIONS_MAX) break;
    }
    const versions = await tellVersions(level, snapshot, found);
    return sources.map((source, i) => ({ ...source, versions: versions[i]!.slice(0, versionsMax) }));
  } finally {
    await walk.close();
  }
}

/** null for what is there and cannot be trusted: a database that cannot be read is another matter. */
async function orUnreadable<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ShingledError && error.code === 'index-unreadable') return null;
    throw error;
  }
}

/** The first entries of a range, a piece for each span, and whether they are all of it. */
async function take<T>(
  { limit, ...range }: SourceRange,
  open: (span: Span) => Pages<T>,
  bytesOf: (entry: T) => number,
): Promise<{ pieces: T[][]; isLast: boolean }> {
  const pieces: T[][] = [];
  let [count, bytes] = [0, 0];
  for (const span of sourceSpans(range)) {
    const piece: T[] = [];
    const steps = open(span);
    try {
      for (;;) {
        if (count >= limit || bytes >= PAGE_BYTES_MAX)
          return { pieces: [...pieces, piece].filter(isFilled), isLast: false };
        const entries = await steps.next(limit - count);
        if (entries.length === 0) break;
        for (const entry of entries) {
          bytes += bytesOf(entry);
          piece.push(entry);
        }
        count += entries.length;
      }
    } finally {
      await steps.close();
    }
    if (isFilled(piece)) pieces.push(piece);
  }
  return { pieces, isLast: true };
}

const isFilled = (piece: readonly unknown[]) => piece.length > 0;
