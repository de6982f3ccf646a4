import type { IndexStats } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import { Table, under } from '../format/keys.ts';
import type { PostingStats } from '../segments/posting-index.ts';

/** Which tables make up a kind of bytes. */
const KINDS = {
  sources: [Table.source, Table.version],
  records: [Table.content],
  digests: [Table.lexicalDigest, Table.holder, Table.past],
  postings: [Table.bucket, Table.overflow],
  shingleCounts: [Table.shingleCounts, Table.tombstone],
} as const;

type Kind = keyof typeof KINDS;

/** Memory beside that of the posting index. */
export interface OtherMemory {
  readonly familyBytes: number;
  readonly knownKeyBytes: number;
}

export async function indexStats(level: LevelDatabase, stats: PostingStats, others: OtherMemory): Promise<IndexStats> {
  const { segments, segmentPostings, tailContents, tailPostings, deaths, merging, longestLists, memory } = stats;
  const kinds = Object.keys(KINDS) as Kind[];
  const bytes = await Promise.all(kinds.map((kind) => bytesOf(level, KINDS[kind])));
  const bytesByKind = Object.fromEntries(kinds.map((kind, i) => [kind, bytes[i]!])) as Record<Kind, number>;
  return {
    ...{ segments, segmentPostings, tailContents, tailPostings, forgotten: deaths, merging, bytesByKind },
    longestLists: longestLists.map(({ contents }) => contents),
    memoryBytes: {
      contentTable: memory.contentTableBytes,
      tail: memory.tailBytes,
      filters: memory.filterBytes,
      families: others.familyBytes,
      knownKeys: others.knownKeyBytes,
      // its cache of blocks and its write buffers
      level: Number(level.getProperty('leveldb.approximate-memory-usage')) || 0,
    },
  };
}

async function bytesOf(level: LevelDatabase, tables: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const table of tables) {
    const { gte, lt } = under(table, 0);
    bytes += await level.approximateSize(gte, lt);
  }
  return bytes;
}
