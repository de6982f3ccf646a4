import type { Sample } from '../../../src/core/sketch/modulus.ts';
import type { Content, Store, WritePlan } from '../../../src/store/port.ts';
import { RETENTION_DEFAULT, type StoreSettings } from '../../../src/store/settings.ts';
import { randomPlans } from '../model/random-plans.ts';
import { SMALL_RETENTION, SMALL_SEGMENTS } from '../model/store-model.ts';
import { openFolder, TEST_RANK_KEY, type TestOptions } from '../store/level-folder.ts';
import { below, contentOf, deletePlan, fingerprintsOf, putPlan, randomFrom } from '../store/level-plans.ts';

/*
 * Random small histories of an index, each told by a seed alone, so that another process can live a part of one: texts that
 * are replaced hundreds of times, deletions, sweeps, compactions, starts, kills, and backups in between. Some have segments
 * and some never do.
 */

export type Step =
  | { readonly kind: 'plans'; readonly plans: readonly WritePlan[] }
  | { readonly kind: 'sweep'; readonly now: number; readonly limit: number }
  | { readonly kind: 'compact' }
  | { readonly kind: 'backup'; readonly name: string };

/** What one process does with the index; nothing is under way when it ends. */
export interface Life {
  readonly steps: readonly Step[];
  readonly end: 'stopped' | 'killed';
  /** Whether a backup is taken when no process uses the index. */
  readonly backupAfter: string | null;
}

export interface History {
  readonly settings: StoreSettings;
  readonly options: TestOptions;
  readonly lives: readonly Life[];
}

/** Postings lie in memory all the time, in some segments, or in many. */
const SEGMENTS: readonly TestOptions['segments'][] = [
  {},
  {},
  { flushContents: 1000 },
  { flushContents: 100 },
  SMALL_SEGMENTS,
];
const STEPS_MAX = 6;
const LIVES_MAX = 2;
/** Replaced texts in one step: more than make a page of shingle counts be written anew. */
const REPLACED_MAX = 700;
/** More contents than a page of shingle counts has, in so many histories. */
const MANY = 4500;
const MANY_SHARE = 0.01;
const PLANS_AT_ONCE = 100;

export function historyOf(seed: number): History {
  const random = randomFrom(seed);
  const segments = SEGMENTS[below(random, SEGMENTS.length)]!;
  const settings: StoreSettings = {
    rankKey: TEST_RANK_KEY,
    retention: random() < 0.5 ? SMALL_RETENTION : { ...RETENTION_DEFAULT, pastContentsMax: below(random, 3) },
    // only where few postings are kept can lists be cut
    listPostingsMax: segments === SMALL_SEGMENTS ? 3 : 1000,
  };
  const writer = new Plans(random);
  const lives = Array.from({ length: 1 + below(random, LIVES_MAX) }, (_, life): Life => {
    const steps = Array.from({ length: 1 + below(random, STEPS_MAX) }, (__, step) =>
      aStep(random, writer, `${life}-${step}`),
    );
    const end = random() < 0.5 ? 'killed' : 'stopped';
    return { steps, end, backupAfter: random() < 0.4 ? `${life}-closed` : null };
  });
  return { settings, options: { ...settings, segments: { ...segments, idleMs: 5 } }, lives };
}

function aStep(random: () => number, plans: Plans, name: string): Step {
  const kind = random();
  if (kind < 0.2) return { kind: 'backup', name };
  if (kind < 0.25) return { kind: 'compact' };
  if (kind < 0.33) return { kind: 'sweep', now: plans.clock.now, limit: 1 + below(random, 400) };
  return { kind: 'plans', plans: plans.some() };
}

/** Plans whose texts are new ones, but for those of the model of the store. */
class Plans {
  readonly clock = { now: 1000 };
  private readonly random: () => number;
  private texts = 0;

  constructor(random: () => number) {
    this.random = random;
  }

  some(): WritePlan[] {
    const { random } = this;
    const kind = random();
    if (kind < MANY_SHARE) return this.texted(MANY, MANY, 1);
    if (kind < 0.45) return this.texted(1 + below(random, REPLACED_MAX), 20 + below(random, 80), 12);
    if (kind < 0.58) return this.texted(1 + below(random, 40), 40, 100);
    if (kind < 0.7) {
      const from = below(random, 40);
      return Array.from({ length: 1 + below(random, 30) }, (_, i) => deletePlan(urlOf((from + i) % 40), this.tick()));
    }
    return randomPlans(random, this.clock);
  }

  /** So many texts, one after the other, for so many URLs in turn. */
  private texted(count: number, urls: number, length: number): WritePlan[] {
    return Array.from({ length: count }, (_, i) => {
      const number = 1000 + this.texts++;
      // runs of them share fingerprints
      const content = contentOf(number, fingerprintsOf(100_000 + number * 3, 1 + below(this.random, length)));
      return putPlan(urlOf(i % urls), content, this.tick());
    });
  }

  private tick(): number {
    return ++this.clock.now;
  }
}

const urlOf = (number: number) => `https://page.example/${number}`;

/** Does steps with a store. So many plans go to the committer together that texts are replaced on disk, not within a batch. */
export async function live(
  store: Store,
  steps: readonly Step[],
  backup: (name: string) => Promise<unknown>,
): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'plans') {
      for (let from = 0; from < step.plans.length; from += PLANS_AT_ONCE) {
        await Promise.all(step.plans.slice(from, from + PLANS_AT_ONCE).map((plan) => store.apply(plan)));
      }
    } else if (step.kind === 'sweep') await store.sweep(step.now, step.limit);
    else if (step.kind === 'compact') await store.compact();
    else await backup(step.name);
  }
}

export const openHistory = (dataDir: string, { options }: History, backupDir: string) =>
  openFolder(dataDir, { ...options, backupDir });

/** URLs and contents that a history names. */
export function namesIn({ lives }: History): { urls: readonly string[]; contents: readonly Content<Sample>[] } {
  const plans = lives.flatMap(({ steps }) => steps.flatMap((step) => (step.kind === 'plans' ? step.plans : [])));
  const contents = new Map(
    plans.flatMap((plan) => (plan.kind === 'put' ? [[plan.content.id, plan.content] as const] : [])),
  );
  return { urls: [...new Set(plans.map(({ url }) => url))], contents: [...contents.values()] };
}
