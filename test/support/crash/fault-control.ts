import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./faults.c', import.meta.url));
const FIELDS = ['armed', 'files', 'batches', 'fault', 'pass', 'left', 'failed'] as const;
type Field = (typeof FIELDS)[number];

/** As in faults.c. */
export const FILES = { log: 1, table: 2, manifest: 4, mark: 8, current: 16 } as const;
export const BATCHES = { documents: 1, list: 2, segment: 4, clearing: 8, other: 16 } as const;
export const FAULTS = {
  writeEio: 1,
  writeEnospc: 2,
  syncEio: 3,
  syncLost: 4,
  openEmfile: 5,
  renameEio: 6,
  readEio: 7,
} as const;

export interface Fault {
  readonly name: string;
  readonly files: number;
  readonly batches: number;
  readonly fault: number;
}

/** Lets calls of a process fail (faults.c); needs gcc and Linux. */
export class FaultControl {
  private readonly library: string;
  private readonly path: string;
  private readonly file: number;

  /** @param work a folder of its own */
  constructor(work: string) {
    this.library = join(work, 'faults.so');
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', this.library, SOURCE, '-ldl', '-lpthread'], {
      stdio: 'inherit',
    });
    this.path = join(work, 'control');
    writeFileSync(this.path, Buffer.alloc(4096));
    this.file = openSync(this.path, 'r+');
  }

  /** For a process that has its index in this folder. @param before libraries that are asked before this one */
  env(dataDir: string, ...before: readonly string[]): Record<string, string> {
    const libraries = [...before, this.library].join(':');
    return { LD_PRELOAD: libraries, FAULTS_CONTROL: this.path, FAULTS_DIR: dataDir };
  }

  /** After `pass` calls that would fail, the next `left` do. */
  arm({ files, batches, fault }: Fault, pass: number, left: number): void {
    this.disarm();
    for (const [field, value] of Object.entries({ files, batches, fault, pass, left, failed: 0 })) {
      this.set(field as Field, value);
    }
    this.set('armed', 1);
  }

  disarm(): void {
    this.set('armed', 0);
  }

  /** So many calls have failed since the last time. */
  get failed(): number {
    const value = Buffer.alloc(4);
    readSync(this.file, value, 0, 4, 4 * FIELDS.indexOf('failed'));
    return value.readInt32LE();
  }

  close(): void {
    closeSync(this.file);
  }

  private set(field: Field, value: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    writeSync(this.file, bytes, 0, 4, 4 * FIELDS.indexOf(field));
  }
}
