import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Corpus, CorpusReading, CorpusSink } from '../cluster/port.ts';
import { textGroups } from '../cluster/text-groups.ts';
import { ShingledError } from '../errors.ts';
import { readManifest } from '../store/level/backups/manifest.ts';
import { BACKUP_FILE, DB_FOLDER, HIGH_WATER_FILE } from '../store/level/folder/folder-parts.ts';
import { readHighWater } from '../store/level/folder/high-water.ts';
import { refuseIfOpen, takeLock } from '../store/level/folder/lock.ts';
import { WholeIndex } from '../store/level/whole-index.ts';
import { corpusContent } from './contents/corpus-content.ts';

/*
 * An index, or a backup of one, as a corpus: of each URL where there is a document what is there now.
 *
 *   URLs ─► which contents ─► their records, in the order of their numbers ─► URLs once more, by content
 */

const ROOM_EVERY = 4096;
const NONE = 2 ** 32 - 1;
/** Blocks of LevelDB that are read, and records on their way. */
const READING_BYTES = 128 * 2 ** 20;

export interface IndexWishes {
  /** Of which its fingerprints must be, the running version's first; unless told, whatever they are. */
  readonly fingerprintIds?: readonly string[];
  /** Of the key that it must have been made with. */
  readonly keyId?: string;
  /** Whether texts are told with what of them is main. */
  readonly hasMarks?: boolean;
}

/**
 * @param folder for which `isIndex` holds; nobody uses it while it is read
 * @throws ShingledError `index-locked`, `index-mismatch`, `index-unreadable`, `backup-damaged`
 */
export async function corpusOfIndex(
  folder: string,
  pid: number,
  { fingerprintIds, keyId, hasMarks = false }: IndexWishes = {},
): Promise<Corpus> {
  const path = await realpath(resolve(folder));
  const location = join(path, DB_FOLDER);
  const isBackup = existsSync(join(path, BACKUP_FILE));
  const batch = isBackup ? (await readManifest(path)).batch : await readHighWater(join(path, HIGH_WATER_FILE));
  const read = async (sink: CorpusSink, told: (records: number) => void, signal: AbortSignal | undefined) => {
    const lock = isBackup ? null : await takeLock(path, pid);
    try {
      if (!isBackup) await refuseIfOpen(location);
      const index = new WholeIndex(location);
      if (index.description === null) throw unreadable('It does not say what it was made with');
      const { fingerprintId } = index.description;
      if (fingerprintIds !== undefined) refuseOther(folder, fingerprintId, fingerprintIds);
      if (keyId !== undefined && keyId !== index.description.keyId) {
        throw new ShingledError('index-mismatch', `${folder} was made with another key than that of INDEX_KEY_FILE.`);
      }
      const reading = await readAll(index, hasMarks, sink, told, signal);
      return { ...reading, fingerprintId };
    } finally {
      await lock?.release();
    }
  };
  return {
    ...{ names: [folder], fingerprint: `index ${path} ${batch}`, inputBytes: null, readingBytes: READING_BYTES },
    readInto: read,
  };
}

async function readAll(
  index: WholeIndex,
  hasMarks: boolean,
  sink: CorpusSink,
  told: (records: number) => void,
  signal: AbortSignal | undefined,
): Promise<CorpusReading> {
  let records = 0;
  let wanted = new Uint32Array(1024).fill(NONE);
  const step = async () => {
    if (++records % ROOM_EVERY !== 0) return;
    signal?.throwIfAborted();
    await sink.room();
    told(records);
  };
  for (const { content } of index.liveSources()) {
    if (content >= wanted.length) {
      const larger = new Uint32Array(Math.max(content + 1, 2 * wanted.length)).fill(NONE);
      larger.set(wanted);
      wanted = larger;
    }
    wanted[content] = 0;
  }
  const live = index.contents((one) => (wanted[one] ?? NONE) !== NONE);
  for (const group of textGroups(live, ({ content }) => content.sample)) {
    const texts = sink.contents(group.map(({ content }) => corpusContent(content, hasMarks)));
    for (const [i, { number }] of group.entries()) {
      // 0: it is wanted, and was not met
      wanted[number] = texts[i]! + 1;
      await step();
    }
    await sink.room();
  }
  const contents = records;
  let missing = 0;
  for (const { url, content, firstSeen } of index.liveSources()) {
    const known = wanted[content]!;
    if (known === 0) missing++;
    else sink.document({ content: known - 1, url, date: firstSeen, record: records - contents });
    await step();
  }
  const { losses, rowsLost } = index;
  const filesLost = losses.missing.length + losses.unreadable.length + losses.blocks.size + losses.logPlaces;
  if (missing + filesLost > 0) {
    throw unreadable(`Of ${missing} contents and ${filesLost} places nothing can be read`);
  }
  return { records: records - contents, leftOut: rowsLost === 0 ? {} : { unreadable: rowsLost } };
}

/** @throws ShingledError `index-mismatch` for fingerprints that cannot be compared */
export function refuseOther(name: string, fingerprintId: string, expected: readonly string[]): void {
  if (expected.includes(fingerprintId)) return;
  const detail = `${name} was made with other fingerprints (${fingerprintId}, not ${expected[0]}): with another key (INDEX_KEY_FILE), SHINGLE_SIZE, or version.`;
  throw new ShingledError('index-mismatch', detail);
}

const unreadable = (what: string) =>
  new ShingledError('index-unreadable', `${what}: the index must be repaired first.`);
