import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Verdict } from './damaged-index.ts';

/** One bit of a file turned over, or the file deleted where no offset is given. */
export interface Damage {
  /** Within the folder of the index. */
  readonly path: string;
  readonly offset?: number;
  readonly bit?: number;
  /** Whether a check is run instead of questions asked. */
  readonly check?: boolean;
}

const CHILD = fileURLToPath(new URL('./damage-child.ts', import.meta.url));
const PATIENCE_MS = 60_000;

/** Damages copies of a sound index one after the other, in a process that is started anew whenever it died of one. */
export class DamageProcess {
  private readonly sound: string;
  private readonly work: string;
  private readonly more: readonly string[];
  private child: ChildProcess | undefined;
  private settle: ((verdict: Verdict) => void) | undefined;

  /** @param more arguments of the process */
  constructor(sound: string, work: string, ...more: readonly string[]) {
    this.sound = sound;
    this.work = work;
    this.more = more;
  }

  /** A process that dies says so: that is a report. One that says nothing for a minute does not. */
  async verdictOn(damage: Damage): Promise<Verdict> {
    const verdict = new Promise<Verdict>((resolve) => (this.settle = resolve));
    this.child ??= this.start();
    this.child.stdin!.write(`${JSON.stringify(damage)}\n`);
    const patience = setTimeout(() => {
      this.settle?.({ verdict: 'silent', detail: 'nothing was answered for a minute' });
      this.child?.kill('SIGKILL');
    }, PATIENCE_MS);
    try {
      return await verdict;
    } finally {
      clearTimeout(patience);
    }
  }

  async close(): Promise<void> {
    const { child } = this;
    this.settle = undefined;
    if (child !== undefined) {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.stdin!.end();
      await ended;
    }
    rmSync(this.work, { recursive: true, force: true });
  }

  private start(): ChildProcess {
    const child = spawn(process.execPath, [...process.execArgv, CHILD, this.sound, this.work, ...this.more], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    // it may be dead before it has read all
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', (line) => this.settle?.(JSON.parse(line) as Verdict));
    child.once('close', () => {
      if (this.child === child) this.child = undefined;
      this.settle?.({ verdict: 'reported' });
    });
    return child;
  }
}

/** The files of an index that hold bytes, by what they are: `db/*.ldb`, `db/MANIFEST`, `high-water` … */
export function filesByKind(dataDir: string): Map<string, string[]> {
  const kinds = new Map<string, string[]>();
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    const path = relative(dataDir, join(entry.parentPath, entry.name));
    if (!entry.isFile() || statSync(join(dataDir, path)).size === 0) continue;
    const kind = path.replace(/\d{6}\./, '*.').replace(/-\d{6}$/, '');
    kinds.set(kind, [...(kinds.get(kind) ?? []), path]);
  }
  return kinds;
}

/** Not loud when deleted: nothing of LevelDB's data is in them. */
export const HOLDS_DATA = (path: string) => !/(^|\/)(LOG|LOG\.old|LOCK)$/.test(path);
