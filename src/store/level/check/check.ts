import type { KeptSample } from '../../../core/sketch/narrow.ts';
import type { Content, IndexDescription } from '../../port.ts';
import { urlOfSourceKey } from '../../source-key.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import { openContent, ownerOf } from '../format/content-values.ts';
import { COUNTS_SINCE_FORMAT, needsNoRow, ONE_LIVE, openCounts } from '../format/holder-counts.ts';
import {
  contentOfCountsKey,
  contentOfDeathKey,
  contentOfHolderKey,
  numberOfContentKey,
  readPastKey,
  Table,
  timeOfVersionKey,
  urlOfHolderKey,
} from '../format/keys.ts';
import { openNothing } from '../format/value-bytes.ts';
import { openNumber, openSource, type SourceRow, type Totals } from '../format/values.ts';
import { openVersion } from '../format/version-values.ts';
import { ContentTable, presenceOfCount } from '../segments/content-table.ts';
import { positionOf } from '../segments/rows/sort.ts';
import { type Cuts, PostingCheck, postingLaw, readSegmentList } from './check-postings.ts';
import { SampleCheck } from './check-samples.ts';
import { countsStatement, fingerprintStatement, Problems, STATE, Sums, textStatement } from './findings.ts';
import { type Row, rowsUnder, VersionRows } from './row-walks.ts';

/*
 * Proves an index that nobody uses, in both directions: what one table says of a content another must say too, and
 * nothing else. Each table is read once, in order. What it says is added to a sum of each content, what the other says
 * is taken off (findings.ts): so nothing is looked up.
 *
 *   content                ──> its digest         <── l
 *   content: owner, r      ──> who holds it       <── source: present and past contents
 *   u                      ──> how many hold it   <── source: present and past contents
 *   t                      ──> who samples a host <── source: present contents of those that are live
 *   x                      ──> when it may go     <── source: past contents
 *   content: fingerprints  ──> its postings       <── segments (check-postings.ts); of later contents the record itself
 *   content                ──> its shingle count  <── z, d
 *   source                 ──> its past versions  <── h, side by side
 *
 * with every checksum on the way, and the totals of the last batch against what was counted.
 * Cost: each row is read once; 32 bytes of memory a content.
 */

export type CheckedCounts = Readonly<Record<'sources' | 'contents' | 'postings' | 'versions', number>>;

export interface CheckParts {
  readonly level: LevelDatabase;
  readonly description: IndexDescription;
  readonly rankKey: readonly [number, number];
  /** Of the last batch. */
  readonly totals: Totals;
  readonly progress: (line: string) => void;
}

export class Check {
  private readonly parts: CheckParts;
  private readonly problems = new Problems();
  private readonly table = new ContentTable();
  private readonly sums: Readonly<Record<'postings' | 'digests' | 'holders' | 'counts' | 'pasts', Sums>>;
  private readonly samples: SampleCheck;
  private readonly law: ReturnType<typeof postingLaw>;
  /** Statements of the ids of contents, 0 where there is no record. */
  private readonly ids: Int32Array;
  /** Of contents that no segment holds, those with a row d. */
  private readonly forgottenLater = new Set<number>();
  private readonly counts = { sources: 0, contents: 0, postings: 0, versions: 0 };

  constructor(parts: CheckParts) {
    const { nextContent } = parts.totals;
    const sums = () => new Sums(nextContent);
    this.parts = parts;
    this.law = postingLaw(parts.description);
    this.sums = { postings: sums(), digests: sums(), holders: sums(), counts: sums(), pasts: sums() };
    this.samples = new SampleCheck(parts.description.formatVersion, nextContent, parts.rankKey, this.problems);
    this.ids = new Int32Array(nextContent);
  }

