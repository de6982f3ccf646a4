import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { below } from '../store/level-plans.ts';
import { noteSyncs, type Synced } from './synced-files.ts';

/* What a power cut leaves of a folder: every file as it was synced last, or that and a part of what came after. */

const SOURCE = fileURLToPath(new URL('./sync-ledger.c', import.meta.url));
/** As in sync-ledger.c. */
const SMALL = 4096;

/** Nothing in the lock decides about documents, and a stale one is what a start finds after a power cut. */
const isLock = (name: string) => name.startsWith('shingled.lock');

export class PowerCuts {
  /** Preloaded into a process, it notes what is synced. */
  readonly library: string;
  readonly ledger: string;
  readonly cut = { files: 0, bytes: 0, restored: 0 };
  private synced: Synced = new Map();

  /** @param work a folder of its own; needs gcc */
  constructor(work: string) {
    this.library = join(work, 'sync-ledger.so');
    this.ledger = join(work, 'ledger');
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', this.library, SOURCE, '-ldl', '-lpthread'], {
      stdio: 'inherit',
    });
  }

  /** Before a process begins: everything counts as synced. */
  begin(dataDir: string): void {
    rmSync(this.ledger, { force: true });
    this.synced = new Map(
      Array.from(filesOf(dataDir), ({ path, id, size }) => [
        id,
        { order: 0, size, hex: size <= SMALL ? readFileSync(path, 'hex') : '' },
      ]),
    );
  }

  /** Every file back to its last sync, or to that and some of what came after; what was never synced may be empty. */
  cutPower(dataDir: string, random: () => number): void {
    const { synced, cut } = this;
    noteSyncs(synced, readFileSync(this.ledger, { encoding: 'utf8', flag: 'a+' }));
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
}

function* filesOf(dataDir: string) {
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || isLock(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const { ino, birthtimeNs, size } = statSync(path, { bigint: true });
    yield { path, id: `${ino} ${birthtimeNs}`, size: Number(size) };
  }
}
