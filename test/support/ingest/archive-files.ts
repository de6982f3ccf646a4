import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../tree/tree.ts';

/* Archives as others have made them: each is ingested, clustered, copied without its copies, and that copy is ingested. */

export interface ArchiveTrial {
  readonly path: string;
  readonly read: number;
  /** What became of records, and why those were refused or passed over that were. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** What was refused, in the words of `--errors`. */
  readonly refusals: readonly string[];
  readonly faults: readonly string[];
}

interface Summary {
  readonly read: number;
  readonly results: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly passedOver: Readonly<Record<string, number>>;
}

/** Archives of a folder, by their endings. */
export const archivesIn = (folder: string): string[] =>
  globSync('**/*.{warc,wet,wat,arc,warc.gz,warc.zst,wet.gz,wat.gz,arc.gz}', { cwd: folder })
    .sort()
    .map((name) => join(folder, name));

/** Done, or done but for records that were refused. */
const SOUND_ENDS: readonly (number | null)[] = [0, 6];
const MAIN = join(root, 'src', 'main.ts');

export function triedArchive(path: string): ArchiveTrial {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  const faults: string[] = [];
  const run = (...args: readonly string[]) => {
    const { status, signal, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });
    const isSound = SOUND_ENDS.includes(status) && !/\n\s+at /.test(stderr);
    if (!isSound) faults.push(`${args[0]} ended with ${status ?? signal}: ${stderr.trim().slice(0, 300)}`);
    return stdout;
  };
  const ingested = (of: string, name: string): Summary | null => {
    const out = run('ingest', of, '--data-dir', join(folder, name), '--errors', join(folder, `${name}.nd`), '--json');
    return out === '' ? null : (JSON.parse(out) as Summary);
  };
  try {
    const summary = ingested(path, 'index');
    const kept = join(folder, path.replace(/^.*\//, ''));
    run('cluster', path, '--at', '.5', '--out', join(folder, 'result'), '--tsv');
    run('dedupe', path, '--kept', kept, '--removed', join(folder, 'removed.nd'));
    const again = ingested(kept, 'kept');
    for (const reason of Object.keys(again?.refused ?? {})) {
      if ((summary?.refused[reason] ?? 0) < again!.refused[reason]!) faults.push(`the copy has more that is ${reason}`);
    }
    const lines = readFileSync(join(folder, 'index.nd'), 'utf8').split('\n').filter(Boolean);
    const told = lines.map((line) => JSON.parse(line) as { at: string; url: string; reason: string; detail: string });
    return {
      path,
      read: summary?.read ?? 0,
      outcomes: { ...summary?.results, ...summary?.refused, ...summary?.passedOver },
      refusals: told
        .filter(({ reason }) => Object.hasOwn(summary?.refused ?? {}, reason))
        .map(({ at, url, reason, detail }) => `${at}, ${url}: ${reason}: ${detail}`),
      faults,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
