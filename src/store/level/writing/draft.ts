import type { Sample } from '../../../core/sketch/modulus.ts';
import type { KeptSample } from '../../../core/sketch/narrow.ts';
import { ShingledError } from '../../../errors.ts';
import { postedFingerprints } from '../../contents.ts';
import type { Content, IndexDescription } from '../../port.ts';
import type { StoreSettings } from '../../settings.ts';
import { locatorOf, ownerOf } from '../format/content-values.ts';
import {
  CONTENT_NUMBER_MAX,
  contentKey,
  deathKey,
  holderKey,
  holdersPrefix,
  type KeyRange,
  lexicalKey,
  pastKey,
  timeOfVersionKey,
  under,
  urlOfHolderKey,
  versionKey,
  versionsPrefix,
} from '../format/keys.ts';
import { together } from '../format/loaded-rows.ts';
import { unreadable } from '../format/value-bytes.ts';
import type { PastHold, SourceRow, Totals } from '../format/values.ts';
import type { VersionRow } from '../format/version-values.ts';
import type { BatchRows } from './batch-rows.ts';
import { type Born, newContent } from './new-content.ts';
import { type DatedVersion, lastSeenOf } from './version-runs.ts';

/** More versions than any source has. */
const VERSIONS_EVER = 1_000_000;

/**
 * What the plans of one batch change, said in sources, contents, versions and holders: every row that goes with another is
 * put and deleted here and nowhere else. A content is held by its owner, whom its row names, and by those with a row `r`; how
 * many they are follows from the sources as they change.
 * All methods may stop with NOT_LOADED (rows.ts).
 */
export class Draft {
  readonly rows: BatchRows;
  readonly description: IndexDescription;
  readonly settings: StoreSettings;
  totals: Totals;
  private readonly born = new Map<number, Born>();
  /** Contents from before this batch that nobody holds any more. */
  readonly forgotten = new Map<number, true>();
  /** Contents whose owner let go of them in this plan, and that nobody else holds: {@link forgetUnheld}. */
  private readonly orphans = new Set<number>();

  constructor(rows: BatchRows, totals: Totals, description: IndexDescription, settings: StoreSettings) {
    this.rows = rows;
    this.totals = totals;
    this.description = description;
    this.settings = settings;
  }

  /** Runs one plan: all that it changes, or nothing where it throws. */
  attempt<T>(plan: (draft: this) => T): T {
    const { totals } = this;
    try {
      const outcome = plan(this);
      this.rows.undo.keep();
      return outcome;
    } catch (error) {
      this.rows.undo.putBack();
      this.totals = totals;
      throw error;
    } finally {
      this.orphans.clear();
      this.rows.held?.end();
    }
  }

  /** The contents that are new in this batch, by their numbers, ascending. */
  get newContents(): [number, Born][] {
    // what a plan took away and put back stands last
    return [...this.born].sort(([a], [b]) => a - b);
  }

  source(url: string): SourceRow | undefined {
    return this.rows.sources.get(this.rows.keyOfSource(url));
  }

  /** @param before as it was; null: it is new */
  putSource(url: string, row: SourceRow, before: SourceRow | null): void {
    const key = this.rows.keyOfSource(url);
    this.rows.held?.change(before, row);
    this.rows.samples?.change(url, key, before, row);
    this.rows.sources.put(key, row);
    if (before === null) this.count({ sources: 1 });
  }

  deleteSource(url: string, before: SourceRow): void {
    const key = this.rows.keyOfSource(url);
    this.rows.held?.change(before, null);
    this.rows.samples?.change(url, key, before, null);
    this.rows.sources.delete(key);
    this.count({ sources: -1 });
  }

  numberOf(id: string): number | undefined {
    return this.rows.numbers.get(lexicalKey(id));
  }

  /** @throws ShingledError `index-unreadable` where it is not there: only held contents are asked for */
  content(number: number): Content<KeptSample> {
    const key = contentKey(number);
    const content = this.rows.contents.get(key);
    if (content === undefined) throw unreadable(key);
    return content;
  }

  /** The same of a content whose holders the plan will change: what that takes is read with it. */
  changingContent(number: number): Content<KeptSample> {
    const [content] = together(
      () => this.content(number),
      () => this.rows.held?.of(number),
    );
    return content;
  }

  /** A content that is not in the index yet; the source that brings it is its owner. */
  addContent(content: Content<Sample>, owner: string): number {
    const number = this.totals.nextContent;
    if (number > CONTENT_NUMBER_MAX) {
      const limit = { name: 'contentNumberMax', value: CONTENT_NUMBER_MAX };
      throw new ShingledError('storage-full', 'The index has given out all its content numbers.', { limit });
    }
    const { record, born } = newContent(content, number, owner, this.description.indexModulusMax);
    const { posted } = born;
    this.rows.contents.put(contentKey(number), record);
    this.rows.numbers.put(lexicalKey(content.id), number);
    this.born.set(number, born);
    this.rows.undo.note(this.born, number, undefined);
    this.rows.held?.bring(number);
    this.count({ nextContent: 1, contents: 1, postings: posted.length });
    return number;
  }

