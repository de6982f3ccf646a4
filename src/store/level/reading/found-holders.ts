import type { Holder } from '../../port.ts';
import type { Database } from '../database/database.ts';
import type { FurtherHolders } from '../database/further-holders.ts';
import { ownerOf } from '../format/content-values.ts';
import { contentKey, holderKey, holdersPrefix, sourceRowKey, under, urlOfHolderKey } from '../format/keys.ts';
import { openSource } from '../format/values.ts';
import { type Located, readLocator } from './found-content.ts';
import { holderOf } from './reads.ts';

/*
 * The holders of a content that a query has met a moment ago: its locator names its number and its owner.
 *
 *   no other holder   the owner's row s                                     of all contents that are asked for at a time
 *   several           rows r, from memory where they are few (further-holders.ts); the content's row c again, and
 *                     rows s of all                                         of all contents that are asked for at a time
 *
 * What was met may be out of date: where a source no longer says that number, or row c another owner, the whole way is gone
 * (reads.ts).
 */

interface Waiting {
  readonly keys: readonly string[];
  resolve(values: readonly (Buffer | undefined)[]): void;
}

export class FoundHolders {
  private readonly database: Database;
  private readonly further: FurtherHolders;
  private waiting: Waiting[] = [];

  constructor(database: Database, further: FurtherHolders) {
    this.database = database;
    this.further = further;
  }

  /** The first `limit` (1 or more) holders in the order of their source keys; undefined where what was met is out of date. */
  async first(locator: string, limit: number): Promise<Holder[] | undefined> {
    try {
      const located = readLocator(locator);
      const { number, owner } = located;
      const further = this.further.keysOf(number);
      const isSole = further?.length === 0;
      const urls = isSole ? [owner] : await this.urls(located, further, limit);
      const keys = urls.map(sourceRowKey);
      const row = contentKey(number);
      const values = await this.rows(isSole ? keys : [...keys, row]);
      if (!isSole && ownerOf(row, values[keys.length]!) !== owner) return undefined;
      return urls.map((url, i) => holderOf(url, number, keys[i]!, openSource(keys[i]!, values[i]!)));
    } catch {
      return undefined;
    }
  }

  private async urls({ number, owner }: Located, known: readonly string[] | null, limit: number): Promise<string[]> {
    const further = known ?? (await this.database.keys(under(holdersPrefix(number), limit)));
    return [...further, holderKey(number, owner)].sort().slice(0, limit).map(urlOfHolderKey);
  }

  private rows(keys: readonly string[]): Promise<readonly (Buffer | undefined)[]> {
    return new Promise((resolve) => {
      this.waiting.push({ keys, resolve });
      if (this.waiting.length === 1) queueMicrotask(() => void this.readWaiting());
    });
  }

  private near(keys: string[]): Promise<(Buffer | undefined)[]> {
    return this.database.read((level) => level.rows.getMany(keys));
  }

  private async readWaiting(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = [];
    const values = await this.near(waiting.flatMap(({ keys }) => keys)).catch(() => []);
    let from = 0;
    for (const { keys, resolve } of waiting) {
      resolve(values.slice(from, from + keys.length));
      from += keys.length;
    }
  }
}
