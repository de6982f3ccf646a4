import Type, { type Static } from 'typebox';
import { ERRORS, type ErrorCode } from '../../errors.ts';
import { answer, Count, closed, exampleOf, Flag, orNull, Share, Text, Time } from './common.schema.ts';

/* Schemas of problems, and of what an operator asks: how the index is kept, its upkeep, whether the service is ready. */

/** RFC 9457. Extensible by its own rule, so clients must ignore members that they do not know. */
export const Problem = closed(
  {
    type: Text('Names the kind of problem.', 'urn:shingled:error:unknown-url'),
    title: Text('The kind in words.', 'The URL is not in the index'),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.', examples: [404] }),
    code: Type.Enum(Object.keys(ERRORS) as ErrorCode[], {
      description: 'What to switch on; never changes its meaning.',
      examples: ['unknown-url'],
    }),
    detail: Text('What happened this time.', 'The index has no such URL.'),
    requestId: Text('Names the request in the log.', '8b1f'),
    field: Type.Optional(Text('The field at fault.', 'url')),
    limit: Type.Optional(
      closed(
        { name: Type.String(), value: Type.Number() },
        { description: 'The limit that was met.', examples: [{ name: 'bodyBytesMax', value: 8_388_608 }] },
      ),
    ),
  },
  { title: 'Problem', description: 'An error (RFC 9457).' },
);

export type ProblemJson = Static<typeof Problem>;

const longestList = closed({
  contents: Count('Contents in the list, estimated where it was cut.', 1200),
  share: Share({ description: 'Of all contents, about.', examples: [0.29] }),
});

const IndexAnswer = closed(
  {
    segments: Count('Sorted pieces that a look-up reads.', 2),
    segmentPostings: Count('Postings in them, of forgotten contents too until a merge drops those.', 400_000),
    tailContents: Count('Contents whose postings are in memory only; their records are on disk.', 100),
    tailPostings: Count('Postings in memory.', 10_000),
    forgotten: Count('Contents forgotten of late, whose postings are still to be dropped.', 3),
    merging: Flag('Whether segments are being merged.', false),
    longestLists: Type.Array(longestList, {
      description: 'The longest posting lists in segments.',
      examples: [[{ contents: 1200, share: 0.292683 }]],
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
    imageBytesLeft: Count(
      'About how many bytes of images of posting lists are still to be made in memory. Until then questions take longer.',
      0,
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

const backupName = Text('Its name below BACKUP_DIR.', 'monday');

const backupFigures = closed({
  name: backupName,
  files: Count('Files in it.', 14),
  bytes: Count('Bytes of them all.', 31_000_000),
  linkedFiles: Count('Files that share their bytes with the index: hard links.', 11),
  writesWaitedMs: Count('So long did writes wait, in ms.', 5),
});

const compactionFigures = closed({
  diskBytesBefore: orNull(Count('Bytes on disk before.', 31_000_000)),
  diskBytesAfter: orNull(Count('Bytes on disk after.', 24_000_000)),
});

export const UpkeepAnswer = answer(
  {
    kind: Type.Enum(['backup', 'compact'], { description: 'What is done.', examples: ['backup'] }),
    state: Type.Enum(['running', 'done', 'failed'], { description: 'How far it is.', examples: ['done'] }),
    startedAt: Time('When it began.'),
    elapsedMs: Type.Number({ minimum: 0, description: 'Time it has taken, in ms.', examples: [850] }),
    backup: orNull(backupFigures, { description: 'Figures of a backup that is done.' }),
    compaction: orNull(compactionFigures, { description: 'Figures of a compaction that is done.' }),
    problem: orNull(
      closed({
        code: Text('The error code.', 'storage-full'),
        detail: Text('What happened.', 'The disk refused the write.'),
      }),
      { description: 'Why it failed.' },
    ),
  },
  { title: 'UpkeepAnswer', description: 'A backup or a compaction.' },
  { compaction: null, problem: null },
);

const damagedPart = closed({
  file: orNull(Type.String({ description: 'The file of the database, where it is known.', examples: ['000012.ldb'] })),
  problem: Text('What is wrong.', 'the checksum of a block does not fit'),
});

const DamageAnswer = closed(
  {
    parts: Type.Array(damagedPart, {
      description: 'Of very many the first.',
      examples: [[exampleOf(damagedPart)]],
    }),
    advice: Text('What to do.', 'Stop the service. Then restore a backup …'),
  },
  { title: 'DamageAnswer' },
);

const backupEntry = closed({
  name: backupName,
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

const newestBackup = exampleOf(backupEntry, { verifiedAt: '2026-01-02T04:00:00.000Z', problem: null });

export const BackupsAnswer = answer(
  {
    backups: Type.Array(backupEntry, { description: 'The newest first, at most 1,000.', examples: [[newestBackup]] }),
    more: Count('Backups that are not listed.', 0),
  },
  { title: 'BackupsAnswer' },
);

export const StatsAnswer = answer(
  {
    version: Text('Version of the service.', '0.1.0'),
    fingerprintId: Text('Version and key of the fingerprints.', '3.9f3c'),
    kernel: Type.Union([Type.Literal('wasm'), Type.Literal('typescript')], {
      description: 'Which of the two equal kernels makes the sketches.',
      examples: ['wasm'],
    }),
    shingleSize: Count('Words in a shingle.', 7),
    indexModulusMax: Count('Of a long document, 1 in so many shingles can be looked up.', 8),
    recordModulusMax: Count('Of a long document, 1 in so many shingles is kept for estimates.', 4),
    createdAt: Time('When the index was created.'),
    sources: Count('URLs.', 4600),
    contents: Count('Distinct contents.', 4100),
    postings: Count('Postings.', 410_000),
    diskBytes: orNull(Count('Bytes on disk, where there is one.', 31_000_000)),
    freeBytes: orNull(Count('Bytes free beside them.', 90_000_000_000)),
    writable: Flag('False while the disk refuses writes.', true),
    uptimeS: Type.Number({ minimum: 0, description: 'Seconds since the start.', examples: [3600] }),
    index: orNull(IndexAnswer),
    damage: orNull(DamageAnswer, {
      description: 'What of the index cannot be trusted; null while there is nothing, and without the scope `admin`.',
    }),
    upkeep: orNull(UpkeepAnswer, {
      description: 'The last backup or compaction since the start; null without the scope `admin`.',
    }),
  },
  { title: 'StatsAnswer' },
  { damage: null, upkeep: null },
);

export const LiveAnswer = answer({ status: Type.Literal('live') }, { title: 'Live' });

export const ReadyAnswer = answer(
  {
    status: Type.Enum(['ready', 'not-ready'], { examples: ['ready'] }),
    checks: closed(
      {
        phase: Type.Enum(['opening', 'ready', 'draining'], {
          description: 'Anything but `ready` is not ready. `opening` may already answer, more slowly.',
          examples: ['ready'],
        }),
        undamaged: Flag('False after a value of the index could not be read: not ready.', true),
        writable: Flag('False while the disk refuses writes; still ready.', true),
      },
      { description: 'What was looked at.' },
    ),
  },
  { title: 'Ready' },
);
