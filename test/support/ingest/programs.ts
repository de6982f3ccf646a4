import { execFileSync } from 'node:child_process';
import type { ProgramName } from '../../../src/ingest/unpack/system-program.ts';

/** Bytes packed by a program of the system. */
export function packedBy(name: ProgramName, bytes: Buffer | string, args: readonly string[] = []): Buffer {
  return execFileSync(name, ['-c', ...args], { input: bytes, maxBuffer: 2 ** 30 });
}

export function unpackedBy(name: ProgramName, bytes: Buffer): Buffer {
  return execFileSync(name, ['-dc'], { input: bytes, maxBuffer: 2 ** 30 });
}
