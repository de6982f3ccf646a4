import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '../../cluster/durable-files.ts';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { ContentChoice } from '../../core/content/told-content.ts';
import { ShingledError } from '../../errors.ts';
import { LOCK_FILE } from '../../store/level/folder/lock.ts';
import { KEY_FILE } from '../cluster-commands.ts';

/** Which inputs and settings a folder is of. */
const SUBJECT_FILE = 'dedupe.json';

/**
 * A folder that has been used is of the same inputs and settings. One that nobody named is emptied where it is not.
 *
 * @throws ShingledError `invalid-request`
 */
export function beginIn(
  folder: string,
  subject: { readonly fingerprint: string; readonly by: Likeness; readonly content: ContentChoice },
  isOurs: boolean,
): void {
  const path = join(folder, SUBJECT_FILE);
  const text = `${JSON.stringify(subject)}\n`;
  const names = readdirSync(folder).filter((name) => !name.startsWith(LOCK_FILE) && name !== KEY_FILE);
  if (names.length > 0 && (!existsSync(path) || readFileSync(path, 'utf8') !== text)) {
    if (!isOurs) {
      throw new ShingledError(
        'invalid-request',
        `${folder} is left of a run on other inputs, or with other settings: remove it, or name another folder.`,
        { field: 'work' },
      );
    }
    for (const name of names) rmSync(join(folder, name), { recursive: true, force: true });
  }
  writeWhole(path, [Buffer.from(text)]);
}