  /** The source holds a content that was there before. */
  hold(content: number, url: string): void {
    if (ownerOf(this.changingContent(content)) !== url) this.rows.holders.put(holderKey(content, url), true);
  }

  /** The source holds a content no longer. Where it was the owner, another holder becomes it. */
  release(number: number, url: string): void {
    const content = this.content(number);
    if (ownerOf(content) !== url) {
      this.rows.holders.delete(holderKey(number, url));
      return;
    }
    const [heir] = this.rows.holders.keys(under(holdersPrefix(number), 1));
    if (heir === undefined) {
      this.orphans.add(number);
      return;
    }
    const locator = locatorOf(number, urlOfHolderKey(heir));
    this.rows.contents.put(contentKey(number), { ...content, locator });
    this.rows.holders.delete(heir);
  }

  putPast({ pastSince, content }: PastHold, url: string): void {
    this.rows.pasts.put(pastKey(pastSince, content, url), true);
  }

  deletePast({ pastSince, content }: PastHold, url: string): void {
    this.rows.pasts.delete(pastKey(pastSince, content, url));
  }

  /** The newest past version at `observedAt` or before. */
  pastVersionUpTo(url: string, observedAt: number): DatedVersion | undefined {
    if (observedAt < 0) return undefined;
    return this.firstVersion({ ...under(versionsPrefix(url), 1), gte: versionKey(url, observedAt) });
  }

  /** The oldest past version after `observedAt`. */
  pastVersionAfter(url: string, observedAt: number): DatedVersion | undefined {
    return this.firstVersion({ ...under(versionsPrefix(url), 1, true), lt: versionKey(url, observedAt) });
  }

  pastVersion(url: string, observedAt: number): VersionRow | undefined {
    return this.rows.versions.get(versionKey(url, observedAt));
  }

  putPastVersion(url: string, observedAt: number, row: VersionRow): void {
    this.rows.versions.put(versionKey(url, observedAt), row);
  }

  deletePastVersion(url: string, observedAt: number): void {
    this.rows.versions.delete(versionKey(url, observedAt));
  }

  /** Deletes the oldest past versions. @returns when the newest of them was seen last */
  dropPastVersions(url: string, count: number): number {
    const oldest = this.rows.versions.keys(under(versionsPrefix(url), count, true));
    const newest = oldest.at(-1);
    const row = newest === undefined ? undefined : this.rows.versions.get(newest);
    for (const key of oldest) this.rows.versions.delete(key);
    if (newest === undefined || row === undefined) throw unreadable(versionsPrefix(url));
    return lastSeenOf({ observedAt: timeOfVersionKey(newest), row });
  }

  deletePastVersions(url: string): void {
    for (const key of this.rows.versions.keys(under(versionsPrefix(url), VERSIONS_EVER))) {
      this.rows.versions.delete(key);
    }
  }

  /** Contents without any holder go, with all their rows. To be called when the plan has made all other changes. */
  forgetUnheld(): number {
    for (const number of this.orphans) {
      const content = this.content(number);
      this.rows.contents.delete(contentKey(number));
      this.rows.numbers.delete(lexicalKey(content.id));
      this.count({ contents: -1, postings: -postedFingerprints(content, this.description.indexModulusMax).length });
      const born = this.born.get(number);
      if (born === undefined) {
        this.rows.tombstones.put(deathKey(number), true);
        this.forgotten.set(number, true);
        this.rows.undo.note(this.forgotten, number, undefined);
      } else {
        // nothing of it will ever be on disk
        this.born.delete(number);
        this.rows.undo.note(this.born, number, born);
      }
    }
    const forgotten = this.orphans.size;
    this.orphans.clear();
    return forgotten;
  }

  private firstVersion(range: KeyRange): DatedVersion | undefined {
    const [key] = this.rows.versions.keys(range);
    const row = key === undefined ? undefined : this.rows.versions.get(key);
    return row === undefined ? undefined : { observedAt: timeOfVersionKey(key!), row };
  }

  private count(change: Partial<Totals>): void {
    const { nextContent, sources, contents, postings } = this.totals;
    this.totals = {
      nextContent: nextContent + (change.nextContent ?? 0),
      sources: sources + (change.sources ?? 0),
      contents: contents + (change.contents ?? 0),
      postings: postings + (change.postings ?? 0),
    };
  }
}
