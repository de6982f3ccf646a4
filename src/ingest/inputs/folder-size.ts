import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { rest } from '../../sharing/waiting.ts';
import type { IngestLimits } from '../limits.ts';
import { onDisk } from './byte-names.ts';
import { fileOfName, hasUnpacked, unpackedName } from './file-names.ts';
import { type WalkOptions, walkFolder } from './folder-walk.ts';

/*
 * How many bytes a folder has to be read, for who asks how long it takes. They are counted beside the reading, in slices.
 * Reading opens each file as well, so the count is ahead of it after some seconds. It costs a hundredth of the load.
 */

/** At least: after a rest that the reading beside it has made longer, a slice is longer, too. */
const SLICE_MS = 2;
/** It rests this many times as long as it has counted. */
const REST = 4;
/** Files; beyond them no end is told. A walk of so many takes a minute of its own. */
const FILES_MAX = 10_000_000;

export class FolderSize {
  readonly #options: WalkOptions;
  readonly #limits: IngestLimits;
  #bytes: number | null = null;
  #hasBegun = false;
  #isStopped = false;
  #isCounting = false;

  constructor(options: WalkOptions, limits: IngestLimits) {
    this.#options = options;
    this.#limits = limits;
  }

  /** Null until they are counted, which begins when they are asked for. */
  get bytes(): number | null {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#isCounting = true;
      void this.#count().finally(() => {
        this.#isCounting = false;
      });
    }
    return this.#bytes;
  }

  get isCounting(): boolean {
    return this.#isCounting;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #count(): Promise<void> {
    let [files, bytes] = [0, 0];
    let [began, sliceMs] = [performance.now(), SLICE_MS];
    try {
      const root = realpathSync(this.#options.root);
      for (const step of walkFolder({ ...this.#options, root }, this.#limits, null)) {
        if ('entry' in step) bytes += sizeOf(join(root, step.path), step.entry.name, this.#limits);
        if (++files > FILES_MAX) return;
        const elapsedMs = performance.now() - began;
        if (elapsedMs < sliceMs) continue;
        const restsFrom = performance.now();
        await rest(REST * elapsedMs);
        if (this.#isStopped) return;
        began = performance.now();
        sliceMs = Math.max(SLICE_MS, (began - restsFrom) / REST);
      }
    } catch {
      // reading tells of a folder that cannot be read
      return;
    }
    this.#bytes = bytes;
  }
}

/** What is read of a file. */
function sizeOf(path: string, name: string, { documentBytesMax }: Pick<IngestLimits, 'documentBytesMax'>): number {
  if (fileOfName(unpackedName(name)).refusal !== null || hasUnpacked(path, name)) return 0;
  const stats = lstatSync(onDisk(path), { throwIfNoEntry: false });
  return stats === undefined || !stats.isFile() || stats.size > documentBytesMax ? 0 : stats.size;
}
