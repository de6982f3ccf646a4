import { postingRank } from '../../core/rank.ts';
import { ShingledError } from '../../errors.ts';
import { postedFingerprints } from '../contents.ts';
import type { ContentRecord, IndexDescription, NewContent } from '../port.ts';
import type { StoreSettings } from '../settings.ts';
import {
  CONTENT_NUMBER_MAX,
  contentKey,
  expiryKey,
  holderKey,
  holdersPrefix,
  lexicalKey,
  POSTING_VALUE,
  postingKey,
  shingleKey,
  sourceRowKey,
  under,
  versionKey,
  versionsPrefix,
} from './keys.ts';
import { nextTurn } from './next-turn.ts';
import type { RowLayer } from './rows.ts';
import { sealNothing, unreadable } from './value-bytes.ts';
import {
  openContent,
  openNumber,
  openSource,
  openVersion,
  type PastHold,
  type SourceRow,
  sealContent,
  sealDigest,
  sealNumber,
  sealSource,
  sealVersion,
  type Totals,
  type VersionRow,
} from './values.ts';

/** Work on the event loop pauses after so many postings: a document of 100,000 shingles has many. */
const POSTINGS_A_SLICE = 4096;

const ALL = 1_000_000;

/**
 * What one plan changes, said in sources, contents, versions and holders, and kept as rows: every row that goes with
 * another is put and deleted here and nowhere else.
 */
export class Draft {
  readonly rows: RowLayer;
  readonly description: IndexDescription;
  readonly settings: StoreSettings;
  totals: Totals;
  /** Contents that lost a holder in this draft: {@link forgetUnheld}. */
  private readonly released = new Set<number>();

  constructor(rows: RowLayer, totals: Totals, description: IndexDescription, settings: StoreSettings) {
    this.rows = rows;
    this.totals = totals;
    this.description = description;
    this.settings = settings;
  }

  async source(url: string): Promise<SourceRow | undefined> {
    const key = sourceRowKey(url);
    const value = await this.rows.get(key);
    return value === undefined ? undefined : openSource(key, value);
  }

  putSource(url: string, row: SourceRow, isNew: boolean): void {
    const key = sourceRowKey(url);
    this.rows.put(key, sealSource(key, row));
    if (isNew) this.count({ sources: 1 });
  }

  deleteSource(url: string): void {
    this.rows.delete(sourceRowKey(url));
    this.count({ sources: -1 });
  }

  async numberOf(id: string): Promise<number | undefined> {
    const key = lexicalKey(id);
    const value = await this.rows.get(key);
    return value === undefined ? undefined : openNumber(key, value);
  }

  /** @throws ShingledError `index-unreadable` where it is not there: only held contents are asked for */
  async content(number: number): Promise<ContentRecord> {
    const key = contentKey(number);
    const value = await this.rows.get(key);
    if (value === undefined) throw unreadable(key);
    return openContent(key, value);
  }

  /** A content that is not in the index yet, with its postings. */
  async addContent(content: NewContent, createdAt: number): Promise<number> {
    const number = this.totals.nextContent;
    if (number > CONTENT_NUMBER_MAX) {
      const limit = { name: 'contentNumberMax', value: CONTENT_NUMBER_MAX };
      throw new ShingledError('storage-full', 'The index has given out all its content numbers.', { limit });
    }
    this.totals = { ...this.totals, nextContent: number + 1 };
    const row = contentKey(number);
    this.rows.put(row, sealContent(row, { ...content, createdAt }));
    const lexical = lexicalKey(content.id);
    this.rows.put(lexical, sealNumber(lexical, number));
    const shingle = shingleKey(content.shingleDigest, number);
    this.rows.put(shingle, sealDigest(shingle, content.id));
    const postings = await this.eachPosting(content, number, (key) => this.rows.put(key, POSTING_VALUE));
    this.count({ contents: 1, postings });
    return number;
  }

  hold(content: number, url: string): void {
    const key = holderKey(content, url);
    this.rows.put(key, sealNothing(key));
  }

  release(content: number, url: string): void {
    this.rows.delete(holderKey(content, url));
    this.released.add(content);
  }

  putExpiry({ expiresAt, content }: PastHold, url: string): void {
    const key = expiryKey(expiresAt, content, url);
    this.rows.put(key, sealNothing(key));
  }

  deleteExpiry({ expiresAt, content }: PastHold, url: string): void {
    this.rows.delete(expiryKey(expiresAt, content, url));
  }

  /** The newest version at `observedAt` or before. */
  async versionAt(url: string, observedAt: number): Promise<VersionRow | undefined> {
    const range = { ...under(versionsPrefix(url), 1), gte: versionKey(url, observedAt) };
    const [key] = await this.rows.keys(range);
    const value = key === undefined ? undefined : await this.rows.get(key);
    return key === undefined || value === undefined ? undefined : openVersion(key, value);
  }

  /** @param count versions of the source before; @returns versions after it, the oldest gone where they were too many */
  async putVersion(url: string, observedAt: number, row: VersionRow, count: number): Promise<number> {
    const key = versionKey(url, observedAt);
    const replaces = count > 0 && (await this.rows.get(key)) !== undefined;
    this.rows.put(key, sealVersion(key, row));
    const now = replaces ? count : count + 1;
    const excess = now - this.settings.retention.versionsMax;
    if (excess <= 0) return now;
    for (const oldest of await this.rows.keys(under(versionsPrefix(url), excess, true))) this.rows.delete(oldest);
    return now - excess;
  }

  async deleteVersions(url: string): Promise<void> {
    for (const key of await this.rows.keys(under(versionsPrefix(url), ALL))) this.rows.delete(key);
  }

  /** Contents without any holder go, with all their rows. To be called when the plan has made all other changes. */
  async forgetUnheld(): Promise<number> {
    let forgotten = 0;
    for (const number of this.released) {
      const [holder] = await this.rows.keys(under(holdersPrefix(number), 1));
      if (holder !== undefined) continue;
      const content = await this.content(number);
      const postings = await this.eachPosting(content, number, (key) => this.rows.delete(key));
      this.rows.delete(contentKey(number));
      this.rows.delete(lexicalKey(content.id));
      this.rows.delete(shingleKey(content.shingleDigest, number));
      this.count({ contents: -1, postings: -postings });
      forgotten++;
    }
    this.released.clear();
    return forgotten;
  }

  private async eachPosting(content: NewContent, number: number, change: (key: string) => void): Promise<number> {
    const fingerprints = postedFingerprints(content, this.description.indexModulusMax);
    const { rankKey } = this.settings;
    for (let i = 0; i < fingerprints.length; i++) {
      const fingerprint = fingerprints[i]!;
      change(postingKey(fingerprint, postingRank(rankKey, fingerprint, number), number));
      if ((i + 1) % POSTINGS_A_SLICE === 0) await nextTurn();
    }
    return fingerprints.length;
  }

  private count(change: Partial<Record<'sources' | 'contents' | 'postings', number>>): void {
    const { nextContent, sources, contents, postings } = this.totals;
    this.totals = {
      nextContent,
      sources: sources + (change.sources ?? 0),
      contents: contents + (change.contents ?? 0),
      postings: postings + (change.postings ?? 0),
    };
  }
}
