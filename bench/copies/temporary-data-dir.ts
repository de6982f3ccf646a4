import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for an index that nobody needs afterwards. */
export function temporaryDataDir(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'shingled-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
