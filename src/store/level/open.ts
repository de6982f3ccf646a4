import { join } from 'node:path';
import { ShingledError } from '../../errors.ts';
import { rest } from '../../sharing/waiting.ts';
import { STORE_LIMIT_ROWS, type StoreLimits } from '../limits.ts';
import type { DamagedPart } from '../port.ts';
import { LIST_POSTINGS_MAX, type StoreSettings } from '../settings.ts';
import { Damage } from './damage/damage.ts';
import { Verification } from './damage/verification.ts';
import { Database } from './database/database.ts';
import { HostMarks } from './database/host-marks.ts';
import { KnownKeys } from './database/known-keys.ts';
import { type OpenLevel, openLevel } from './database/level-handle.ts';
import type { FileProblem } from './files/verify.ts';
import { discard, publish } from './folder/creation.ts';
import { compare, describeNew, type ExpectedIdentity, readDescription, refuseOlder } from './folder/description.ts';
import { type PreparedFolder, startError } from './folder/folder.ts';
import { DB_FOLDER, HIGH_WATER_FILE, KEY_FILE } from './folder/folder-parts.ts';
import { createHighWater, HighWater } from './folder/high-water.ts';
import { giveUp } from './folder/lock.ts';
import { descriptionKey, totalsKey } from './format/keys.ts';
import { sealDescription, sealTotals } from './format/values.ts';
import { LevelStore } from './level-store.ts';
import { imageBytesMax, memoryShares, STORE_MEMORY_MB, tailPostings } from './memory.ts';
import { Disk } from './outage/disk.ts';
import { isPassing } from './outage/failures.ts';
import { DISK_RETRY_MS, Outage, type OutageNews, type WriteKind } from './outage/outage.ts';
import { rebuildTail, recoveryOf } from './recovery.ts';
import { PostingIndex, type PostingSettings } from './segments/posting-index.ts';
import { newIndexRow } from './segments/restored-segments.ts';
import { Feed } from './threads/feed.ts';
import { readTrail } from './writing/batch-log.ts';
import { Writer } from './writing/writer.ts';

/*
 * Opening an index takes three steps, since the key lies in its folder and says which index it is of:
 *
 *   folder = await prepareFolder({ dataDir, indexKeyFile, mustExist, pid })      folder.ts: locked, old or new
 *   secret = folder.lacksKey ? createIndexKeyFile(folder.keyFile) : readIndexKeyFile(folder.keyFile)
 *   store  = await openLevelStore({ folder, keyId, fingerprintId, …, rankKey })  and store.description has the rest
 *
 * If a step throws, `folder.release()` gives the folder up; openLevelStore does so itself, and the store when it is closed.
 *
 * A new index is made whole in a folder of its own, and moves to where it is to be at the end (creation.ts). A process
 * that is killed before that has acknowledged nothing, and the next start begins again.
 */

export interface OpenOptions extends ExpectedIdentity, StoreSettings, Partial<StoreLimits> {
  readonly folder: PreparedFolder;
  /** ms since 1970; the creation time of a new index. */
  readonly now: number;
  /** For tests: {@link DISK_RETRY_MS} otherwise. */
  readonly diskRetryMs?: number;
  /** Where backups belong; none are taken without it. */
  readonly backupDir?: string | null;
  /** For tests: segments and tails so small that all that becomes of them happens. */
  readonly segments?: Partial<Omit<PostingSettings, 'rankKey' | 'listPostingsMax'>>;
  /** Told of each thing that cannot be trusted, once. */
  readonly onDamage?: (part: DamagedPart) => void;
  /** Told of each file that could not be verified for now. */
  readonly onUnverified?: (problem: FileProblem) => void;
  /** For tests: to be told when all files have been looked at, at once then; how soon those are again that could not be. */
  readonly onVerified?: () => void;
  readonly verifyRetryMs?: number;
  /** To be told when writing stops, and when it goes on. */
  onNews?(news: OutageNews): void;
  /** For tests: a LevelDB whose disk fails. */
  readonly openLevel?: OpenLevel;
}

/** Plans that may wait for the committer, a second of writing; more are refused with `write-queue-full`, bulk lines wait. */
const WRITE_QUEUE_MAX = 2048;
const SCAN_RETRY_MS = 1000;
/** Whoever asks a little and closes again is spared the thread that looks at all files. */
const VERIFY_AFTER_MS = 500;

/**
 * Opens the index of a prepared folder, creating it where the folder is new.
 *
 * @throws ShingledError `index-mismatch` naming each setting that differs, `index-damaged`, `index-locked`, `storage-full`
 */
