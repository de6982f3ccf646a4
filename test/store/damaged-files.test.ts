import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DamageProcess, filesByKind, HOLDS_DATA } from '../support/store/damage-process.ts';
import { fillKeyed } from '../support/store/damaged-index.ts';
import { below, randomFrom } from '../support/store/level-plans.ts';

const FLIPS_A_KIND = 5;
const SEED = 20_262;

describe('a damaged file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shingled-damage-'));
  const sound = join(folder, 'sound');
  // without filters of segments, each of which takes a thread longer than all the answers; campaigns have them
  const damaging = new DamageProcess(sound, join(folder, 'work'), '0');
  beforeAll(() => fillKeyed(sound));
  afterAll(async () => {
    await damaging.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is reported where it is missing, if it holds data', { timeout: 240_000 }, async () => {
    const paths = [...filesByKind(sound).values()].flat().filter(HOLDS_DATA);
    expect(paths.length).toBeGreaterThan(6);
    for (const path of paths)
      expect([path, await damaging.verdictOn({ path })]).toEqual([path, { verdict: 'reported' }]);
  });

  it(`never changes an answer in silence by one bit (seed ${SEED}; many in campaigns/store/bit-flips.ts)`, {
    timeout: 240_000,
  }, async () => {
    const random = randomFrom(SEED);
    let reported = 0;
    for (const paths of filesByKind(sound).values()) {
      for (let i = 0; i < FLIPS_A_KIND; i++) {
        const path = paths[below(random, paths.length)]!;
        const flip = { path, offset: below(random, statSync(join(sound, path)).size), bit: below(random, 8) };
        const { verdict } = await damaging.verdictOn(flip);
        expect([flip, verdict]).not.toEqual([flip, 'silent']);
        reported += Number(verdict === 'reported');
      }
    }
    expect(reported).toBeGreaterThan(FLIPS_A_KIND);
  });
});
