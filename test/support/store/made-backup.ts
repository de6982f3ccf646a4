import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder } from './level-folder.ts';
import { contentOf, fingerprintsOf, putPlan } from './level-plans.ts';

/** Every file below a folder: what is in it, who may read it, and when it was changed. */
export function snapshotOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const entries = names.map((name) => {
    const { mode, mtimeMs, size } = lstatSync(join(folder, name));
    const isFile = lstatSync(join(folder, name)).isFile();
    const sum = isFile
      ? createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')
      : '';
    return [name, `${mode} ${isFile ? mtimeMs : ''} ${isFile ? size : ''} ${sum}`] as const;
  });
  return Object.fromEntries(entries);
}

/** Changes what a backup says of itself, and seals it. */
export function reseal(backup: string, changed: object): void {
  const path = join(backup, 'backup.json');
  const { seal: _, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
  const whole = { ...manifest, ...changed };
  const seal = createHash('sha256').update(JSON.stringify(whole)).digest('hex');
  writeFileSync(path, JSON.stringify({ ...whole, seal }));
}

/** An index and backups of it, each with a document more than the one before, as if taken a day apart. */
export async function withBackups(folder: string, names: readonly string[]): Promise<string> {
  const backupDir = join(folder, 'backups');
  const store = await openFolder(join(folder, 'index'), { backupDir });
  for (const [i, name] of names.entries()) {
    await store.apply(putPlan(`https://${i}.example/`, contentOf(i, fingerprintsOf(i * 50, 40)), 1000));
    // so that there are table files
    if (i === 0) await store.compact();
    await store.backup(name);
    reseal(join(backupDir, name), { createdAt: `2026-01-0${i + 1}T00:00:00.000Z` });
  }
  await store.close();
  return backupDir;
}
