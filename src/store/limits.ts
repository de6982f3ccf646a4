const MIB = 2 ** 20;
const DAY_MS = 86_400_000;

/** What the index on disk may take, and what it leaves. */
export const STORE_LIMIT_ROWS = {
  freeBytesMin: {
    default: 256 * MIB,
    minimum: 0,
    maximum: 1024 * 1024 * MIB,
    description: 'Writes are answered 507 while less than this is free on the disk.',
    reason: 'Room for what LevelDB rewrites behind the scenes: a few write buffers.',
  },
  storeMemoryMb: {
    default: 1024,
    minimum: 48,
    maximum: 65_536,
    description:
      'MiB of memory for the index: posting lists at 7 bytes a posting, a cache, write buffers, filters, postings that are not on disk yet, and 6 bytes a content. Mapped files are not counted.',
    reason: 'Enough for the posting lists of a million and a half pages of 800 bytes; with less, look-ups read rows.',
  },
};

export type StoreLimits = Readonly<Record<keyof typeof STORE_LIMIT_ROWS, number>>;

/** What old contents of a source are kept for, and how many versions. */
export const RETENTION_ROWS = {
  pastContentsMax: {
    default: 3,
    minimum: 0,
    maximum: 1000,
    description: 'Past contents kept for a source; 0 = none.',
    reason: 'A page that changed is found by what it said.',
  },
  pastMs: {
    default: 365 * DAY_MS,
    minimum: 0,
    maximum: 36_500 * DAY_MS,
    description: 'How long a past content is kept from when it became one here: replaced, or told of as an older one.',
    reason: 'A year of yearly pages.',
  },
  versionsMax: {
    default: 100,
    minimum: 1,
    maximum: 100_000,
    description: 'Dated versions kept for a source; the oldest go first.',
    reason: 'About two years of weekly visits.',
  },
};

/** A part of 1, where the others are whole numbers. */
export const PAST_RESEMBLANCE_ROW = {
  default: 0.9,
  minimum: 0,
  maximum: 1,
  description: 'A past content that resembles its successor at least so much is dropped at once.',
  reason: 'A page with a clock on it would else leave a content at every visit.',
};
