import type { ContentId, ContentRecord, Holder, Source, Version } from '../port.ts';
import { SAME_SHINGLES_MAX } from '../settings.ts';
import type { LevelDatabase } from './database.ts';
import {
  contentKey,
  holderKey,
  holdersPrefix,
  lexicalKey,
  shinglePrefix,
  sourceRowKey,
  timeOfVersionKey,
  under,
  urlOfHolderKey,
  versionKey,
  versionsPrefix,
} from './keys.ts';
import { unreadable } from './value-bytes.ts';
import { openContent, openDigest, openNumber, openSource, openVersion, type SourceRow } from './values.ts';

/*
 * The reads of the port beside candidates, each in one snapshot where it takes several steps: rows that belong together
 * were written together. A row that another row promises and that is not there, or that its checksum does not fit, is
 * `index-unreadable`.
 */

type Snapshot = ReturnType<LevelDatabase['snapshot']>;

/** Runs steps of reading that see the index at one moment. */
export async function atOnce<T>(level: LevelDatabase, steps: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  const snapshot = level.snapshot();
  try {
    return await steps(snapshot);
  } finally {
    await snapshot.close();
  }
}

export async function readSource(level: LevelDatabase, url: string): Promise<Source | undefined> {
  const key = sourceRowKey(url);
  const value = await level.get(key);
  if (value === undefined) return undefined;
  const { present, past: _, since: __, versionCount: ___, ...row } = openSource(key, value);
  const { bytesDigest, title, language } = present;
  return { ...row, url, bytesDigest, title, language };
}

export function readContent(level: LevelDatabase, id: ContentId): Promise<ContentRecord | undefined> {
  return atOnce(level, async (snapshot) => {
    const number = await numberOf(level, snapshot, id);
    return number === undefined ? undefined : contentOf(level, snapshot, number);
  });
}

export async function readContentsByShingleDigest(level: LevelDatabase, shingleDigest: string): Promise<ContentId[]> {
  const range = under(shinglePrefix(shingleDigest), SAME_SHINGLES_MAX);
  const entries = await level.iterator(range).all();
  return entries.map(([key, value]) => openDigest(key, value));
}

export function readVersions(
  level: LevelDatabase,
  url: string,
  { limit, before }: { limit: number; before?: number },
): Promise<Version[]> {
  return atOnce(level, async (snapshot) => {
    const all = under(versionsPrefix(url), limit);
    const range = before === undefined || before > MS_MAX ? all : { ...all, gte: versionKey(url, before - 1) };
    if (before !== undefined && before <= 0) return [];
    const entries = await level.iterator({ ...range, snapshot }).all();
    const rows = entries.map(([key, value]) => ({
      observedAt: timeOfVersionKey(key),
      ...openVersion(key, value),
    }));
    const kept = await level.getMany(
      rows.map(({ contentId }) => lexicalKey(contentId)),
      { snapshot },
    );
    return rows.map((row, i) => ({ ...row, contentKept: kept[i] !== undefined }));
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
    const all = under(holdersPrefix(number), limit);
    const range = after === undefined ? all : { lt: all.lt, limit, gt: holderKey(number, after) };
    const urls = (await level.keys({ ...range, snapshot }).all()).map(urlOfHolderKey);
    const keys = urls.map(sourceRowKey);
    const values = await level.getMany(keys, { snapshot });
    return urls.map((url, i) => {
      const value = values[i];
      if (value === undefined) throw unreadable(keys[i]!);
      return holderOf(url, number, keys[i]!, openSource(keys[i]!, value));
    });
  });
}

/** Times of versions are below this. */
const MS_MAX = Number.MAX_SAFE_INTEGER;

function holderOf(url: string, number: number, key: string, source: SourceRow): Holder {
  const isPresent = source.present.content === number;
  const hold = isPresent ? source.present : source.past.find(({ content }) => content === number);
  if (hold === undefined) throw unreadable(key);
  const { firstSeen, lastSeen, bytesDigest, title, language } = hold;
  const state = isPresent ? source.state : 'past';
  return { url, state, firstSeen, lastSeen, bytesDigest, title, language, meta: source.meta };
}

async function numberOf(level: LevelDatabase, snapshot: Snapshot, id: ContentId): Promise<number | undefined> {
  const key = lexicalKey(id);
  const value = await level.get(key, { snapshot });
  return value === undefined ? undefined : openNumber(key, value);
}

async function contentOf(level: LevelDatabase, snapshot: Snapshot, number: number): Promise<ContentRecord> {
  const key = contentKey(number);
  const value = await level.get(key, { snapshot });
  if (value === undefined) throw unreadable(key);
  return openContent(key, value);
}
