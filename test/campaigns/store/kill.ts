import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCrashCampaign } from '../../support/crash/crash-campaign.ts';

/*
 * SIGKILL at random points while clients write and segments are written and merged:
 * `npm run campaign:kill -- --rounds 2000 --seed 1`. Exit code 1 where an acknowledged write is lost or anything is torn.
 */

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});

await runCrashCampaign({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  begin: () => ({ dataDir: mkdtempSync(join(tmpdir(), 'shingled-kill-')) }),
  end: (dataDir) => rmSync(dataDir, { recursive: true, force: true }),
  report: (tally) => console.log(JSON.stringify(tally)),
});