  async run(): Promise<{ problems: string[]; counts: CheckedCounts }> {
    const { problems, counts, sums, table } = this;
    const { level, rankKey, totals, progress } = this.parts;
    const list = await readSegmentList(level, problems);
    const { isPacked } = this.law;
    const index = new PostingCheck({ level, rankKey, problems, list, sums: sums.postings, table, isPacked });
    problems.expect(list.flushedUpTo <= totals.nextContent, 'Segments hold contents that were not given out yet.');
    await index.shingleCounts(totals.nextContent);
    await this.tombstones(list.flushedUpTo);
    progress('Checking segments ...');
    const cuts = await index.segments();
    await this.contents(list.flushedUpTo, cuts);
    await this.namesOfContents();
    await this.sources();
    this.disagreements(sums.postings, 'the postings', 'its record and the segments');
    this.disagreements(sums.digests, 'the digest', 'its record and table l');
    this.disagreements(sums.holders, 'the holders', 'its own rows and the sources');
    if (this.saysCounts) this.disagreements(sums.counts, 'the numbers of holders', 'table u and the sources');
    this.disagreements(this.samples, 'the samples of hosts', 'table t and the sources');
    this.disagreements(sums.pasts, 'the past holders', 'table x and the sources');
    for (const name of ['sources', 'contents', 'postings'] as const) {
      problems.expect(
        totals[name] === counts[name],
        `The totals say ${totals[name]} ${name}; there are ${counts[name]}.`,
      );
    }
    return { problems: problems.sentences, counts };
  }

  private async tombstones(flushedUpTo: number): Promise<void> {
    for await (const [key, value] of this.rowsOf(Table.tombstone)) {
      this.problems.try('A tombstone', () => openNothing(key, value));
      const content = contentOfDeathKey(key);
      if (content < flushedUpTo) this.table.set(content, 0);
      else this.forgottenLater.add(content);
    }
  }

  private async contents(flushedUpTo: number, cuts: Cuts): Promise<void> {
    const { problems, ids } = this;
    for await (const [key, value] of this.rowsOf(Table.content)) {
      const number = numberOfContentKey(key);
      this.counts.contents++;
      const content = problems.try(`Content ${number}`, () => openContent(key, value));
      if (content === undefined) continue;
      problems.expect(number < ids.length, `Content ${number} has a number that was not given out yet.`);
      ids[number] = textStatement(content.id);
      this.sums.digests.add(number, ids[number]);
      this.sums.holders.add(number, textStatement(ownerOf(content)));
      this.sums.counts.add(number, countsStatement(ONE_LIVE));
      this.content(number, content, number < flushedUpTo, cuts);
    }
    for (let number = 0; number < flushedUpTo; number++) {
      if (ids[number] !== 0 || this.table.shingleCount(number) === 0) continue;
      problems.add(`Content ${number} has lost its record.`);
    }
  }

  private content(number: number, content: Content<KeptSample>, isFlushed: boolean, cuts: Cuts): void {
    const { problems } = this;
    const posted = this.law.postedOf(content);
    this.counts.postings += posted.length;
    if (!isFlushed) {
      problems.expect(!this.forgottenLater.has(number), `Content ${number} counts as forgotten, and has a record.`);
      return;
    }
    const said = this.table.shingleCount(number);
    if (said !== presenceOfCount(content.shingleCount)) {
      problems.add(`The shingle count of content ${number} is not the one of its record, or it counts as forgotten.`);
      return;
    }
    for (let i = 0; i < posted.length; i++) this.promise(number, posted[i]!, cuts);
    this.promise(number, this.law.digestKeyOf(content.shingleDigest), cuts);
  }

  private promise(number: number, fingerprint: number, cuts: Cuts): void {
    const cut = cuts.size === 0 ? undefined : cuts.get(fingerprint);
    if (cut !== undefined && positionOf(this.parts.rankKey, fingerprint, number) >= cut) return;
    this.sums.postings.add(number, fingerprintStatement(fingerprint));
  }

