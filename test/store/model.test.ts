import { expect, it } from 'vitest';
import { inFolder } from '../support/level-folder.ts';
import { problemsOf } from '../support/level-rows.ts';
import { runOperations } from '../support/store-model.ts';

const OPERATIONS = 20_000;
const SEED = 20_260_713;

it(
  `gives the answers of the memory store to ${OPERATIONS} random operations (seed ${SEED}; many in campaigns/operations.ts)`,
  {
    timeout: 240_000,
  },
  () =>
    inFolder(async (folder) => {
      const counts = await runOperations(folder, SEED, OPERATIONS);
      expect(await problemsOf(folder)).toEqual([]);
      // every outcome was met, or the plans were not the ones that matter
      const met = [
        'created',
        'deleted',
        'gone',
        'history',
        'unchanged',
        'unknown',
        'updated',
        'sweep',
        'compact',
        'reopen',
      ];
      expect([...counts.keys()]).toEqual(expect.arrayContaining(met));
    }),
);
