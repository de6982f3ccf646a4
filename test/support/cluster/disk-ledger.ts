import type * as Fs from 'node:fs';
import type * as FsPromises from 'node:fs/promises';
import { dirname } from 'node:path';

/*
 * What a power cut would leave: of files what was written and is not synced, of folders the names that were made and are not.
 * Calls of node:fs go through it, by vi.mock.
 */

export class DiskLedger {
  /** Files with bytes that may be lost. */
  private readonly unsynced = new Set<string>();
  /** Names that may be lost, by folder. */
  private readonly unnamed = new Map<string, Set<string>>();
  private readonly paths = new Map<number, string>();
  /** Of each name that a file was renamed to, what might be lost then, sorted: the names of others in its folder. */
  readonly atRename: { readonly path: string; readonly lost: readonly string[] }[] = [];

  /** In the words of node:fs. */
  over(fs: typeof Fs): typeof Fs {
    const openSync: typeof Fs.openSync = (path, flags, mode) => {
      const file = fs.openSync(path, flags, mode);
      this.paths.set(file, String(path));
      if (/^[wa]/.test(String(flags))) this.made(String(path));
      return file;
    };
    const writeSync = (file: number, ...rest: unknown[]) => {
      this.unsynced.add(this.paths.get(file)!);
      return (fs.writeSync as (...all: unknown[]) => number)(file, ...rest);
    };
    const fsyncSync: typeof Fs.fsyncSync = (file) => {
      fs.fsyncSync(file);
      this.synced(this.paths.get(file)!);
    };
    const renameSync: typeof Fs.renameSync = (from, to) => {
      const lost = [this.unsynced.has(String(from)) ? [String(from)] : [], this.lostBeside(String(from))].flat();
      this.atRename.push({ path: String(to), lost: lost.sort() });
      fs.renameSync(from, to);
      this.made(String(to));
    };
    const linkSync: typeof Fs.linkSync = (from, to) => {
      fs.linkSync(from, to);
      this.made(String(to));
    };
    const writeFileSync: typeof Fs.writeFileSync = (file, ...rest) => {
      this.unsynced.add(String(file));
      fs.writeFileSync(file, ...rest);
    };
    return { ...fs, openSync, writeSync, fsyncSync, renameSync, linkSync, writeFileSync };
  }

  /** In the words of node:fs/promises. */
  overPromises(fs: typeof FsPromises): typeof FsPromises {
    const open: typeof FsPromises.open = async (path, flags, mode) => {
      const handle = await fs.open(path, flags, mode);
      this.paths.set(handle.fd, String(path));
      this.made(String(path));
      const { write, sync } = handle;
      handle.write = ((...rest: unknown[]) => {
        this.unsynced.add(String(path));
        return Reflect.apply(write, handle, rest) as unknown;
      }) as typeof handle.write;
      handle.sync = async () => {
        await Reflect.apply(sync, handle, []);
        this.synced(String(path));
      };
      return handle;
    };
    return { ...fs, open };
  }

  private made(path: string): void {
    const folder = dirname(path);
    this.unnamed.set(folder, (this.unnamed.get(folder) ?? new Set()).add(path));
  }

  private synced(path: string): void {
    this.unsynced.delete(path);
    this.unnamed.delete(path);
  }

  /** Bytes and names of the same folder that may be lost, but the one that is being renamed. */
  private lostBeside(path: string): string[] {
    const folder = dirname(path);
    const bytes = [...this.unsynced].filter((one) => dirname(one) === folder);
    const names = [...(this.unnamed.get(folder) ?? [])];
    return [...new Set([...bytes, ...names])].filter((one) => one !== path);
  }
}
