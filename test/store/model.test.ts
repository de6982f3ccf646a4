import { expect, it } from 'vitest';
import { runOperations } from '../support/model/store-model.ts';
import { inFolder } from '../support/store/level-folder.ts';
import { problemsOf } from '../support/store/level-rows.ts';

const OPERATIONS = 6000;
const SEED = 20_260_724;

it(
  `gives the answers of the memory store to ${OPERATIONS} random operations (seed ${SEED}; many in npm run campaign:operations)`,
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
