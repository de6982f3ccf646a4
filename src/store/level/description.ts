import { ShingledError } from '../../errors.ts';
import type { IndexDescription } from '../port.ts';
import type { Database } from './database.ts';
import { descriptionKey } from './keys.ts';
import { FORMAT_VERSION, openDescription } from './values.ts';

/* What an index says it was made with, and whether a start has the same. */

/** Everything an index was made with that must equal the running settings. */
export type IndexIdentity = Omit<IndexDescription, 'formatVersion' | 'indexId' | 'createdAt'>;

export async function readDescription(database: Database): Promise<IndexDescription> {
  const value = await database.get(descriptionKey);
  if (value === undefined) throw new ShingledError('index-damaged', 'The index has lost its description.');
  return openDescription(descriptionKey, value);
}

/** @throws ShingledError `index-mismatch`: every difference, a line each; of another format nothing else can be said */
export function compare(description: IndexDescription, running: IndexIdentity): void {
  const { keyId, fingerprintId, shingleSize, indexModulusMax, recordModulusMax } = running;
  const { formatVersion } = description;
  if (formatVersion !== FORMAT_VERSION) {
    const detail = `The index has format ${formatVersion}, and this version of shingled reads and writes format ${FORMAT_VERSION}.`;
    throw new ShingledError('index-mismatch', `${detail} Use a version for its format: CHANGELOG.md names them.`);
  }
  const expected = { keyId, fingerprintId, shingleSize, indexModulusMax, recordModulusMax };
  const differences = Object.entries(expected).flatMap(([name, value]) => {
    const made = description[name as keyof typeof expected];
    return made === value ? [] : [`${name}: the index was made with ${made}, this start has ${value}.`];
  });
  if (differences.length > 0) throw new ShingledError('index-mismatch', differences.join('\n'));
}
