import type { KeyRange } from '../format/keys.ts';
import type { Database } from './database.ts';

/** As many as are taken in within a millisecond of the event loop. */
const KEYS_A_PAGE = 500;

/**
 * All keys of a table in order, a page at a time, so that writes and queries go on between them. A key that is written
 * meanwhile is in a page or not.
 *
 * @throws what reading them throws
 */
export async function* keyPages(database: Pick<Database, 'keys'>, table: string): AsyncGenerator<readonly string[]> {
  const lt = String.fromCharCode(table.charCodeAt(0) + 1);
  let range: KeyRange = { gte: table, lt, limit: KEYS_A_PAGE };
  for (;;) {
    const keys = await database.keys(range);
    yield keys;
    if (keys.length < KEYS_A_PAGE) return;
    range = { ...range, gte: `${keys.at(-1)!}\0` };
  }
}
