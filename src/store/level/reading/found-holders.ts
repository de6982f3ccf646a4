import type { ContentRef, Holder } from '../../port.ts';
import type { KnownHolders } from '../database/known-holders.ts';
import type { LevelReader } from '../database/level-handle.ts';
import { numberOfLocator, openOwner, ownerOf } from '../format/content-values.ts';
import { contentKey, holderKey, holdersPrefix, sourceRowKey, under, urlOfHolderKey } from '../format/keys.ts';
import { openSource } from '../format/values.ts';
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

/** Rows that are read together, once all that is at hand has asked for its own. */
interface Read {
  readonly keys: string[];
  readonly values: Promise<readonly (Buffer | undefined)[]>;
}

export class FoundHolders {
  private readonly reader: LevelReader;
  private readonly known: KnownHolders;
  private next: Read | undefined;

  constructor(reader: LevelReader, known: KnownHolders) {
    this.reader = reader;
    this.known = known;
  }

  /** The first `limit` (1 or more) holders in the order of their source keys; undefined where what was met is out of date. */
  async first(content: ContentRef, limit: number): Promise<Holder[] | undefined> {
    try {
      const owner = ownerOf(content);
      const number = numberOfLocator(content);
      const further = this.known.keysOf(number);
      const isSole = further?.length === 0;
      const urls = isSole ? [owner] : await this.urls(number, owner, further, limit);
      const keys = urls.map(sourceRowKey);
      const row = contentKey(number);
      const values = await this.rows(isSole ? keys : [...keys, row]);
      if (!isSole && openOwner(row, values[keys.length]!) !== owner) return undefined;
      return urls.map((url, i) => holderOf(url, number, keys[i]!, openSource(keys[i]!, values[i]!)));
    } catch {
      return undefined;
    }
  }

  private async urls(number: number, owner: string, known: readonly string[] | null, limit: number): Promise<string[]> {
    const further = known ?? (await this.reader.keys(under(holdersPrefix(number), limit)));
    // it is not told at once that the owner is a further holder no longer
    return [...new Set([...further, holderKey(number, owner)])].sort().slice(0, limit).map(urlOfHolderKey);
  }

  private async rows(keys: readonly string[]): Promise<readonly (Buffer | undefined)[]> {
    this.next ??= this.plan();
    const from = this.next.keys.push(...keys) - keys.length;
    const values = await this.next.values;
    return values.slice(from, from + keys.length);
  }

  private plan(): Read {
    const keys: string[] = [];
    const read = async () => {
      await undefined;
      this.next = undefined;
      return this.reader.read((level) => level.rows.getMany(keys)).catch(() => []);
    };
    return { keys, values: read() };
  }
}
