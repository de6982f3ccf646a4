import { FREE_BYTES_MIN } from '../store/level/disk.ts';
import { STORE_MEMORY_MB, STORE_MEMORY_MB_MIN } from '../store/level/memory.ts';
import { DISK_RETRY_MS, WRITE_QUEUE_MAX } from '../store/level/open.ts';
import { limitSettings, row } from './limit-settings.ts';

const MIB = 2 ** 20;

/** What the index on disk is bounded by. */
export interface StoreLimits {
  readonly writeQueueMax: number;
  readonly freeBytesMin: number;
  readonly diskRetryMs: number;
  readonly storeMemoryMb: number;
}

export const STORE_LIMITS: StoreLimits = {
  writeQueueMax: WRITE_QUEUE_MAX,
  freeBytesMin: FREE_BYTES_MIN,
  diskRetryMs: DISK_RETRY_MS,
  storeMemoryMb: STORE_MEMORY_MB,
};

export const storeLimitSettings = limitSettings<'', StoreLimits>('', STORE_LIMITS, {
  writeQueueMax: row(
    1,
    1_000_000,
    'Documents that wait to be written; further ones are answered 429, bulk lines wait.',
    'A second of writing.',
  ),
  freeBytesMin: row(
    0,
    1024 * 1024 * MIB,
    'Writes are answered 507 while less than this is free on the disk.',
    'Room for what LevelDB rewrites behind the scenes.',
  ),
  diskRetryMs: row(10, 3_600_000, 'How often a disk that refused a write is tried again.', 'Soon after there is room.'),
  storeMemoryMb: row(
    STORE_MEMORY_MB_MIN,
    65_536,
    'MiB of memory for the index: a cache, write buffers, filters, postings that are not on disk yet, and 6 bytes a content. Mapped files are not counted.',
    'Enough for ten million contents without merging more often than need be.',
  ),
});
