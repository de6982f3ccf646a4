import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runCrashCampaign } from '../../support/crash/crash-campaign.ts';
import { FaultControl } from '../../support/crash/fault-control.ts';
import { FaultEpisodes, troublesBy } from '../../support/crash/fault-episodes.ts';
import { PowerCuts } from '../../support/crash/power-cuts.ts';
import { below } from '../../support/store/level-plans.ts';

/*
 * Power cuts at random points while clients write: `npm run campaign:power-cut -- --rounds 2000 --seed 1`, on Linux with gcc.
 * In half of the rounds calls fail before (faults.c). The writer is killed, then every file goes back to what had been synced
 * (sync-ledger.c), or to that and some of what came after. Exit code 1 where an acknowledged write is lost or anything is torn.
 */

/** How long a process lives in which nothing fails. */
const LIFE_MS = 120;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});

const work = mkdtempSync(join(tmpdir(), 'shingled-power-cut-'));
const power = new PowerCuts(work);
const control = new FaultControl(work);
let episodes: FaultEpisodes | undefined;

await runCrashCampaign({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  begin: (random) => {
    const dataDir = mkdtempSync(join(work, 'data-'));
    episodes ??= new FaultEpisodes(control, random);
    const all = episodes;
    return {
      dataDir,
      story: () => all.story,
      env: { ...control.env(dataDir, power.library), SYNC_LEDGER: power.ledger },
      troubles: troublesBy(random),
      beforeStart: () => {
        power.begin(dataDir);
        all.beforeStart();
      },
      life: async (writer) => {
        if (random() < 0.5) return all.life(writer);
        all.end();
        await pause(below(random, LIFE_MS));
      },
      afterKill: () => {
        all.end();
        power.cutPower(dataDir, random);
      },
    };
  },
  end: (dataDir) => rmSync(dataDir, { recursive: true, force: true }),
  report: (tally) => console.log(JSON.stringify({ ...tally, cut: power.cut, ...episodes?.report })),
});
control.close();
rmSync(work, { recursive: true, force: true });
