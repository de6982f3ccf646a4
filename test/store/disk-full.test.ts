import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from '../support/tree/tree.ts';

const ROUNDS = 2;
const SEED = 3;
const canMount = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0;

it.skipIf(!canMount)(
  `stays true to what it acknowledged and refused on a full disk (${ROUNDS} rounds; many in campaigns/store/disk-full.ts)`,
  { timeout: 240_000 },
  () => {
    const args = [
      ...process.execArgv,
      'test/campaigns/store/disk-full.ts',
      '--rounds',
      String(ROUNDS),
      '--seed',
      String(SEED),
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(stdout + stderr).toContain(`"rounds":${ROUNDS},`);
    expect(status, stdout + stderr).toBe(0);
  },
);