export async function openLevelStore(options: OpenOptions): Promise<LevelStore> {
  const { folder } = options;
  let database: Database | undefined;
  let highWater: HighWater | undefined;
  let index: PostingIndex | undefined;
  try {
    const { settings, disk, retryMs, familyBytesMax, holderBytesMax, postingSettings, open } = openParts(options);
    const location = join(folder.path, DB_FOLDER);
    const damage: Damage = new Damage(location, (part) => {
      options.onDamage?.(part);
      // in which file it lies
      if (part.file === null) verification.begin();
    });
    const verification = new Verification({
      ...{ location, damage, onPass: options.onVerified, retryMs: options.verifyRetryMs },
      onUnverified: (problem) => options.onUnverified?.(problem),
    });
    const onDamage = (error: unknown) => damage.noteError(error);
    const outage = new Outage({ retryMs, onNews: (news) => options.onNews?.(news) });
    const onRefused = (kind: WriteKind, cause: unknown) => outage.failed(kind, cause);
    if (folder.creation !== null) await create(folder.creation, folder.path, options);
    database = await Database.open(location, false, open, { onRefused, onDamage });
    const onMarkRefused = (cause: unknown) => outage.failed('mark', cause);
    highWater = await HighWater.open(join(folder.path, HIGH_WATER_FILE), onMarkRefused);
    const description = await readDescription(database);
    compare(description, options);
    refuseOlder(description, options);
    const trail = await readTrail(database, highWater.value);
    // what LevelDB has recovered from its log is in a synced table now
    highWater.advance(trail.seq);
    const known = new KnownKeys(trail.totals.sources + trail.totals.contents, holderBytesMax);
    const parts = { database, highWater, known, marks: new HostMarks(), disk, outage, description, settings };
    const writer = new Writer(parts, trail);
    const opened = await PostingIndex.open({
      database,
      location,
      settings: postingSettings(trail.totals.nextContent),
      commit: (rows) => writer.commitRows(rows),
      hasRoom: (bytes) => disk.hasRoom(bytes),
      onFailure: onDamage,
    });
    index = opened;
    const room = () => outage.unlessStopped(opened.room());
    await rebuildTail({ reader: database, index, description, room }, trail.totals);
    writer.feed(index);
    const reader = database;
    const scanKeys = () => void patiently(known, reader, onDamage);
    outage.arm(recoveryOf({ ...parts, writer, index, onDamage, scanKeys }));
    scanKeys();
    // an index that was made just now has no files that could have changed
    if (folder.creation === null) verification.beginAfter(options.onVerified === undefined ? VERIFY_AFTER_MS : 0);
    const release = () => {
      verification.stop();
      return folder.release();
    };
    const keyFile = folder.isKeyOutside ? null : join(folder.path, KEY_FILE);
    const where = { folder: folder.path, keyFile, backupDir: options.backupDir ?? null };
    const memory = { familyBytesMax, holderBytesMax, hostMarks: parts.marks.memory };
    const setup = { location, description, limits: index.limits, ...memory };
    const feed = new Feed({ index, known, setup });
    database.others = feed;
    const store = { ...where, writer, index, damage, feed, queueMax: WRITE_QUEUE_MAX, familyBytesMax, release };
    return new LevelStore({ ...parts, ...store });
  } catch (error) {
    await index?.close();
    await highWater?.close();
    await database?.close();
    if (folder.creation !== null) await discard(folder.creation);
    await giveUp(folder.lock, error);
    throw startError(error);
  }
}

/** Nobody waits for a scan: without it, rows are read that need not be. */
async function patiently(known: KnownKeys, database: Database, onDamage: (error: unknown) => void): Promise<void> {
  for (;;) {
    try {
      await known.scan(database);
      return;
    } catch (error) {
      onDamage(error);
      if (!isPassing(error)) return;
      await rest(SCAN_RETRY_MS);
    }
  }
}

/** What needs no file of the index. */
function openParts({ folder, rankKey, retention, listPostingsMax = LIST_POSTINGS_MAX, ...options }: OpenOptions) {
  if (!(retention.versionsMax >= 1)) {
    throw new ShingledError('invalid-config', 'A source needs room for one version at least.', {
      field: 'versionsMax',
    });
  }
  const { storeMemoryMb = STORE_MEMORY_MB, freeBytesMin = STORE_LIMIT_ROWS.freeBytesMin.default } = options;
  const { filterBytesMax, familyBytesMax, holderBytesMax, ...levelMemory } = memoryShares(storeMemoryMb);
  /** @param contents numbers given out so far */
  const postingSettings = (contents: number): PostingSettings => {
    const flushPostings = tailPostings(storeMemoryMb, contents);
    const memory = { filterBytesMax, imageBytesMax: imageBytesMax(storeMemoryMb, contents) };
    return { rankKey, listPostingsMax, flushPostings, ...memory, ...options.segments };
  };
  return {
    settings: { rankKey, retention, listPostingsMax },
    disk: new Disk(folder.path, freeBytesMin),
    retryMs: options.diskRetryMs ?? DISK_RETRY_MS,
    familyBytesMax,
    holderBytesMax,
    postingSettings,
    open: options.openLevel ?? (((location, isNew) => openLevel(location, isNew, levelMemory)) satisfies OpenLevel),
  };
}

/** Makes a new index beside where it is to be, and moves it there. */
async function create(creation: string, path: string, options: OpenOptions): Promise<void> {
  const description = describeNew(options, options.now);
  const first = totalsKey(0);
  const nothing = { nextContent: 0, sources: 0, contents: 0, postings: 0 };
  const rows = [
    [descriptionKey, sealDescription(descriptionKey, description)],
    [first, sealTotals(first, nothing)],
    newIndexRow(),
  ] as const;
  const database = await Database.open(join(creation, DB_FOLDER), true);
  try {
    await database.write('documents', rows);
  } finally {
    await database.close();
  }
  await createHighWater(join(creation, HIGH_WATER_FILE), 0);
  await publish(creation, path);
}
