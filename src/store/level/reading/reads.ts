import type { KeptSample } from '../../../core/sketch/narrow.ts';
import { resumed } from '../../../sharing/served.ts';
import type { Content, ContentHead, ContentId, Holder, KnownSource, Source, Version } from '../../port.ts';
import { atOnce, type LevelDatabase } from '../database/level-handle.ts';
import type { Snapshot } from '../database/near-rows.ts';
import { openContent, openContentSteps, openHead, openOwner } from '../format/content-values.ts';
import {
  contentKey,
  holderKey,
  holdersPrefix,
  lexicalKey,
  sourceRowKey,
  Table,
  TIME_MAX,
  timeOfVersionKey,
  under,
  urlOfHolderKey,
  versionKey,
  versionsPrefix,
} from '../format/keys.ts';
import { unreadable } from '../format/value-bytes.ts';
import { openNumber, openSource, type SourceRow } from '../format/values.ts';
import { openVersion } from '../format/version-values.ts';
import { inSteps, nextTurn } from '../next-turn.ts';
import { presentVersion } from '../writing/history.ts';
import type { DatedVersion } from '../writing/version-runs.ts';
import { DECODED_BYTES_MAX, type FamilyRecords, readRecords } from './family-records.ts';
import { tellVersions } from './told-versions.ts';

/*
 * The reads of the port beside candidates, each in one snapshot where it takes several steps: rows that belong together
 * were written together. A row that another row promises and that is not there, or that its checksum does not fit, is
 * `index-unreadable`.
 */

export async function readSource(level: LevelDatabase, url: string): Promise<Source | undefined> {
  const key = sourceRowKey(url);
  const value = await level.rows.get(key);
  return value && sourceOf(url, openSource(key, value));
}

export function sourceOf(url: string, row: SourceRow): Source {
  const { spelling, state, contentId, httpStatus, firstSeen, lastSeen, observedAt, finalUrl, meta } = row;
  const { bytesDigest, title, language } = row.present;
  // field by field: to leave some of a row out by a rest takes a µs
  return {
    url,
    spelling,
    state,
    contentId,
    httpStatus,
    firstSeen,
    lastSeen,
    observedAt,
    bytesDigest,
    finalUrl,
    title,
    language,
    meta,
  };
}

export function readContent(level: LevelDatabase, id: ContentId): Promise<Content<KeptSample> | undefined> {
  return readRecord(level, id, async (key, value) => {
    if (value.length <= DECODED_BYTES_MAX) return openContent(key, value);
    // whoever asked for it goes on as soon as it is there
    await nextTurn();
    return inSteps(openContentSteps(key, value));
  });
}

export function readHead(level: LevelDatabase, id: ContentId): Promise<ContentHead | undefined> {
  return readRecord(level, id, openHead);
}

function readRecord<T>(
  level: LevelDatabase,
  id: ContentId,
  open: (key: string, value: Buffer) => T | Promise<T>,
): Promise<T | undefined> {
  return atOnce(level, async (snapshot) => {
    const number = await numberOf(level, snapshot, id);
    if (number === undefined) return undefined;
    const key = contentKey(number);
    return open(key, await recordOf(level, snapshot, key));
  });
}

export async function readNewestContentAt(level: LevelDatabase): Promise<number | null> {
  const [newest] = await level.iterator(under(Table.content, 1, true)).all();
  return newest === undefined ? null : openHead(...newest).createdAt;
}

export function readVersions(
  level: LevelDatabase,
  url: string,
  { limit, before = TIME_MAX }: { limit: number; before?: number },
): Promise<Version[]> {
  return atOnce(level, async (snapshot) => {
    const key = sourceRowKey(url);
    const value = await level.rows.get(key, snapshot);
    if (value === undefined) return [];
    const source = openSource(key, value);
    const present: DatedVersion = { observedAt: source.since, row: presentVersion(source) };
    const rows = source.since < before ? [present] : [];
    // of one that is gone, the version before says what was there
    const least = source.state === 'gone' && rows.length === 1 ? 2 : 1;
    const more = Math.min(Math.max(limit, least) - rows.length, source.versionCount - 1);
    if (more > 0 && before > 0) {
      const past = { ...under(versionsPrefix(url), more), gte: versionKey(url, Math.min(before, TIME_MAX) - 1) };
      const found = await level.iterator({ ...past, snapshot }).all();
      resumed();
      for (const [row, version] of found) {
        rows.push({ observedAt: timeOfVersionKey(row), row: openVersion(row, version) });
      }
      // asked for from the newest on, so many there must be
      if (before > source.since && rows.length !== Math.min(Math.max(limit, least), source.versionCount))
        throw unreadable(key);
    }
    const [told] = await tellVersions(level, snapshot, [rows]);
    return told!.slice(0, limit);
  });
}

