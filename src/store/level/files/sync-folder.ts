import { open } from 'node:fs/promises';

/** So that the names of its files outlive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no handle of a folder to sync
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}
