import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { runCrashCampaign } from '../../support/crash/crash-campaign.ts';
import { FaultControl } from '../../support/crash/fault-control.ts';
import { FaultEpisodes, troublesBy } from '../../support/crash/fault-episodes.ts';
import { noteSyncs, type Synced } from '../../support/crash/synced-files.ts';
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
const cut = { files: 0, bytes: 0, restored: 0 };

const work = mkdtempSync(join(tmpdir(), 'shingled-power-cut-'));
const library = join(work, 'sync-ledger.so');
const source = fileURLToPath(new URL('../../support/crash/sync-ledger.c', import.meta.url));
execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread'], { stdio: 'inherit' });
const ledger = join(work, 'ledger');
/** As in sync-ledger.c. */
const SMALL = 4096;

/** Nothing in the lock decides about documents, and a stale one is what a start finds after a power cut. */
const isLock = (name: string) => name.startsWith('shingled.lock');

function* filesOf(dataDir: string) {
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || isLock(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const { ino, birthtimeNs, size } = statSync(path, { bigint: true });
    yield { path, id: `${ino} ${birthtimeNs}`, size: Number(size) };
  }
}

/** Before a round everything counts as synced. */
function syncedAtStart(dataDir: string): Synced {
  rmSync(ledger, { force: true });
  return new Map(
    Array.from(filesOf(dataDir), ({ path, id, size }) => [
      id,
      { order: 0, size, hex: size <= SMALL ? readFileSync(path, 'hex') : '' },
    ]),
  );
}

/** Every file back to its last sync, or to that and some of what came after; what was never synced may be empty. */
function cutPower(dataDir: string, synced: Synced, random: () => number): void {
  noteSyncs(synced, readFileSync(ledger, { encoding: 'utf8', flag: 'a+' }));
  for (const { path, id, size } of filesOf(dataDir)) {
    const { size: keeps, hex } = synced.get(id) ?? { size: 0, hex: '' };
    if (hex !== '' && random() < 0.5) {
      if (readFileSync(path, 'hex') === hex) continue;
      writeFileSync(path, Buffer.from(hex, 'hex'));
      cut.restored++;
    } else if (size > keeps) {
      const kept = random() < 0.5 ? keeps : keeps + below(random, size - keeps + 1);
      truncateSync(path, kept);
      cut.files++;
      cut.bytes += size - kept;
    }
  }
}

const control = new FaultControl(work);
let episodes: FaultEpisodes | undefined;

await runCrashCampaign({
  rounds: Number(values.rounds),
  seed: Number(values.seed),
  begin: (random) => {
    const dataDir = mkdtempSync(join(work, 'data-'));
    let synced: Synced = new Map();
    episodes ??= new FaultEpisodes(control, random);
    const all = episodes;
    return {
      dataDir,
      story: () => all.story,
      env: { ...control.env(dataDir, library), SYNC_LEDGER: ledger },
      troubles: troublesBy(random),
      beforeStart: () => {
        synced = syncedAtStart(dataDir);
        all.beforeStart();
      },
      life: async (writer) => {
        if (random() < 0.5) return all.life(writer);
        all.end();
        await pause(below(random, LIFE_MS));
      },
      afterKill: () => {
        all.end();
        cutPower(dataDir, synced, random);
      },
    };
  },
  end: (dataDir) => rmSync(dataDir, { recursive: true, force: true }),
  report: (tally) => console.log(JSON.stringify({ ...tally, cut, ...episodes?.report })),
});
control.close();
rmSync(work, { recursive: true, force: true });
