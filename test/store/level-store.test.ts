import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { crossing } from '../support/store/crossing.ts';
import { inFolder, openFolder, THROWN_AWAY } from '../support/store/level-folder.ts';
import { describeCandidates } from './contract/candidates.ts';
import type { OpenStore } from './contract/fixture.ts';
import { describeMany } from './contract/many.ts';
import { describeNeighbours } from './contract/neighbours.ts';
import { describeStore } from './contract.ts';

const open: OpenStore = async (settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-contract-'));
  const store = await openFolder(folder, { ...settings, ...THROWN_AWAY });
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { store, close };
};

describeStore('a store in LevelDB', open, [describeMany, describeCandidates, describeNeighbours]);

it('tells of backups through structured clones', () =>
  inFolder(async (folder) => {
    const store = crossing(await openFolder(join(folder, 'data'), { backupDir: join(folder, 'backups') }));
    const outcome = await store.backup('one');
    expect(outcome).toMatchObject({ path: join(folder, 'backups', 'one'), files: expect.any(Number) });
    const { files, bytes } = outcome;
    expect(await store.backups()).toMatchObject({ backups: [{ name: 'one', files, bytes }], more: 0 });
    await store.close();
  }));
