import type { Database } from '../database/database.ts';
import { holdersPrefix, sourceRowKey, under, urlOfHolderKey } from '../format/keys.ts';
import type { RowChange } from '../format/rows.ts';
import { sealNothing } from '../format/value-bytes.ts';

const ROWS_A_BATCH = 2000;
const URLS_MAX = 1_000_000;

/** The rows of a new index, written in batches that are synced at the end; and the sources that did not get into it. */
export class RebuildOutput {
  private readonly database: Database;
  private readonly lost = new Set<string>();
  private changes: RowChange[] = [];

  /** @param database new and empty */
  constructor(database: Database) {
    this.database = database;
  }

  async put(key: string, value: Buffer | null): Promise<void> {
    this.changes.push([key, value]);
    if (this.changes.length >= ROWS_A_BATCH) await this.write();
  }

  putNothing(key: string): Promise<void> {
    return this.put(key, sealNothing(key));
  }

  /** Writes what was put: from then on it can be looked at. */
  async write(): Promise<void> {
    const { changes } = this;
    this.changes = [];
    if (changes.length > 0) await this.database.write('rows', changes, false);
  }

  async end(): Promise<void> {
    await this.write();
    await this.database.flush();
  }

  /** Takes the row of the first holder of a content away, which is written. @returns whose it is */
  async takeHolder(content: number): Promise<string> {
    const [first] = await this.database.keys(under(holdersPrefix(content), 1));
    await this.put(first!, null);
    return urlOfHolderKey(first!);
  }

  lose(url: string): void {
    if (this.lost.size < URLS_MAX) this.lost.add(url);
  }

  /** Loses those that are not written. A thousand or so at once. */
  async loseUnlessThere(urls: readonly string[]): Promise<void> {
    const found = await this.database.getMany(urls.map(sourceRowKey));
    for (const [i, url] of urls.entries()) if (found[i] === undefined) this.lose(url);
  }

  get lostUrls(): string[] {
    return [...this.lost];
  }
}
