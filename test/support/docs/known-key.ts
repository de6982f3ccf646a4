import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '../temp-folder.ts';

/**
 * The file of an index key by which the pages show what they show. By another key other shingles agree by chance
 * (src/core/sketch/narrow.ts), and a figure in ten is by one shingle another.
 */
export function knownKeyFile(): string {
  const path = `${temporaryFolder()}/index.key`;
  const hex = createHash('sha256').update('the key of the pages 2').digest('hex');
  writeFileSync(path, `shingled-index-key 1 ${hex}\n`, { mode: 0o600 });
  return path;
}
