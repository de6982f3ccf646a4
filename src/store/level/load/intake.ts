import { type MadeRecord, makeRecord } from '../../../core/coding/made-record.ts';
import { ShingledError } from '../../../errors.ts';
import type { PostingSpill } from '../../../spill/posting-spill.ts';
import { checkPlan } from '../../check-plan.ts';
import { dated } from '../../dated.ts';
import type { IndexDescription, PutPlan, WriteOutcome } from '../../port.ts';
import type { StoreSettings } from '../../settings.ts';
import { openContent, sealEncoded } from '../format/content-values.ts';
import { CONTENT_NUMBER_MAX, contentKey, holderKey, numberOfContentKey, sourceRowKey, Table } from '../format/keys.ts';
import type { RowReader } from '../format/loaded-rows.ts';
import type { RowChange } from '../format/rows.ts';
import { sealNothing } from '../format/value-bytes.ts';
import { sealNumber, sealSource, type Totals } from '../format/values.ts';
import type { Pending } from '../writing/committer.ts';
import type { Draft } from '../writing/draft.ts';
import { created, newSource } from '../writing/resolve.ts';
import { type PendingWrite, Resolver } from '../writing/resolver.ts';
import { LoadContents } from './load-contents.ts';
import type { LoadRows } from './load-rows.ts';

/*
 * Plans in their order, to rows and postings.
 *
 *   a source that was never met   two rows are made of it at once, or one and a holder where its content is there
 *   one that was                  what waits is written; then the resolver of every write (writing/) decides over it
 *
 * Both know the same of what is there, so it does not matter which plans go the second way. Where many of a group do, all do.
 *
 * Where a later process goes on, what is known in memory is made again from the rows, and so are the postings: the record is
 * their log here, too. Cost: some 15 µs a content.
 */

/** A plan, and who is told what it comes to; that holds once the load has ended. */
export interface LoadedPlan extends Pending<PutPlan, WriteOutcome> {
  /** Of its content, where whoever read it has made it. */
  readonly record?: MadeRecord | null;
}

export interface IntakeParts {
  readonly rows: LoadRows;
  readonly spill: PostingSpill;
  readonly description: IndexDescription;
  readonly settings: StoreSettings;
  /** Of the index in which nothing is. */
  readonly totals: Totals;
}

/** To write what waits takes as long as to resolve so many plans. */
const SWITCHES_MAX = 16;
/** To hand over a write takes as long as to make the rows of ten documents, and wakes a thread for which the core is wanted. */
const ROWS_A_WRITE = 512;
const ROWS_A_STEP = 2048;
/** What holds for no document by itself: nothing can go on. */
const ENDS: ReadonlySet<unknown> = new Set(['storage-full', 'index-unreadable', 'index-damaged', 'overloaded']);

interface Candidate {
  readonly plan: LoadedPlan;
  /** The row key of its source, which was never met; null where it was. */
  readonly newKey: string | null;
}

export class Intake implements RowReader {
  readonly contents: LoadContents;
  totals: Totals;
  private readonly parts: IntakeParts;
  private readonly resolver: Resolver;
  private changes: RowChange[] = [];
  private writing: Promise<void> = Promise.resolve();

  constructor(parts: IntakeParts) {
    const { description, settings, totals } = parts;
    this.parts = parts;
    this.totals = totals;
    this.contents = new LoadContents(parts.spill, description.indexModulusMax);
    const known = {
      mayHave: (key: string) =>
        key.startsWith(Table.source)
          ? parts.rows.sources.wasMet(key)
          : this.contents.ids.find(key.slice(1)) !== undefined,
    };
    this.resolver = new Resolver({ database: this, known, description, settings, keepsDerived: false });
  }

  /** Takes in plans, and settles each. @throws ShingledError `storage-full` and others that end the load */
  async take(batch: readonly LoadedPlan[]): Promise<void> {
    const { sources } = this.parts.rows;
    sources.runs.endRunIfFull();
    const candidates: Candidate[] = [];
    let known = 0;
    for (const plan of batch) {
      if (!this.isSound(plan)) continue;
      const key = sourceRowKey(plan.request.url);
      const isNew = sources.meet(key);
      candidates.push({ plan, newKey: isNew ? key : null });
      known += Number(!isNew);
    }
    const isFew = known <= SWITCHES_MAX && this.totals.nextContent + batch.length <= CONTENT_NUMBER_MAX;
    let others: LoadedPlan[] = [];
    for (const { plan, newKey } of candidates) {
      if (!isFew || newKey === null) {
        others.push(plan);
        continue;
      }
      if (others.length > 0) await this.resolve(others);
      others = [];
      this.create(plan, newKey);
    }
    if (others.length > 0) await this.resolve(others);
    if (this.changes.length >= ROWS_A_WRITE) await this.write();
    this.parts.spill.check();
  }

  /** All that was taken in is among the rows. @throws ShingledError `storage-full` */
  async settle(): Promise<void> {
    await this.write();
    await this.writing;
    this.parts.spill.check();
  }