export function readHolders(
  level: LevelDatabase,
  id: ContentId,
  { limit, after }: { limit: number; after?: string },
): Promise<Holder[]> {
  return atOnce(level, async (snapshot) => {
    const number = await numberOf(level, snapshot, id);
    if (number === undefined) return [];
    const key = contentKey(number);
    const owner = openOwner(key, await recordOf(level, snapshot, key));
    const urls = await holdersOf(level, snapshot, number, owner, limit, after);
    const keys = urls.map(sourceRowKey);
    const values = await level.rows.getMany(keys, snapshot);
    return urls.map((url, i) => {
      const value = values[i];
      if (value === undefined) throw unreadable(keys[i]!);
      return holderOf(url, number, keys[i]!, openSource(keys[i]!, value));
    });
  });
}

/** The owner of a content and its further holders, in the order of their source keys. */
async function holdersOf(
  level: LevelDatabase,
  snapshot: Snapshot,
  number: number,
  owner: string,
  limit: number,
  after?: string,
): Promise<string[]> {
  const { gte, lt } = under(holdersPrefix(number), limit);
  const range = after === undefined ? { gte, lt } : { gt: holderKey(number, after), lt };
  const keys = await level.keys({ ...range, limit, snapshot }).all();
  resumed();
  const own = holderKey(number, owner);
  if (after === undefined || own > holderKey(number, after)) {
    keys.push(own);
    keys.sort();
  }
  return keys.slice(0, limit).map(urlOfHolderKey);
}

/** What a source's row says of it as a holder. @throws ShingledError `index-unreadable` where it does not hold the content */
export function holderOf(url: string, number: number, key: string, source: SourceRow): Holder {
  const isPresent = source.present.content === number;
  const hold = isPresent ? source.present : source.past.find(({ content }) => content === number);
  if (hold === undefined) throw unreadable(key);
  const { firstSeen, lastSeen, bytesDigest, title, language } = hold;
  const change = isPresent ? source.sinceChange : null;
  let contentsBefore = 0;
  for (const past of source.past) if (past.firstSeen < firstSeen) contentsBefore++;
  return {
    url,
    state: isPresent ? source.state : 'past',
    firstSeen,
    lastSeen,
    bytesDigest,
    title,
    language,
    meta: source.meta,
    knownSince: source.firstSeen,
    contentsBefore: change === null ? contentsBefore : Math.max(1, contentsBefore),
    change,
    finalUrl: isPresent ? source.finalUrl : null,
  };
}

export async function numberOf(level: LevelDatabase, snapshot: Snapshot, id: ContentId): Promise<number | undefined> {
  const key = lexicalKey(id);
  const value = await level.rows.get(key, snapshot);
  return value === undefined ? undefined : openNumber(key, value);
}

async function recordOf(level: LevelDatabase, snapshot: Snapshot, key: string): Promise<Buffer> {
  const value = await level.rows.get(key, snapshot);
  if (value === undefined) throw unreadable(key);
  return value;
}

/**
 * Two reads of many rows, of one moment: the sources, then the contents of those that are there.
 *
 * @param families of a long list, which is likely to be met again, contents are from there, and kept there
 */
export function readMany(
  level: LevelDatabase,
  urls: readonly string[],
  families: FamilyRecords,
): Promise<(KnownSource | 'unreadable' | undefined)[]> {
  return atOnce(level, async (snapshot) => {
    const keys = urls.map(sourceRowKey);
    const values = await level.rows.getEach(keys, snapshot);
    const rows = values.map((value, i) => value && readable(keys[i]!, value));
    const numbers = [...new Set(rows.flatMap((row) => row?.present.content ?? []))];
    const contents = await readRecords(level, snapshot, numbers, families);
    const byNumber = new Map(contents.map((content, i) => [numbers[i], content]));
    return rows.map((row, at) => {
      if (row === undefined) return row;
      const content = row && byNumber.get(row.present.content);
      return row && content ? { source: sourceOf(urls[at]!, row), content } : 'unreadable';
    });
  });
}

function readable(key: string, value: Buffer): SourceRow | null {
  try {
    return openSource(key, value);
  } catch {
    return null;
  }
}
