import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Store, WritePlan } from '../../../src/store/port.ts';
import { MemoryStore } from '../memory-store/memory-store.ts';
import { until } from '../model/patience.ts';
import { CLIENTS, CRASH_OPTIONS, CRASH_SETTINGS, operation, urlsOf } from '../store/level-clients.ts';
import { openFolder, TEST_DESCRIPTION } from '../store/level-folder.ts';
import { below } from '../store/level-plans.ts';
import { problemsOf } from '../store/level-rows.ts';
import { isFindable } from './level-crash.ts';

export interface FullDiskTally {
  rounds: number;
  applied: number;
  refused: number;
  /** Rounds in which the disk did not fill up before the operations ended. */
  neverFull: number;
  /** Refused and there nevertheless, whole, once the disk was read anew: what a caller must expect of any error of a write. */
  refusedButThere: number;
  /** Refused with another error than storage-full. */
  wrongErrors: string[];
  /** Sentences of what differs from the memory store: refused and there, or applied and not. */
  wrong: string[];
}

const OPERATIONS = 30;
const BLOCK = 4096;
const BALLAST = 'ballast';

/**
 * Fills a small file system but for some bytes while clients write to an index on it, lets reads go on, makes room again
 * and goes on writing: what was acknowledged must be there, what was refused must not.
 */
export class FullDisk {
  readonly tally: FullDiskTally = {
    rounds: 0,
    applied: 0,
    refused: 0,
    refusedButThere: 0,
    neverFull: 0,
    wrongErrors: [],
    wrong: [],
  };
  private readonly mount: string;
  private readonly dataDir: string;
  private readonly random: () => number;
  private readonly seed: number;
  private readonly model = new MemoryStore(TEST_DESCRIPTION, CRASH_SETTINGS);
  private readonly positions = Array.from({ length: CLIENTS }, () => 0);
  /** By client: all plans that were applied, in order. Clients share no URLs and no contents. */
  private readonly applied: WritePlan[][] = Array.from({ length: CLIENTS }, () => []);
  /** By client: the last plan that was refused, while it may be there. */
  private readonly inDoubt = new Map<number, WritePlan>();
  private store: Store | undefined;

  /** @param mount an empty file system of its own */
  constructor(mount: string, seed: number, random: () => number) {
    this.mount = mount;
    this.dataDir = join(mount, 'index');
    this.seed = seed;
    this.random = random;
  }

  async round(): Promise<void> {
    this.store ??= await openFolder(this.dataDir, { ...CRASH_OPTIONS, diskRetryMs: 5, freeBytesMin: 0 });
    this.tally.rounds++;
    const before = this.tally.refused;
    this.fill(below(this.random, 24 * BLOCK));
    await Promise.all(this.positions.map((_, client) => this.write(client, OPERATIONS)));
    if (this.tally.refused === before) this.tally.neverFull++;
    await this.compareCertain('while the disk is full');
    rmSync(join(this.mount, BALLAST));
    await until(() => this.store!.writable);
    await this.compare('when writing resumed');
    await Promise.all(this.positions.map((_, client) => this.write(client, 3)));
    await this.compare('after there was room again');
    if (this.random() < 0.2) await this.reopen();
  }

  async reopen(): Promise<void> {
    await this.store?.close();
    this.store = undefined;
    const problems = await problemsOf(this.dataDir);
    this.tally.wrong.push(...problems.map((problem) => `round ${this.tally.rounds}: ${problem}`));
    this.store = await openFolder(this.dataDir, { ...CRASH_OPTIONS, diskRetryMs: 5, freeBytesMin: 0 });
    await this.compare('after reopening');
  }

  async close(): Promise<void> {
    await this.store?.close();
    this.store = undefined;
  }

  private fill(leave: number): void {
    const { bavail, bsize } = statfsSync(this.mount);
    try {
      writeFileSync(join(this.mount, BALLAST), Buffer.alloc(Math.max(0, bavail * bsize - leave), 1));
    } catch (error) {
      // a merge may have taken the rest meanwhile
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }

  /** A client goes on after a refusal: with what it would have written next, since the refused is not there. */
  private async write(client: number, operations: number): Promise<void> {
    for (let i = 0; i < operations; i++) {
      const plan = operation(this.seed, client, this.positions[client]!++);
      try {
        await this.store!.apply(plan);
        await this.keep(client, plan);
        this.tally.applied++;
      } catch (error) {
        this.tally.refused++;
        this.inDoubt.set(client, plan);
        const { code } = error as { code?: string };
        if (code !== 'storage-full') this.tally.wrongErrors.push(`round ${this.tally.rounds}: ${String(error)}`);
        return;
      }
    }
  }

  private async keep(client: number, plan: WritePlan): Promise<void> {
    await this.model.apply(plan);
    this.applied[client]!.push(plan);
    this.inDoubt.delete(client);
  }

  /**
   * What was refused may be seen until the disk was read anew, and is there or not from then on: its own URL is not looked at,
   * and what the others say of the contents they share with it may be as with it or as without.
   */
  private async compareCertain(when: string): Promise<void> {
    for (let client = 0; client < CLIENTS; client++) {
      const uncertain = this.inDoubt.get(client);
      let differing = await this.differing(client);
      if (differing.length > 0 && uncertain !== undefined) {
        const withIt = new MemoryStore(TEST_DESCRIPTION, CRASH_SETTINGS);
        for (const plan of [...this.applied[client]!, uncertain]) await withIt.apply(plan);
        const differingToo = new Set(await this.differing(client, withIt));
        differing = differing.filter((url) => url !== uncertain.url && differingToo.has(url));
      }
      this.tally.wrong.push(...differing.map((url) => `round ${this.tally.rounds}, ${when}: ${url}`));
    }
  }

  private async compare(when: string): Promise<void> {
    for (let client = 0; client < CLIENTS; client++) {
      let differing = await this.differing(client);
      const plan = this.inDoubt.get(client);
      if (differing.length > 0 && plan !== undefined) {
        await this.keep(client, plan);
        this.tally.refusedButThere++;
        differing = await this.differing(client);
      }
      this.tally.wrong.push(...differing.map((url) => `round ${this.tally.rounds}, ${when}: ${url}`));
    }
    if (this.store!.damaged) this.tally.wrong.push(`round ${this.tally.rounds}, ${when}: damaged`);
  }

  private async differing(client: number, model = this.model): Promise<string[]> {
    const found: string[] = [];
    const page = { limit: 100 };
    for (const url of urlsOf(client)) {
      const should = await model.source(url);
      const same =
        isDeepStrictEqual(await this.store!.source(url), should) &&
        isDeepStrictEqual(await this.store!.versions(url, page), await model.versions(url, page)) &&
        (should === undefined || (await isFindable(this.store!, model, should.contentId)));
      if (!same) found.push(url);
    }
    return found;
  }
}
