import type { PutAnswer } from '../../service/api.ts';

/** What a load came to so far; plain data, which a state file keeps. */
export interface Tally {
  /** Records, and the bytes of them, unpacked. */
  read: number;
  bytes: number;
  /** By what became of them: created, updated, unchanged and so on. */
  readonly results: Partial<Record<PutAnswer['status'], number>>;
  /** Of those created or updated: their content was in the index already. */
  identical: number;
  /** Documents with fewer than 20 shingles. */
  short: number;
  /** URLs of lists that were seen later than the list says that they changed, and files of folders that are as before. */
  notModified: number;
  readonly refused: Record<string, number>;
  /** Records without a document, or with nothing left to do: they are no failure. */
  readonly passedOver: Record<string, number>;
}

export const emptyTally = (): Tally => ({
  ...{ read: 0, bytes: 0, results: {}, identical: 0, short: 0, notModified: 0 },
  ...{ refused: {}, passedOver: {} },
});

/** What is left of it where nothing of it was kept. */
export const undone = (tally: Tally): Tally => ({ ...tally, results: {}, identical: 0, short: 0 });

export const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, each) => total + each, 0);

export function increment<K extends string>(counts: Partial<Record<K, number>>, key: K): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** How long a run waited for what, in ms. What goes on at once is counted where it is waited for. */
export interface Phases {
  reading: number;
  /** Of a first load alone, once all is read. */
  sorting: number;
  writing: number;
  fetching: number;
  syncing: number;
}

/** Counts how long a work is waited for. */
export async function timed<T>(phases: Phases, phase: keyof Phases, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    const elapsedMs = performance.now() - startedAt;
    phases[phase] += elapsedMs;
  }
}

/** A record that stands for all with the same reason. */
export interface Example {
  readonly file: string;
  readonly at: string;
  readonly url: string | null;
  readonly detail: string;
}

/** By reason the first record of a run. */
export type Examples = Readonly<Record<'refused' | 'passedOver', Record<string, Example>>>;

export interface IngestSummary extends Tally {
  readonly examples: Examples;
  readonly end: 'done' | 'interrupted';
  readonly isDryRun: boolean;
  readonly elapsedMs: number;
  /** Of this run. */
  readonly recordsPerS: number;
  readonly megabytesPerS: number;
  readonly phasesMs: Readonly<Phases>;
  readonly slowestPhase: keyof Phases;
}

const PHASES = ['reading', 'sorting', 'writing', 'fetching', 'syncing'] as const;

export function summaryOf(
  tally: Tally,
  run: Pick<IngestSummary, 'end' | 'isDryRun' | 'elapsedMs' | 'examples'> & {
    readonly phases: Phases;
    readonly before: Tally;
  },
): IngestSummary {
  const { end, isDryRun, phases, before, examples } = run;
  const seconds = Math.max(run.elapsedMs, 1) / 1000;
  const [first, ...others] = PHASES;
  const slowestPhase = others.reduce<keyof Phases>((one, other) => (phases[other] > phases[one] ? other : one), first);
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return {
    ...tally,
    examples,
    ...{ end, isDryRun, elapsedMs: Math.round(run.elapsedMs) },
    recordsPerS: Math.round((tally.read - before.read) / seconds),
    megabytesPerS: rounded((tally.bytes - before.bytes) / 1e6 / seconds),
    phasesMs: Object.fromEntries(PHASES.map((phase) => [phase, Math.round(phases[phase])])) as unknown as Phases,
    slowestPhase,
  };
}
