import type { IndexStats } from '../../port.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import { Table, under } from '../format/keys.ts';
import type { PostingStats } from '../segments/posting-index.ts';

const KINDS = {
  sources: [Table.source, Table.version, Table.hostSample],
  records: [Table.content],
  digests: [Table.lexicalDigest, Table.holder, Table.holderCounts, Table.past],
  postings: [Table.bucket, Table.overflow],
  shingleCounts: [Table.shingleCounts, Table.tombstone],
} as const;

type Kind = keyof typeof KINDS;

/** @param others memory beside that of postings and of LevelDB */
export async function indexStats(
  level: LevelDatabase,
  { segmentsGone: _, memoryBytes, ...postings }: PostingStats,
  others: Pick<IndexStats['memoryBytes'], 'families' | 'knownKeys' | 'holders'>,
): Promise<IndexStats> {
  const kinds = Object.keys(KINDS) as Kind[];
  const bytes = await Promise.all(kinds.map((kind) => bytesOf(level, KINDS[kind])));
  const bytesByKind = Object.fromEntries(kinds.map((kind, i) => [kind, bytes[i]!])) as Record<Kind, number>;
  // its cache of blocks and its write buffers
  const levelBytes = Number(level.getProperty('leveldb.approximate-memory-usage')) || 0;
  return { ...postings, bytesByKind, memoryBytes: { ...memoryBytes, ...others, level: levelBytes } };
}

async function bytesOf(level: LevelDatabase, tables: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const table of tables) {
    const { gte, lt } = under(table, 0);
    bytes += await level.approximateSize(gte, lt);
  }
  return bytes;
}
