import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCrashCampaign } from '../../support/crash/crash-campaign.ts';
import { FaultControl } from '../../support/crash/fault-control.ts';
import { FaultEpisodes, troublesBy } from '../../support/crash/fault-episodes.ts';

/*
 * Single calls that fail while clients write, by kind of file and of batch, with compactions and the end of worker threads
 * between them; then SIGKILL: `npm run campaign:faults -- --rounds 2000 --seed 1`, on Linux with gcc. Writing must come back
 * by itself after each, and nothing must be called damaged; after the kill all that was acknowledged must be there, and the
 * index sound. `--only NAME` keeps to faults whose names contain that. Exit code 1 where it does not hold.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});

const work = mkdtempSync(join(tmpdir(), 'shingled-faults-'));
const control = new FaultControl(work);
let episodes: FaultEpisodes | undefined;

await runCrashCampaign({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  begin: (random) => {
    const dataDir = mkdtempSync(join(work, 'data-'));
    episodes ??= new FaultEpisodes(control, random, values.only);
    const all = episodes;
    return {
      dataDir,
      story: () => all.story,
      env: control.env(dataDir),
      troubles: troublesBy(random),
      beforeStart: () => all.beforeStart(),
      life: (writer) => all.life(writer),
      afterKill: () => all.end(),
    };
  },
  end: (dataDir) => rmSync(dataDir, { recursive: true, force: true }),
  report: (tally) => console.log(JSON.stringify({ ...tally, ...episodes?.report })),
});
control.close();
rmSync(work, { recursive: true, force: true });
