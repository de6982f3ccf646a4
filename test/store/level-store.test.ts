import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolder } from '../support/level-folder.ts';
import { describeStore } from './contract.ts';

describeStore('a store in LevelDB', async (settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-contract-'));
  const store = await openFolder(folder, settings);
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { store, close };
});
