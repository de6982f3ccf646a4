import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ShingledError } from '../../errors.ts';
import { DB_FOLDER } from './folder/folder-parts.ts';
import { Disk } from './outage/disk.ts';
import { storageFull } from './outage/failures.ts';
import type { PostingIndex } from './segments/posting-index.ts';
import type { Writer, WriterParts } from './writing/writer.ts';

/*
 * After a compaction no file of an index says anything of what was deleted:
 *
 *   segments      merged into one without forgotten contents                      (PostingIndex.compact)
 *   table files   every one written anew. LevelDB leaves alone what nothing newer overlaps, also where a row and its
 *                 deletion lie in the same file: so two deletions of nothing, below and above all keys, go first, and what
 *                 they make overlaps everything
 *   MANIFEST, LOG these name keys at the ends of files that are gone: written anew when the database is opened anew
 */

/** Below and above all keys. */
const ENDS = ['!', '\u007f'] as const;
const ALL = ['\0', '\u007f\u007f'] as const;

interface CompactedParts extends WriterParts {
  readonly index: PostingIndex;
  readonly writer: Writer;
  /** DATA_DIR. */
  readonly folder: string;
}

export async function leaveNothing(parts: CompactedParts): Promise<void> {
  const { database, index, writer, disk, outage, folder } = parts;
  const bytes = await Disk.bytesIn(join(folder, DB_FOLDER));
  if (!(await disk.hasRoom(bytes))) {
    throw new ShingledError('storage-full', `A compaction needs ${bytes} bytes beside the reserve (FREE_BYTES_MIN).`);
  }
  outage.check();
  await index.compact();
  const aloneWhileWritten = (work: () => Promise<void>) =>
    writer.alone(async () => {
      outage.check();
      try {
        await work();
      } catch (cause) {
        throw cause instanceof ShingledError ? cause : storageFull('The disk refused the compaction.', { cause });
      }
    });
  await aloneWhileWritten(() =>
    database.write(
      'compaction',
      ENDS.map((key) => [key, null]),
    ),
  );
  await database.compactRange(...ALL);
  // a batch is told if that failed
  await writer.commitRows(() => [], 'compaction');
  const compaction = {};
  await index.suspend(compaction);
  try {
    await aloneWhileWritten(() => database.reopen());
  } finally {
    index.resume(compaction);
  }
  await rm(join(folder, DB_FOLDER, 'LOG.old'), { force: true });
}
