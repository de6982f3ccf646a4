import { mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it. Node's own way does not come to an end where a file system says of a folder whose
 * parent is there that its parent is missing, as /proc does.
 *
 * @returns the first that was made; undefined where it was there
 * @throws Error of the file system
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const whole = resolve(path);
  try {
    await mkdir(whole, { mode: 0o700 });
    return whole;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (await isFolder(whole)) return undefined;
    if (code !== 'ENOENT' || whole === dirname(whole)) throw error;
  }
  const first = await makeFolder(dirname(whole));
  await mkdir(whole, { mode: 0o700 }).catch(async (error: unknown) => {
    // another process was quicker
    if (!(await isFolder(whole))) throw error;
  });
  return first ?? whole;
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
