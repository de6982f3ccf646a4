import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { coarsen, indexModulusFor } from '../../../src/core/sketch/modulus.ts';
import { exactSample } from '../../../src/core/sketch/narrow.ts';
import type { Store } from '../../../src/store/port.ts';
import { MemoryStore } from '../memory-store/memory-store.ts';
import { CLIENTS, CRASH_OPTIONS, CRASH_SETTINGS, operation, urlsOf } from '../store/level-clients.ts';
import { openFolder, TEST_DESCRIPTION, TEST_IDENTITY } from '../store/level-folder.ts';
import { ANY_OVERLAP, below } from '../store/level-plans.ts';
import { problemsOf } from '../store/level-rows.ts';

const WRITER = fileURLToPath(new URL('./level-writer.ts', import.meta.url));

/** How long a process lives: some are killed while they start, most a while after the index is open. */
const EARLY_MS = 400;
const LATE_MS = 120;

export interface CrashOptions {
  readonly dataDir: string;
  readonly seed: number;
  readonly random: () => number;
  /** Environment of the writing process beside the usual. */
  readonly env?: Record<string, string>;
  /** What else it does, or is done to it (level-writer.ts). */
  readonly troubles?: string;
  /** Instead of a while in which nothing goes wrong: how long the process lives once the index is open. */
  readonly life?: (writer: Writing) => Promise<void>;
  /** Called before the writing process starts, and between its end and the next start. */
  readonly beforeStart?: () => void;
  readonly afterKill?: () => void;
  /** A folder to keep what the last kill has left, as it was before anybody opened it. */
  readonly keptDir?: string;
  /** What was done to the process in the last round, for what is told of it. */
  readonly story?: () => string;
  /** Counted on where given: many tests may share one. */
  readonly tally?: CrashTally;
}

/** A process that writes. */
export interface Writing {
  /** Operations that were acknowledged to each client so far. */
  readonly counts: readonly number[];
  /** It has ended by itself. */
  hasEnded(): boolean;
  howEnded(): string;
}

export interface CrashTally {
  rounds: number;
  acknowledged: number;
  /** Operations that were acknowledged and are not there. */
  lost: number;
  /** Sentences of what is not whole, or was answered and should not have been. */
  torn: string[];
  /** Rounds killed before the index was open. */
  killedEarly: number;
  /** Operations under way at the kill that are there whole. */
  unacknowledgedButThere: number;
}

export const newTally = (): CrashTally => ({
  rounds: 0,
  acknowledged: 0,
  lost: 0,
  torn: [],
  killedEarly: 0,
  unacknowledgedButThere: 0,
});

/**
 * Kills a process that writes, again and again in one folder, and looks each time at what is left: every acknowledged
 * operation must be there, the one under way whole or not at all.
 */
export class CrashTest {
  readonly tally: CrashTally;
  private readonly options: CrashOptions;
  /** What the acknowledged operations of each client come to, and how many they are. */
  private readonly models: MemoryStore[];
  private readonly positions: number[];

  constructor(options: CrashOptions) {
    this.options = options;
    this.tally = options.tally ?? newTally();
    this.models = Array.from({ length: CLIENTS }, () => new MemoryStore(TEST_DESCRIPTION, CRASH_SETTINGS));
    this.positions = Array.from({ length: CLIENTS }, () => 0);
  }

  async round(): Promise<void> {
    const { random, beforeStart, afterKill, dataDir, keptDir } = this.options;
    this.tally.rounds++;
    beforeStart?.();
    await this.writeUntilKilled(random);
    afterKill?.();
    if (keptDir !== undefined) {
      rmSync(keptDir, { recursive: true, force: true });
      cpSync(dataDir, keptDir, { recursive: true });
    }
    const store = await openFolder(dataDir, CRASH_OPTIONS);
    try {
      for (let client = 0; client < CLIENTS; client++) await this.verify(store, client);
    } finally {
      await store.close();
    }
    for (const problem of await problemsOf(dataDir)) this.tear(problem);
  }

