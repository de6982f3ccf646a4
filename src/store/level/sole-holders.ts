import type { ContentId, Holder } from '../port.ts';
import type { Database } from './database.ts';
import type { FurtherHolders } from './further-holders.ts';
import { sourceRowKey } from './keys.ts';
import { holderOf } from './reads.ts';
import { type ContentRow, openSource } from './values.ts';

/*
 * The holder of a content that was a candidate a moment ago, where it has no other: one row, and the rows of all contents
 * that are asked for at a time are read together.
 *
 *   candidates ──► content id ─ number, owner        remembered, a few thousand
 *   holders    ──► owner's row s, if it still says that number; no row r to look for (further-holders.ts)
 *
 * What is remembered may be out of date: the owner's row settles it, and where it does not fit, the whole way is gone.
 */

const REMEMBERED_MAX = 4096;

interface Place {
  readonly number: number;
  readonly owner: string;
}

interface Waiting {
  readonly key: string;
  resolve(value: Buffer | undefined): void;
}

export class SoleHolders {
  private readonly database: Database;
  private readonly further: FurtherHolders;
  private recent = new Map<ContentId, Place>();
  private older = new Map<ContentId, Place>();
  private waiting: Waiting[] = [];

  constructor(database: Database, further: FurtherHolders) {
    this.database = database;
    this.further = further;
  }

  /** A content was read, as a candidate. */
  remember(number: number, { owner, record }: ContentRow): void {
    if (this.recent.size >= REMEMBERED_MAX) {
      this.older = this.recent;
      this.recent = new Map();
    }
    this.recent.set(record.id, { number, owner });
  }

  /** The one holder of a content; undefined where it is not known to be the only one. */
  async holder(id: ContentId): Promise<Holder | undefined> {
    const place = this.recent.get(id) ?? this.older.get(id);
    if (place === undefined || this.further.mayHave(place.number)) return undefined;
    const key = sourceRowKey(place.owner);
    const value = await this.row(key);
    if (value === undefined) return undefined;
    try {
      return holderOf(place.owner, place.number, key, openSource(key, value));
    } catch {
      return undefined;
    }
  }

  private row(key: string): Promise<Buffer | undefined> {
    return new Promise((resolve) => {
      this.waiting.push({ key, resolve });
      if (this.waiting.length === 1) queueMicrotask(() => void this.readWaiting());
    });
  }

  private async readWaiting(): Promise<void> {
    const waiting = this.waiting;
    this.waiting = [];
    const values = await this.database.getMany(waiting.map(({ key }) => key)).catch(() => []);
    for (const [i, { resolve }] of waiting.entries()) resolve(values[i]);
  }
}
