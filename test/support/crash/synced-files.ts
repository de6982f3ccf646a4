/** What is on disk for certain: a size, and of small files what they hold, by inode and birth. */
export type Synced = Map<string, { readonly order: number; readonly size: number; readonly hex: string }>;

/**
 * Adds what a ledger says (sync-ledger.c): of each file the sync that began last. A log of LevelDB is synced by its
 * writer and by its own threads, so one that began earlier, and saw less, may end later. A line that a kill has cut
 * short says nothing: nobody has heard of that sync.
 */
export function noteSyncs(synced: Synced, ledger: string): void {
  for (const line of ledger.split('\n').slice(0, -1)) {
    const [order, inode, birth, size, hex] = line.split(' ');
    if (hex === undefined) continue;
    const id = `${inode} ${birth}`;
    if ((synced.get(id)?.order ?? 0) < Number(order)) synced.set(id, { order: Number(order), size: Number(size), hex });
  }
}
