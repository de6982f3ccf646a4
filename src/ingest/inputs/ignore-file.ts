import { readWholeFile } from './whole-file.ts';

/** The patterns of a .gitignore file, null where there is none that can be read. */
export function ignoreFileOf(path: string, bytesMax: number): string | null {
  const file = readWholeFile(path, bytesMax);
  return 'bytes' in file ? file.bytes.toString() : null;
}
