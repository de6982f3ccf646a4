import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DamageProcess, filesByKind } from '../../support/store/damage-process.ts';
import { fillKeyed } from '../../support/store/damaged-index.ts';
import { below, randomFrom } from '../../support/store/level-plans.ts';

/*
 * Single bits turned over in every kind of file of an index: `npm run campaign:bit-flips -- --flips 20000 --seed 1`. Each
 * must be harmless (every answer is as it was) or reported: the index does not open, a question is answered with
 * `index-unreadable`, or the process ends. Exit code 1 where an answer is wrong in silence, also where a check finds why.
 */

const PROCESSES = 2;

const { values } = parseArgs({
  options: { flips: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const flips = Number(values.flips);
const seed = Number(values.seed);
const random = randomFrom(seed);
const folder = mkdtempSync(join(tmpdir(), 'shingled-flips-'));
const sound = join(folder, 'sound');
await fillKeyed(sound);
const kinds = [...filesByKind(sound)].map(([kind, paths]) => ({
  kind,
  paths,
  harmless: 0,
  reported: 0,
  byCheck: 0,
  silent: 0,
}));
let done = 0;

async function lane(number: number): Promise<void> {
  const process = new DamageProcess(sound, join(folder, `work-${number}`));
  while (done < flips) {
    const kind = kinds[done++ % kinds.length]!;
    const path = kind.paths[below(random, kind.paths.length)]!;
    const offset = below(random, statSync(join(sound, path)).size);
    const flip = { path, offset, bit: below(random, 8) };
    const verdict = await process.verdictOn(flip);
    if (verdict.verdict === 'silent') {
      const found = (await process.verdictOn({ ...flip, check: true })).verdict === 'reported';
      kind[found ? 'byCheck' : 'silent']++;
      console.log(JSON.stringify(flip), found ? 'found by a check only:' : 'silent:', verdict.detail.slice(0, 300));
    } else kind[verdict.verdict]++;
    if (done % 1000 === 0) report();
  }
  await process.close();
}

function report(): void {
  const sum = { flips: 0, harmless: 0, reported: 0, byCheck: 0, silent: 0 };
  for (const { harmless, reported, byCheck, silent } of kinds) {
    sum.flips += harmless + reported + byCheck + silent;
    sum.byCheck += byCheck;
    sum.harmless += harmless;
    sum.reported += reported;
    sum.silent += silent;
  }
  console.log(JSON.stringify(sum));
}

process.exitCode = 1;
await Promise.all(Array.from({ length: PROCESSES }, (_, number) => lane(number)));
for (const { kind, harmless, reported, byCheck, silent } of kinds) {
  console.log(
    `${kind}: ${harmless} harmless, ${reported} reported, ${byCheck} found by a check only, ${silent} silent`,
  );
}
report();
rmSync(folder, { recursive: true, force: true });
process.exitCode = kinds.some(({ byCheck, silent }) => byCheck + silent > 0) ? 1 : 0;
