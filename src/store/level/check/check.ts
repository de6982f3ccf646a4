import { postedFingerprints, shingleDigestKey } from '../../contents.ts';
import type { IndexDescription } from '../../port.ts';
import type { Database } from '../database/database.ts';
import type { LevelDatabase } from '../database/level-handle.ts';
import { openContent, ownerOf } from '../format/content-values.ts';
import {
  contentOfDeathKey,
  contentOfHolderKey,
  numberOfContentKey,
  readPastKey,
  Table,
  under,
  urlOfHolderKey,
} from '../format/keys.ts';
import { openNothing } from '../format/value-bytes.ts';
import { openNumber, openSource, type SourceRow } from '../format/values.ts';
import { ContentTable, presenceOfCount } from '../segments/content-table.ts';
import { positionOf } from '../segments/rows/sort.ts';
import type { Trail } from '../writing/batch-log.ts';
import { type Cuts, PostingCheck } from './check-postings.ts';
import { fingerprintStatement, Sums, textStatement } from './check-sums.ts';
import { type PastVersions, VersionWalk } from './check-versions.ts';
import { Problems } from './found-problems.ts';

/*
 * Proves an index that nobody uses, in both directions: what one table says of a content another must say too, and
 * nothing else. Each table is read once, in order. What it says is added to a sum of each content, what the other says
 * is taken off (check-sums.ts): so nothing is looked up.
 *
 *   content                ──> its digest         <── l
 *   content: owner, r      ──> who holds it       <── source: present and past contents
 *   x                      ──> when it may go     <── source: past contents
 *   content: fingerprints  ──> its postings       <── segments (check-postings.ts); of later contents the record itself
 *   content                ──> its shingle count  <── z, d
 *   source                 ──> its past versions  <── h, side by side
 *
 * with every checksum on the way, and the totals of the last batch against what was counted.
 * Cost: each row is read once; 24 bytes of memory a content.
 */

export interface CheckedCounts {
  readonly sources: number;
  readonly contents: number;
  readonly postings: number;
  readonly versions: number;
}

const ENTRIES_A_STEP = 512;

export class Check {
  private readonly database: Database;
  private readonly description: IndexDescription;
  private readonly rankKey: readonly [number, number];
  private readonly progress: (line: string) => void;
  private readonly problems = new Problems();
  /** Of contents that no segment holds, those with a row d. */
  private readonly forgottenLater = new Set<number>();
  private readonly counts = { sources: 0, contents: 0, postings: 0, versions: 0 };

  constructor(
    database: Database,
    description: IndexDescription,
    rankKey: readonly [number, number],
    progress: (line: string) => void,
  ) {
    this.database = database;
    this.description = description;
    this.rankKey = rankKey;
    this.progress = progress;
  }

  async run({ totals }: Trail): Promise<{ problems: string[]; counts: CheckedCounts }> {
    await this.database.read((level) => this.walk(level, totals.nextContent));
    for (const name of ['sources', 'contents', 'postings'] as const) {
      const [said, is] = [totals[name], this.counts[name]];
      this.problems.expect(said === is, `The totals say ${said} ${name}; there are ${is}.`);
    }
    return { problems: this.problems.sentences, counts: { ...this.counts } };
  }

  private async walk(level: LevelDatabase, nextContent: number): Promise<void> {
    const { problems } = this;
    const postings = new Sums(nextContent);
    const table = new ContentTable();
    const index = new PostingCheck(level, this.rankKey, problems, postings, table);
    const list = await index.segmentList();
    problems.expect(list.flushedUpTo <= nextContent, 'Segments hold contents that were not given out yet.');
    await index.shingleCounts(list, nextContent);
    await this.tombstones(level, table, list.flushedUpTo);
    this.progress('Checking segments ...');
    const cuts = await index.segments(list);
    const digests = new Sums(nextContent);
    const holders = new Sums(nextContent);
    const ids = new Int32Array(nextContent);
    await this.each(level, Table.content, (key, value) => {
      const number = numberOfContentKey(key);
      this.counts.contents++;
      const content = problems.try(`Content ${number}`, () => openContent(key, value));
      if (content === undefined) return;
      if (number >= nextContent) problems.add(`Content ${number} has a number that was not given out yet.`);
      ids[number] = textStatement(content.id);
      digests.add(number, ids[number]);
      holders.add(number, textStatement(ownerOf(content)));
      this.content(number, content, postings, table, number < list.flushedUpTo, cuts);
    });
    for (let number = 0; number < list.flushedUpTo; number++) {
      const isLost = ids[number] === 0 && table.shingleCount(number) !== 0;
      if (isLost) problems.add(`Content ${number} has lost its record.`);
    }
    await this.each(level, Table.lexicalDigest, (key, value) => {
      const number = problems.try('A lexical digest', () => openNumber(key, value));
      if (number === undefined) return;
      digests.subtract(number, textStatement(key.slice(1)));
      problems.expect(number < nextContent, 'A lexical digest names a content that is not there.');
    });
    await this.each(level, Table.holder, (key, value) => {
      problems.try('A holder', () => openNothing(key, value));
      holders.add(contentOfHolderKey(key), textStatement(urlOfHolderKey(key)));
    });
    const pasts = new Sums(nextContent);
    await this.each(level, Table.past, (key, value) => {
      problems.try('The row of a past content', () => openNothing(key, value));
      const { content, url, pastSince } = readPastKey(key);
      pasts.add(content, textStatement(`${url} ${pastSince}`));
    });
    await this.sources(level, holders, pasts, ids);
    this.disagreements(postings, 'the postings', 'its record and the segments');
    this.disagreements(digests, 'the digest', 'its record and table l');
    this.disagreements(holders, 'the holders', 'its own rows and the sources');
    this.disagreements(pasts, 'the past holders', 'table x and the sources');
  }

