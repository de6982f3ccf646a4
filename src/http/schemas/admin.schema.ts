import Type, { type Static } from 'typebox';
import { Count, closed, orNull, Share, Time } from './common.schema.ts';

/* Schemas of how the index is kept, and of its upkeep. */

const longestList = closed({
  contents: Count('Contents in the list, estimated where it was cut.', 1200),
  share: Share({ description: 'Of all contents, about.', examples: [0.29] }),
});

export const INDEX_EXAMPLE = {
  segments: 2,
  segmentPostings: 400_000,
  tailContents: 100,
  tailPostings: 10_000,
  forgotten: 3,
  merging: false,
  longestLists: [{ contents: 1200, share: 0.292683 }],
  bytesByKind: { sources: 900_000, records: 6_000_000, digests: 200_000, postings: 2_400_000, shingleCounts: 17_000 },
  memoryBytes: {
    contentTable: 270_336,
    knownKeys: 524_288,
    holders: 13_000_000,
    tail: 40_888_608,
    images: 356_000_000,
    filters: 1_200_000,
    families: 800_000,
    level: 9_000_000,
  },
};

export const IndexAnswer = closed(
  {
    segments: Count('Sorted pieces that a look-up reads.', 2),
    segmentPostings: Count('Postings in them, of forgotten contents too until a merge drops those.', 400_000),
    tailContents: Count('Contents whose postings are in memory only; their records are on disk.', 100),
    tailPostings: Count('Postings in memory.', 10_000),
    forgotten: Count('Contents forgotten of late, whose postings are still to be dropped.', 3),
    merging: Type.Boolean({ description: 'Whether segments are being merged.', examples: [false] }),
    longestLists: Type.Array(longestList, {
      description: 'The longest posting lists in segments.',
      examples: [INDEX_EXAMPLE.longestLists],
    }),
    bytesByKind: closed(
      {
        sources: Count('URLs and their past versions.', 900_000),
        records: Count('What is known of contents.', 6_000_000),
        digests: Count('Contents by their digests, and further holders.', 200_000),
        postings: Count('Segments.', 2_400_000),
        shingleCounts: Count('Sizes of contents.', 17_000),
      },
      { description: 'Bytes of table files, about; what is in logs is not among them.' },
    ),
    memoryBytes: closed(
      {
        contentTable: Count('Sizes of contents.', 270_336),
        knownKeys: Count('Which sources and contents there may be.', 524_288),
        holders: Count('Sources that show what another one shows too.', 13_000_000),
        tail: Count('Postings that no segment has yet.', 40_888_608),
        images: Count('Posting lists of segments.', 356_000_000),
        filters: Count('What spares look-ups most segments.', 1_200_000),
        families: Count('Records of families that were met lately.', 800_000),
        level: Count('Cache and write buffers of LevelDB.', 9_000_000),
      },
      { description: 'Bytes of memory by part.' },
    ),
  },
  { title: 'IndexAnswer', description: 'How postings are kept; null where the index cannot be read for now.' },
);

export const BackupRequest = closed(
  {
    name: Type.String({
      minLength: 1,
      description:
        'Names the backup, a folder below BACKUP_DIR: 1 to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit.',
      examples: ['monday'],
    }),
  },
  { title: 'BackupRequest', examples: [{ name: 'monday' }] },
);
export type BackupRequestJson = Static<typeof BackupRequest>;

const backupFigures = closed({
  name: Type.String({ description: 'Its name below BACKUP_DIR.', examples: ['monday'] }),
  files: Count('Files in it.', 14),
  bytes: Count('Bytes of them all.', 31_000_000),
  linkedFiles: Count('Files that share their bytes with the index: hard links.', 11),
  writesWaitedMs: Count('So long did writes wait, in ms.', 5),
});

const compactionFigures = closed({
  diskBytesBefore: orNull(Count('Bytes on disk before.', 31_000_000)),
  diskBytesAfter: orNull(Count('Bytes on disk after.', 24_000_000)),
});

export const UpkeepAnswer = closed(
  {
    kind: Type.Enum(['backup', 'compact'], { description: 'What is done.', examples: ['backup'] }),
    state: Type.Enum(['running', 'done', 'failed'], { description: 'How far it is.', examples: ['done'] }),
    startedAt: Time('When it began.'),
    elapsedMs: Type.Number({ minimum: 0, description: 'Time it has taken, in ms.', examples: [850] }),
    backup: orNull(backupFigures, { description: 'Figures of a backup that is done.' }),
    compaction: orNull(compactionFigures, { description: 'Figures of a compaction that is done.' }),
    problem: orNull(
      closed({
        code: Type.String({ description: 'The error code.', examples: ['storage-full'] }),
        detail: Type.String({ description: 'What happened.', examples: ['The disk refused the write.'] }),
      }),
      { description: 'Why it failed.' },
    ),
  },
  {
    title: 'UpkeepAnswer',
    description: 'A backup or a compaction.',
    examples: [
      {
        kind: 'backup',
        state: 'done',
        startedAt: '2026-01-02T03:04:05.000Z',
        elapsedMs: 850,
        backup: { name: 'monday', files: 14, bytes: 31_000_000, linkedFiles: 11, writesWaitedMs: 5 },
        compaction: null,
        problem: null,
      },
    ],
  },
);

const damagedPart = closed({
  file: orNull(Type.String({ description: 'The file of the database, where it is known.', examples: ['000012.ldb'] })),
  problem: Type.String({ description: 'What is wrong.', examples: ['the checksum of a block does not fit'] }),
});

export const DamageAnswer = closed(
  {
    parts: Type.Array(damagedPart, {
      description: 'Of very many the first.',
      examples: [[{ file: '000012.ldb', problem: 'the checksum of a block does not fit' }]],
    }),
    advice: Type.String({ description: 'What to do.', examples: ['Stop the service. Then restore a backup …'] }),
  },
  { title: 'DamageAnswer' },
);

const BACKUP_EXAMPLE = {
  name: 'monday',
  createdAt: '2026-01-02T03:04:05.000Z',
  bytes: 31_000_000,
  files: 14,
  documents: 4600,
  state: 'verified',
  verifiedAt: '2026-01-02T04:00:00.000Z',
  problem: null,
} as const;

const backupEntry = closed({
  name: Type.String({ description: 'Its name below BACKUP_DIR.', examples: ['monday'] }),
  createdAt: orNull(Time('When it was taken; null, as what follows, where it does not say.')),
  bytes: orNull(
    Count('Bytes of its files; those that it shares with the index take no room of their own.', 31_000_000),
  ),
  files: orNull(Count('Files in it.', 14)),
  documents: orNull(Count('URLs in it; null where nobody has counted them.', 4600)),
  state: Type.Enum(['verified', 'unverified', 'damaged'], {
    description: 'Verified: `shingled check` has proven it. Damaged: a file is missing or of another size.',
    examples: ['verified'],
  }),
  verifiedAt: orNull(Time('When it was proven.')),
  problem: orNull(Type.String({ description: 'What is damaged.', examples: ['db/000005.ldb is missing.'] })),
});

export const BackupsAnswer = closed(
  {
    backups: Type.Array(backupEntry, { description: 'The newest first, at most 1,000.', examples: [[BACKUP_EXAMPLE]] }),
    more: Count('Backups that are not listed.', 0),
  },
  { title: 'BackupsAnswer', examples: [{ backups: [BACKUP_EXAMPLE], more: 0 }] },
);
