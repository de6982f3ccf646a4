import { parseArgs } from 'node:util';
import { loadRandomPuts } from '../../support/load/both-ways.ts';
import { below, randomFrom } from '../../support/store/level-plans.ts';

/*
 * First loads of random puts, in groups of any size and with hardly any memory, against the online path:
 * `npm run campaign:loads -- --loads 1000 --seed 1`. Exit code 1 at the first difference.
 */

const { values } = parseArgs({
  options: { loads: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
const first = Number(values.seed);
const loads = Number(values.loads);

process.exitCode = 1;
for (let seed = first; seed < first + loads; seed++) {
  const random = randomFrom(seed);
  const options = {
    listPostingsMax: below(random, 2) === 0 ? 3 : 1000,
    storeMemoryMb: below(random, 2) === 0 ? 0.01 : 1,
  };
  await loadRandomPuts(seed, options, 1 + below(random, 200)).catch((cause: unknown) => {
    throw new Error(`seed ${seed}, ${JSON.stringify(options)}`, { cause });
  });
  if ((seed - first + 1) % 10 === 0) console.log(`${seed - first + 1} loads`);
}
process.exitCode = 0;
