import { copyFileSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** One result takes the place of another, as `shingled cluster` ends: the summary comes last. */
export function replaceResult(folder: string, by: string): void {
  const files = readdirSync(by).filter((name) => name !== 'clusters.json');
  for (const name of [...files, 'clusters.json']) {
    copyFileSync(join(by, name), join(folder, `${name}.new`));
    renameSync(join(folder, `${name}.new`), join(folder, name));
  }
}
