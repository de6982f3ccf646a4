import { randomUUID } from 'node:crypto';
import { ShingledError } from '../../../errors.ts';
import type { IndexDescription } from '../../port.ts';
import { NEW_INDEX } from '../../settings.ts';
import type { Database } from '../database/database.ts';
import type { MergedRows } from '../files/merged-rows.ts';
import { ABOVE, descriptionKey } from '../format/keys.ts';
import { FORMAT_READ_LEAST, FORMAT_VERSION, openDescription } from '../format/values.ts';

/* What an index says it was made with, and whether a start has the same. */

/** What a start knows of it: null where the index is to say. Plain data, to be sent to child processes. */
export interface ExpectedIdentity {
  readonly keyId: string;
  /** Where the shingle size is null: an id for each size, in order. */
  readonly fingerprintId: string | readonly string[];
  /** Ids that older pipelines gave, whose records can still be read. */
  readonly olderFingerprintIds: readonly string[];
  readonly shingleSize: number | null;
  readonly indexModulusMax: number | null;
  readonly recordModulusMax: number | null;
}

export async function readDescription(database: Database): Promise<IndexDescription> {
  const value = await database.get(descriptionKey);
  if (value === undefined) throw new ShingledError('index-damaged', 'The index has lost its description.');
  return openDescription(descriptionKey, value);
}

/** The same of an index that is read without LevelDB; null where it cannot be read. */
export function descriptionIn(merged: MergedRows): IndexDescription | null {
  for (const [key, value] of merged.rows(descriptionKey, `${descriptionKey}${ABOVE}`)) {
    try {
      return openDescription(key, value);
    } catch {
      return null;
    }
  }
  return null;
}

/** The description of a new index: what is given, and defaults that give way to it. */
export function describeNew(given: ExpectedIdentity, now: number): IndexDescription {
  const shingleSize = given.shingleSize ?? NEW_INDEX.shingleSize;
  const indexModulusMax = given.indexModulusMax ?? Math.max(NEW_INDEX.indexModulusMax, given.recordModulusMax ?? 1);
  const recordModulusMax = given.recordModulusMax ?? Math.min(NEW_INDEX.recordModulusMax, indexModulusMax);
  return {
    ...{ formatVersion: FORMAT_VERSION, indexId: randomUUID(), keyId: given.keyId },
    ...{ fingerprintId: fingerprintIdOf(given, shingleSize), shingleSize, indexModulusMax, recordModulusMax },
    createdAt: now,
  };
}

/**
 * The description of an index that has lost its own.
 *
 * @throws ShingledError `invalid-config` where a part of it is not given: what is guessed wrong would be served as right
 */
export function madeUp(given: ExpectedIdentity, now: number): IndexDescription {
  const { shingleSize, indexModulusMax, recordModulusMax } = given;
  if (shingleSize !== null && indexModulusMax !== null && recordModulusMax !== null) return describeNew(given, now);
  throw new ShingledError(
    'invalid-config',
    'What the index was made with cannot be read. Set SHINGLE_SIZE, INDEX_MODULUS and RECORD_MODULUS to what they were when ' +
      `it was created: ${Object.values(NEW_INDEX).join(', ')} where they were not set then.`,
  );
}

const fingerprintIdOf = ({ fingerprintId }: ExpectedIdentity, shingleSize: number): string =>
  typeof fingerprintId === 'string' ? fingerprintId : fingerprintId[shingleSize]!;

/** @throws ShingledError `index-mismatch` where rows of that format cannot be read */
export function refuseUnreadable({ formatVersion }: IndexDescription): void {
  if (formatVersion >= FORMAT_READ_LEAST && formatVersion <= FORMAT_VERSION) return;
  const detail = `The index has format ${formatVersion}; this version of shingled writes format ${FORMAT_VERSION} and reads them from ${FORMAT_READ_LEAST} on.`;
  throw new ShingledError('index-mismatch', `${detail} Use a version for its format: CHANGELOG.md names them.`);
}

/** What an index says whose rows and records are written from now on. */
export function broughtUp(description: IndexDescription, running: ExpectedIdentity): IndexDescription {
  const fingerprintId = fingerprintIdOf(running, description.shingleSize);
  return { ...description, formatVersion: FORMAT_VERSION, fingerprintId };
}

/** The version of the pipeline that made an index. */
export const pipelineOf = ({ fingerprintId }: IndexDescription): number => Number.parseInt(fingerprintId, 10);

/** Whether an index has the format and the pipeline that are written now. */
export function isPresent(description: IndexDescription, running: ExpectedIdentity): boolean {
  const { formatVersion, fingerprintId } = broughtUp(description, running);
  return description.formatVersion === formatVersion && description.fingerprintId === fingerprintId;
}

/** @throws ShingledError `index-mismatch` where rows and records are read, and others are written */
export function refuseOlder(description: IndexDescription, running: ExpectedIdentity): void {
  if (isPresent(description, running)) return;
  const written = broughtUp(description, running);
  const [has, writes] =
    description.formatVersion === FORMAT_VERSION
      ? [`pipeline ${pipelineOf(description)}`, `pipeline ${pipelineOf(written)}`]
      : [`format ${description.formatVersion}`, `format ${FORMAT_VERSION}`];
  throw new ShingledError(
    'index-mismatch',
    `The index has ${has}, and this version of shingled writes ${writes}.\n` +
      'Take a backup of it, then bring it there: shingled backup <folder>, shingled migrate <folder>.',
  );
}

/** @throws ShingledError `index-mismatch`: every difference, a line each; of another format nothing else can be said */
export function compare(description: IndexDescription, running: ExpectedIdentity): void {
  const { keyId, olderFingerprintIds, shingleSize, indexModulusMax, recordModulusMax } = running;
  const isOfOlder = olderFingerprintIds.includes(description.fingerprintId);
  const fingerprintId = isOfOlder ? description.fingerprintId : fingerprintIdOf(running, description.shingleSize);
  refuseUnreadable(description);
  const expected = { keyId, fingerprintId, shingleSize, indexModulusMax, recordModulusMax };
  const differences = Object.entries(expected).flatMap(([name, value]) => {
    const made = description[name as keyof typeof expected];
    return value === null || made === value
      ? []
      : [`${name}: the index was made with ${made}, this start has ${value}.`];
  });
  if (differences.length > 0) throw new ShingledError('index-mismatch', differences.join('\n'));
}
