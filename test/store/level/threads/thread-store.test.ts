import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type FollowedCounts, followed } from '../../../support/model/followed-store.ts';
import { runOperations } from '../../../support/model/store-model.ts';
import { inFolder, openFolder, THROWN_AWAY } from '../../../support/store/level-folder.ts';
import { describeCandidates } from '../../contract/candidates.ts';
import { describeEdition } from '../../contract/edition.ts';
import type { OpenStore } from '../../contract/fixture.ts';
import { describeMany } from '../../contract/many.ts';
import { describeStore } from '../../contract.ts';

const open: OpenStore = async (settings) => {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-followed-'));
  const store = await followed(await openFolder(folder, { ...settings, ...THROWN_AWAY }));
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { store, close };
};

describeStore('a store that a query thread reads', open, [describeMany, describeCandidates, describeEdition]);

/** `campaign:operations` goes on with other seeds. */
const OPERATIONS = 700;

// images of all segments, of some, of none
it.each([0, 3, 6])(
  `a query thread gives the answers of the memory store to ${OPERATIONS} random operations (seed %i)`,
  { timeout: 120_000 },
  (seed) =>
    inFolder(async (folder) => {
      const counts: FollowedCounts = { answered: 0, givenBack: 0 };
      await runOperations(folder, seed, OPERATIONS, (store) => followed(store, counts));
      expect(counts.answered).toBeGreaterThan(OPERATIONS / 4);
      // a segment is cleared now and then while it is read
      expect(counts.givenBack).toBeLessThan(counts.answered / 20);
    }),
);
