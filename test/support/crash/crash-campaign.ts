import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { randomFrom } from '../store/level-plans.ts';
import { type CrashOptions, type CrashTally, CrashTest, newTally } from './level-crash.ts';

/** As vitest.config.ts keeps it: taking the types off its files takes a writer most of a second, in every round. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** A folder serves so many rounds, so that creations are killed as well. */
const ROUNDS_A_FOLDER = 30;

export interface CrashCampaign {
  readonly rounds: number;
  readonly seed: number;
  /** An empty folder for the next rounds, and what is done around each of them. */
  begin(random: () => number): Omit<CrashOptions, 'seed' | 'random' | 'tally'>;
  /** The folder has served; not called where something was lost or torn, so that it can be looked at. */
  end(dataDir: string): void;
  /** Told after each folder. */
  report(tally: CrashTally): void;
}

/** Many rounds of {@link CrashTest} in folder after folder. Sets the exit code 1 where anything is lost or torn. */
export async function runCrashCampaign({ rounds, seed, begin, end, report }: CrashCampaign): Promise<void> {
  process.env['NODE_COMPILE_CACHE'] ??= COMPILED;
  const random = randomFrom(seed);
  const tally = newTally();
  process.exitCode = 1;
  for (let folders = 0; tally.rounds < rounds; folders++) {
    const options = begin(random);
    const keptDir = `${options.dataDir}.killed`;
    const crashes = new CrashTest({ ...options, seed: seed + folders, random, tally, keptDir });
    const tornBefore = tally.torn.length;
    const sayKept = () =>
      console.log(`kept for inspection: ${options.dataDir}, and as it was before anybody opened it: ${keptDir}`);
    try {
      for (let i = 0; i < ROUNDS_A_FOLDER && tally.rounds < rounds && tally.torn.length === tornBefore; i++) {
        await crashes.round();
      }
    } catch (error) {
      sayKept();
      throw error;
    }
    report(tally);
    if (tally.torn.length > tornBefore) {
      sayKept();
      continue;
    }
    end(options.dataDir);
    rmSync(keptDir, { recursive: true, force: true });
  }
  process.exitCode = tally.lost + tally.torn.length > 0 ? 1 : 0;
}