  private tear(what: string): void {
    const { story } = this.options;
    const after = story === undefined ? '' : `, after ${story()}`;
    this.tally.torn.push(`round ${this.tally.rounds}${after}: ${what}`);
  }

  private async writeUntilKilled(random: () => number): Promise<void> {
    const { dataDir, seed, env, troubles = '', life } = this.options;
    const child = spawn(
      process.execPath,
      [...process.execArgv, WRITER, dataDir, String(seed), this.positions.join(), troubles],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, ...env },
      },
    );
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    const acknowledged = this.listen(child);
    const early = random() < 0.2;
    try {
      if (early) await pause(below(random, EARLY_MS));
      else if (await acknowledged.opened) await (life?.(acknowledged) ?? pause(below(random, LATE_MS)));
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
    for (const line of acknowledged.wrong) this.tear(line);
    if (!acknowledged.isOpen()) this.tally.killedEarly++;
    for (const [client, count] of acknowledged.counts.entries()) await this.acknowledge(client, count);
  }

  /** Reads the writer's lines: `open`, then the number of a client for each operation acknowledged to it. */
  private listen(child: ChildProcess) {
    const counts = Array.from({ length: CLIENTS }, () => 0);
    const wrong: string[] = [];
    let isOpen = false;
    let rest = '';
    const opened = new Promise<boolean>((resolve) => {
      child.once('close', () => resolve(false));
      child.stdout?.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop()!;
        for (const line of lines) {
          if (line === 'open') {
            isOpen = true;
            resolve(true);
          } else if (/^\d+$/.test(line)) counts[Number(line)]!++;
          else wrong.push(line);
        }
      });
    });
    return {
      counts,
      wrong,
      opened,
      isOpen: () => isOpen,
      hasEnded: () => child.exitCode !== null || child.signalCode !== null,
      howEnded: () => `exit code ${child.exitCode}, signal ${child.signalCode}`,
    };
  }

  private async acknowledge(client: number, count: number): Promise<void> {
    const model = this.models[client]!;
    for (let i = 0; i < count; i++) await model.apply(operation(this.options.seed, client, this.positions[client]!++));
    this.tally.acknowledged += count;
  }

  /** The client's sources are as after its last acknowledged operation, or as after the one that was under way. */
  private async verify(store: Store, client: number): Promise<void> {
    const model = this.models[client]!;
    const differing = await differences(store, model, client);
    if (differing.length === 0) return;
    await model.apply(operation(this.options.seed, client, this.positions[client]!++));
    const stillDiffering = await differences(store, model, client);
    if (stillDiffering.length === 0) {
      this.tally.unacknowledgedButThere++;
      return;
    }
    this.tally.lost += stillDiffering.length;
    throw new Error(`round ${this.tally.rounds}, client ${client}: ${stillDiffering.join(', ')} lost or torn`);
  }
}

async function differences(store: Store, model: Store, client: number): Promise<string[]> {
  const found: string[] = [];
  for (const url of urlsOf(client)) {
    const [is, should] = [await store.source(url), await model.source(url)];
    const page = { limit: 100 };
    const same =
      isDeepStrictEqual(is, should) &&
      isDeepStrictEqual(await store.versions(url, page), await model.versions(url, page)) &&
      (should === undefined || (await isFindable(store, model, should.contentId)));
    if (!same) found.push(url);
  }
  return found;
}

export async function isFindable(store: Store, model: Store, id: string): Promise<boolean> {
  const content = (await model.content(id))!;
  const modulus = indexModulusFor(content.shingleCount, TEST_IDENTITY.indexModulusMax);
  const { fingerprints: keys } = coarsen(exactSample(content.sample), modulus);
  const { candidates } = await store.candidates({ keys, candidatesMax: 1000, ...ANY_OVERLAP });
  return candidates.some(
    ({ record }) => record.id === id && isDeepStrictEqual(record.sample.values, content.sample.values),
  );
}

const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