  /** What tables l, r, u, t and x say of contents. */
  private async namesOfContents(): Promise<void> {
    const { problems, ids } = this;
    for await (const [key, value] of this.rowsOf(Table.lexicalDigest)) {
      const number = problems.try('A lexical digest', () => openNumber(key, value));
      if (number === undefined) continue;
      this.sums.digests.subtract(number, textStatement(key.slice(1)));
      problems.expect(number < ids.length, 'A lexical digest names a content that is not there.');
    }
    for await (const [key, value] of this.rowsOf(Table.holder)) {
      problems.try('A holder', () => openNothing(key, value));
      this.sums.holders.add(contentOfHolderKey(key), textStatement(urlOfHolderKey(key)));
    }
    for await (const [key, value] of this.saysCounts ? this.rowsOf(Table.holderCounts) : []) {
      const counts = problems.try('How many hold a content', () => openCounts(key, value));
      if (counts === undefined) continue;
      const number = contentOfCountsKey(key);
      problems.expect(number < ids.length && ids[number] !== 0, `Content ${number}, which is not there, has holders.`);
      problems.expect(!needsNoRow(counts), `Content ${number} has a row of holders, and no more than one.`);
      this.sums.counts.add(number, countsStatement(counts) - countsStatement(ONE_LIVE));
    }
    if (this.samples.hasRows) await this.samples.read(this.rowsOf(Table.hostSample));
    for await (const [key, value] of this.rowsOf(Table.past)) {
      problems.try('The row of a past content', () => openNothing(key, value));
      const { content, url, pastSince } = readPastKey(key);
      this.sums.pasts.add(content, textStatement(`${url} ${pastSince}`));
    }
  }

  /** Sources and their past versions, which lie in the same order. */
  private async sources(): Promise<void> {
    const { problems } = this;
    const rows = rowsUnder(this.parts.level, Table.version);
    const versions = new VersionRows(rows, (owner) =>
      problems.add(`There is a version of ${owner.slice(1)}, which is not there.`),
    );
    try {
      for await (const [key, value] of this.rowsOf(Table.source)) {
        this.counts.sources++;
        const url = urlOfSourceKey(key);
        const past = await versions.of(key);
        for (const row of past) problems.try(`A version of ${key.slice(1)}`, () => openVersion(...row));
        const source = problems.try(`Source ${url}`, () => openSource(key, value));
        if (source !== undefined) this.source(key, source, past);
      }
      if ((await versions.peek()) !== undefined) problems.add('There are versions of sources that are not there.');
    } finally {
      await rows.return(undefined);
    }
  }

  private source(key: string, source: SourceRow, past: readonly Row[]): void {
    const { problems, ids } = this;
    const url = urlOfSourceKey(key);
    this.samples.source(key, source);
    this.sums.counts.subtract(source.present.content, STATE[source.state]);
    const versions = 1 + past.length;
    this.counts.versions += versions;
    for (const { content } of [source.present, ...source.past]) {
      problems.expect(content < ids.length, `Source ${url} has content ${content}, which is not there.`);
      this.sums.holders.subtract(content, textStatement(url));
    }
    for (const { content, pastSince } of source.past) {
      this.sums.pasts.subtract(content, textStatement(`${url} ${pastSince}`));
      this.sums.counts.subtract(content, STATE.past);
    }
    const isNamed = textStatement(source.contentId) === ids[source.present.content];
    problems.expect(isNamed, `Source ${url} names another content than it holds.`);
    const said = source.versionCount;
    problems.expect(said === versions, `Source ${url} says that it has ${said} versions; there are ${versions}.`);
    const isNewest = past.length === 0 || timeOfVersionKey(past[0]![0]) < source.since;
    problems.expect(isNewest, `Source ${url} has a past version that is newer than the present one.`);
  }

  /** Whether the index is of a format that has table u. */
  private get saysCounts(): boolean {
    return this.parts.description.formatVersion >= COUNTS_SINCE_FORMAT;
  }

  private disagreements(sums: Pick<Sums, 'disagreements'>, what: string, where: string): void {
    const { count, first } = sums.disagreements();
    if (count === 0) return;
    this.problems.add(`Of ${count} contents, content ${first} first, ${what} differ between ${where}.`);
  }

  private rowsOf(table: string): AsyncGenerator<Row> {
    this.parts.progress(`Checking table ${table} ...`);
    return rowsUnder(this.parts.level, table);
  }
}
