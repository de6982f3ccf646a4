import { open, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { storageFull } from './failures.ts';

/** A look at the file system is shared for so long. */
const LOOK_EVERY_MS = 250;
const PROBE_BYTES = 64 * 1024;

/** The file system under an index. */
export class Disk {
  private readonly folder: string;
  private readonly freeBytesMin: number;
  private lookedAt = Number.NEGATIVE_INFINITY;
  private free: Promise<number | null> = Promise.resolve(null);

  constructor(folder: string, freeBytesMin: number) {
    this.folder = folder;
    this.freeBytesMin = freeBytesMin;
  }

  /** Bytes that may still be written; null where the file system does not say. */
  freeBytes(): Promise<number | null> {
    const now = performance.now();
    if (now - this.lookedAt >= LOOK_EVERY_MS) {
      this.lookedAt = now;
      this.free = statfs(this.folder).then(
        ({ bavail, bsize }) => bavail * bsize,
        () => null,
      );
    }
    return this.free;
  }

  /** Whether so many bytes may be written without touching the reserve. */
  hasRoom(bytes: number): Promise<boolean> {
    return this.checkReserve(bytes).then(
      () => true,
      () => false,
    );
  }

  /** @throws ShingledError `storage-full` where so many bytes would touch the reserve */
  async checkReserve(bytes = 0): Promise<void> {
    const free = await this.freeBytes();
    if (free === null || free >= this.freeBytesMin + bytes) return;
    const needed = bytes === 0 ? '' : ` ${bytes} are needed beside what stays free.`;
    throw storageFull(`${free} bytes are free on the disk of the index.${needed}`, {
      limit: { name: 'freeBytesMin', value: this.freeBytesMin },
    });
  }

  /** Whether a file can be written and synced beside the index. Rejects with the file system's error where not. */
  async probe(): Promise<void> {
    const path = join(this.folder, 'shingled.probe');
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES, 1));
      await file.datasync();
    } finally {
      await file.close();
      await unlink(path);
    }
  }

  /** Bytes of the files in a folder whose names end so, links and folders aside. */
  static async bytesIn(folder: string, ending = ''): Promise<number> {
    let bytes = 0;
    for (const name of await readdir(folder)) {
      if (!name.endsWith(ending)) continue;
      // a file may be compacted away between the two calls
      bytes += await stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      );
    }
    return bytes;
  }
}
