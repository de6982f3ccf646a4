import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Unreadable } from '../byte-reader.ts';
import { checkBlocks } from './table-file.ts';

/*
 * The checksums of all blocks of all table files. LevelDB looks at them only when asked to, and what we reach it by cannot
 * ask: a bit that changes in a key, or in the filter before a block, takes a row out of sight, and an older one of the same
 * key comes to light. Our own checksums guard values under their keys, and say nothing of a row that is not found.
 *
 * Cost: some 4 ms a MB. In the background a tenth of the time, in turns of a millisecond.
 */

const TURN_MS = 1;
const REST_MS = 9;

/**
 * A sentence for each file that cannot be believed; files that LevelDB deletes meanwhile are passed over.
 *
 * @param pace `gentle` beside other work of this thread
 */
export async function* damagedTables(location: string, pace: 'gentle' | 'full'): AsyncGenerator<string> {
  const names = await readdir(location).catch(ifAbsent([]));
  for (const name of names.filter((entry) => entry.endsWith('.ldb')).sort()) {
    const bytes = await readFile(join(location, name)).catch(ifAbsent(undefined));
    if (bytes === undefined) continue;
    try {
      await checkInTurns(bytes, pace);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      yield `The file ${name} is damaged: ${error.message}.`;
    }
  }
}

const ifAbsent =
  <T>(nothing: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return nothing;
    throw error;
  };

async function checkInTurns(bytes: Buffer, pace: 'gentle' | 'full'): Promise<void> {
  let turnEnd = performance.now() + TURN_MS;
  for (const _ of checkBlocks(bytes)) {
    if (pace === 'full' || performance.now() < turnEnd) continue;
    // nobody is to be kept for it
    await new Promise((resolve) => void setTimeout(resolve, REST_MS).unref());
    turnEnd = performance.now() + TURN_MS;
  }
}
