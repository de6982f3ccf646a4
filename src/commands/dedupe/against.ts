import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Corpus } from '../../cluster/port.ts';
import { hasResult } from '../../cluster/result/result-folder.ts';
import type { Config } from '../../config.ts';
import { readIndexKeyFile } from '../../identity/index-key.ts';
import type { IngestSources, InputFields } from '../../ingest/sources.ts';
import { expectedOf } from '../../open-index.ts';
import { isIndex } from '../../store/level/folder/folder-parts.ts';
import { INDEX_KEY, KEY_FILE, secretFor } from '../cluster-commands.ts';
import type { FilesWatch } from '../corpus-lines.ts';
import { corpusOfFiles, descriptionFor } from '../corpus-of-files.ts';
import { corpusOfIndex } from '../corpus-of-index.ts';
import { corpusOfResult } from '../corpus-of-result.ts';

/* The corpus that stays: an index, a backup, a result with its sketches, or files. */

/** By what the texts of a run are told apart: what the other corpus was made with, so that both can be compared. */
export function secretBeside(config: Config, against: string | null, folder: string): Uint8Array {
  const own = against === null ? [] : [join(against, INDEX_KEY), join(against, KEY_FILE)];
  const file = own.find(existsSync);
  return file === undefined ? secretFor(config, folder) : readIndexKeyFile(file);
}

export interface AgainstParts {
  readonly config: Config;
  readonly pid: number;
  readonly secret: Uint8Array;
  readonly sources: IngestSources;
  readonly fields: InputFields;
  /** Whether texts are told with what of them is main. */
  readonly hasMarks: boolean;
}

/**
 * @param path as it was named
 * @returns makes the corpus; what is told of its records is told of files alone
 * @throws ShingledError `invalid-request` where nothing of the kind is there; `index-mismatch`, `index-locked`,
 *   `result-damaged`
 */
export async function corpusAgainst(path: string, parts: AgainstParts): Promise<(watch: FilesWatch) => Corpus> {
  const { config, pid, secret, sources, fields, hasMarks } = parts;
  if (isIndex(path) || hasResult(path)) {
    const ids = [descriptionFor(config, secret).fingerprintId, ...expectedOf(secret, config).olderFingerprintIds];
    const corpus = isIndex(path)
      ? await corpusOfIndex(path, pid, { fingerprintIds: ids, hasMarks })
      : corpusOfResult(path, ids, hasMarks);
    return () => corpus;
  }
  const inputs = await sources.find([path]);
  const marks = await sources.marksOf(inputs, fields);
  return (watch) => corpusOfFiles(config, secret, { sources, inputs, fields, marks, hasMainText: hasMarks, watch });
}