  private async tombstones(level: LevelDatabase, table: ContentTable, flushedUpTo: number): Promise<void> {
    await this.each(level, Table.tombstone, (key, value) => {
      this.problems.try('A tombstone', () => openNothing(key, value));
      const content = contentOfDeathKey(key);
      if (content < flushedUpTo) table.set(content, 0);
      else this.forgottenLater.add(content);
    });
  }

  private content(
    number: number,
    content: ReturnType<typeof openContent>,
    sums: Sums,
    table: ContentTable,
    isFlushed: boolean,
    cuts: Cuts,
  ): void {
    const { problems } = this;
    const posted = postedFingerprints(content, this.description.indexModulusMax);
    this.counts.postings += posted.length;
    if (!isFlushed) {
      problems.expect(!this.forgottenLater.has(number), `Content ${number} counts as forgotten, and has a record.`);
      return;
    }
    const said = table.shingleCount(number);
    if (said !== presenceOfCount(content.shingleCount)) {
      problems.add(`The shingle count of content ${number} is not the one of its record, or it counts as forgotten.`);
      return;
    }
    for (let i = 0; i < posted.length; i++) this.promise(number, posted[i]!, sums, cuts);
    this.promise(number, shingleDigestKey(content.shingleDigest), sums, cuts);
  }

  private promise(number: number, fingerprint: number, sums: Sums, cuts: Cuts): void {
    const cut = cuts.size === 0 ? undefined : cuts.get(fingerprint);
    if (cut !== undefined && positionOf(this.rankKey, fingerprint, number) >= cut) return;
    sums.add(number, fingerprintStatement(fingerprint));
  }

  /** Sources and their past versions, which lie in the same order. */
  private async sources(level: LevelDatabase, holders: Sums, pasts: Sums, ids: Int32Array): Promise<void> {
    const versions = new VersionWalk(level, this.problems);
    try {
      this.progress('Checking table s ...');
      await this.eachStep(level, Table.source, async (entries) => {
        for (const [key, value] of entries) {
          this.counts.sources++;
          const url = key.slice(key.indexOf('\0') + 1);
          const past = await versions.of(key);
          const source = this.problems.try(`Source ${url}`, () => openSource(key, value));
          if (source !== undefined) this.source(url, source, past, holders, pasts, ids);
        }
      });
      await versions.end();
    } finally {
      await versions.close();
    }
  }

  private source(
    url: string,
    source: SourceRow,
    past: PastVersions,
    holders: Sums,
    pasts: Sums,
    ids: Int32Array,
  ): void {
    const { problems } = this;
    const versionCount = 1 + past.count;
    this.counts.versions += versionCount;
    for (const { content } of [source.present, ...source.past]) {
      if (content >= ids.length) problems.add(`Source ${url} has content ${content}, which is not there.`);
      holders.subtract(content, textStatement(url));
    }
    for (const { content, pastSince } of source.past) pasts.subtract(content, textStatement(`${url} ${pastSince}`));
    const isNamed = textStatement(source.contentId) === ids[source.present.content];
    problems.expect(isNamed, `Source ${url} names another content than it holds.`);
    const said = source.versionCount;
    problems.expect(
      said === versionCount,
      `Source ${url} says that it has ${said} versions; there are ${versionCount}.`,
    );
    problems.expect(past.newest < source.since, `Source ${url} has a past version that is newer than the present one.`);
  }

  private disagreements(sums: Sums, what: string, where: string): void {
    const { count, first } = sums.disagreements();
    if (count === 0) return;
    this.problems.add(`Of ${count} contents, content ${first} first, ${what} differ between ${where}.`);
  }

  private async each(level: LevelDatabase, table: string, work: (key: string, value: Buffer) => void): Promise<void> {
    this.progress(`Checking table ${table} ...`);
    await this.eachStep(level, table, async (entries) => {
      for (const [key, value] of entries) work(key, value);
    });
  }

  private async eachStep(
    level: LevelDatabase,
    table: string,
    work: (entries: [string, Buffer][]) => Promise<void>,
  ): Promise<void> {
    const { gte, lt } = under(table, 0);
    const iterator = level.iterator<string, Buffer>({ gte, lt, fillCache: false, highWaterMarkBytes: 1 << 20 });
    try {
      for (;;) {
        const entries = await iterator.nextv(ENTRIES_A_STEP);
        if (entries.length === 0) return;
        await work(entries);
      }
    } finally {
      await iterator.close();
    }
  }
}