  /**
   * Goes on from the rows that were opened at a mark.
   *
   * @param totals of what had been taken in
   * @param step told now and then of contents more
   * @throws ShingledError `index-damaged`, `index-unreadable` where the rows are not what was taken in
   */
  async restore(totals: Totals, step: (contents: number) => Promise<void>): Promise<void> {
    const { rows, spill } = this.parts;
    let read = 0;
    for (const [key, value] of rows.tables.rows()) {
      this.contents.restore(numberOfContentKey(key), openContent(key, value));
      if (++read % ROWS_A_STEP !== 0) continue;
      spill.check();
      await step(ROWS_A_STEP);
    }
    await step(read % ROWS_A_STEP);
    for (const met of rows.sources.meetAll()) if (met % ROWS_A_STEP === 0) await step(0);
    await rows.restore((change) => this.restoreAside(change));
    const live = this.contents.table.liveBefore(totals.nextContent);
    if (live !== totals.contents) {
      throw new ShingledError('index-damaged', `${live} contents are there; ${totals.contents} had been taken in.`);
    }
    this.totals = totals;
  }

  private restoreAside([key, value]: RowChange): void {
    if (key.startsWith(Table.source)) this.parts.rows.sources.meet(key);
    if (!key.startsWith(Table.content)) return;
    const number = numberOfContentKey(key);
    if (value === null) this.contents.table.set(number, 0);
    // else it has another owner now, or came when the table of records was further on
    else if (!this.contents.table.isLive(number)) this.contents.restore(number, openContent(key, value));
  }

  async get(key: string): Promise<Buffer | undefined> {
    if (!key.startsWith(Table.lexicalDigest)) return this.parts.rows.get(key);
    const number = this.contents.ids.find(key.slice(1));
    return number === undefined ? undefined : sealNumber(key, number);
  }

  getMany(keys: string[]): Promise<(Buffer | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(key)));
  }

  keys(range: Parameters<RowReader['keys']>[0]): Promise<string[]> {
    return this.parts.rows.keys(range);
  }

  private isSound({ request, record = null, reject }: LoadedPlan): boolean {
    try {
      checkPlan(request, this.parts.description, record !== null);
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  }

  private create({ request, record, resolve }: LoadedPlan, key: string): void {
    const plan = dated(request, undefined);
    const { url, content } = plan;
    const { nextContent, sources, contents, postings } = this.totals;
    const known = this.contents.ids.find(content.id);
    const number = known ?? nextContent;
    this.parts.rows.sources.runs.add(key, sealSource(key, newSource(plan, number)));
    let posted = 0;
    if (known === undefined) {
      const made = record ?? makeRecord(content, this.parts.description.indexModulusMax);
      const row = contentKey(number);
      this.parts.rows.addRecord(row, sealEncoded(row, url, content, made.encoded));
      this.contents.post(number, content, made.posted);
      posted = made.posted.length;
    } else {
      const row = holderKey(number, url);
      this.changes.push([row, sealNothing(row)]);
    }
    const isNew = Number(known === undefined);
    this.totals = {
      nextContent: nextContent + isNew,
      sources: sources + 1,
      contents: contents + isNew,
      postings: postings + posted,
    };
    resolve(created(plan, known === undefined));
  }

  private async resolve(plans: readonly LoadedPlan[]): Promise<void> {
    let failure: unknown;
    let requests: readonly PendingWrite[] = plans.map(({ request, resolve, reject }) => ({
      request,
      resolve: (outcome) => resolve(outcome as WriteOutcome),
      reject: (error) => {
        if (error instanceof ShingledError && ENDS.has(error.code)) failure ??= error;
        reject(error);
      },
    }));
    while (requests.length > 0) {
      await this.write();
      await this.writing;
      const { draft, settle, left } = await this.resolver.resolve(requests, this.totals);
      this.accept(draft);
      for (const acknowledge of settle) acknowledge();
      if (failure !== undefined) throw failure;
      requests = left;
    }
  }

  private accept(draft: Draft): void {
    this.changes = draft.rows.sealed().filter(([key]) => !NEEDLESS.has(key.charAt(0)));
    this.totals = draft.totals;
    for (const [number, born] of draft.newContents) this.contents.post(number, born, born.posted);
    for (const number of draft.forgotten.keys()) this.contents.table.set(number, 0);
  }

  /** Begins to write what waits, once what came before is written. */
  private async write(): Promise<void> {
    const { changes } = this;
    if (changes.length === 0) return;
    await this.writing;
    this.changes = [];
    this.writing = this.parts.rows.write(changes);
    // met where it is awaited
    this.writing.catch(() => undefined);
  }
}

/** Rows of digests are made at the end; what is forgotten before its page of counts is written needs no mark. */
const NEEDLESS: ReadonlySet<string> = new Set([Table.lexicalDigest, Table.tombstone]);
