import { postingRank } from '../../core/rank.ts';
import { postedFingerprints } from '../contents.ts';
import type { IndexDescription } from '../port.ts';
import type { Database } from './database.ts';
import {
  contentKey,
  contentOfHolderKey,
  contentOfShingleKey,
  expiryKey,
  holderKey,
  holdersPrefix,
  isPostingKey,
  lexicalKey,
  numberOfContentKey,
  POSTING_VALUE,
  postingKey,
  readPostingKey,
  shingleKey,
  sourceRowOfVersionKey,
  Table,
  under,
  urlOfHolderKey,
  versionKey,
  versionsPrefix,
} from './keys.ts';
import { Problems } from './problems.ts';
import type { Trail } from './trail.ts';
import { openNothing } from './value-bytes.ts';
import { openContent, openDigest, openNumber, openSource, openVersion } from './values.ts';

/*
 * Proves an index that nobody uses, in both directions.
 *
 *   content ──> lexical, shingle, every posting, a holder          every row that another promises is looked up;
 *   source  ──> holders, versions, expiries, its content's number  the rows found are counted: as many as promised,
 *   lexical, shingle, holder, version, expiry ──> counted          so none that nobody promised
 *   posting ──> counted per content, its rank recomputed
 *
 * with every checksum on the way, and the totals of the last batch against what was counted.
 * Cost: each row is read once in order, and looked up once; 4 bytes of memory a content.
 */

export interface CheckedCounts {
  readonly sources: number;
  readonly contents: number;
  readonly postings: number;
  readonly versions: number;
}

type Entry = readonly [key: string, value: Buffer];

const ENTRIES_A_SLICE = 256;

export class Check {
  private readonly database: Database;
  private readonly description: IndexDescription;
  private readonly rankKey: readonly [number, number];
  private readonly progress: (line: string) => void;
  private readonly problems = new Problems();
  /** How many rows of each table are promised by sources and contents. */
  private readonly promised = { holders: 0, versions: 0, expiries: 0, contents: 0, postings: 0, sources: 0 };

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
    const expected = await this.contents(totals.nextContent);
    await this.sources();
    await this.postings(expected);
    await this.others();
    const { sources, contents, postings, versions } = this.promised;
    const counts = { sources, contents, postings, versions };
    for (const name of ['sources', 'contents', 'postings'] as const) {
      const said = totals[name];
      this.problems.expect(said === counts[name], `The totals say ${said} ${name}; there are ${counts[name]}.`);
    }
    return { problems: this.problems.sentences, counts };
  }

  /** @returns for each content the number of its postings */
  private async contents(nextContent: number): Promise<Uint32Array> {
    const postingsOf = new Uint32Array(nextContent);
    await this.eachSlice(Table.content, async (entries) => {
      for (const [key, value] of entries) {
        const number = numberOfContentKey(key);
        this.promised.contents++;
        const content = this.problems.try(`Content ${number}`, () => openContent(key, value));
        if (number >= nextContent) this.problems.add(`Content ${number} has a number that was not given out yet.`);
        if (content === undefined) continue;
        const posted = postedFingerprints(content, this.description.indexModulusMax);
        postingsOf[number] = posted.length;
        this.promised.postings += posted.length;
        const keys = Array.from(posted, (value) => postingKey(value, postingRank(this.rankKey, value, number), number));
        await this.expectAll(`Content ${number}`, 'a posting', keys);
        await this.expectAll(`Content ${number}`, 'its shingle digest', [shingleKey(content.shingleDigest, number)]);
        const lexical = lexicalKey(content.id);
        const found = await this.database.get(lexical);
        const points = found && this.problems.try(`Digest of content ${number}`, () => openNumber(lexical, found));
        this.problems.expect(points === number, `Content ${number} is not found by its digest.`);
        const holder = await this.database.keys(under(holdersPrefix(number), 1));
        this.problems.expect(holder.length === 1, `Content ${number} is held by no source.`);
      }
    });
    return postingsOf;
  }

  private async sources(): Promise<void> {
    await this.eachSlice(Table.source, async (entries) => {
      for (const [key, value] of entries) {
        this.promised.sources++;
        const url = key.slice(key.indexOf('\0') + 1);
        const source = this.problems.try(`Source ${url}`, () => openSource(key, value));
        if (source === undefined) continue;
        const holds = [source.present, ...source.past];
        this.promised.holders += holds.length;
        this.promised.expiries += source.past.length;
        this.promised.versions += source.versionCount;
        const holders = holds.map(({ content }) => holderKey(content, url));
        await this.expectAll(`Source ${url}`, 'a holder', holders);
        const contents = holds.map(({ content }) => contentKey(content));
        await this.expectAll(`Source ${url}`, 'a content', contents);
        const expiries = source.past.map(({ expiresAt, content }) => expiryKey(expiresAt, content, url));
        await this.expectAll(`Source ${url}`, 'an expiry', expiries);
        const lexical = lexicalKey(source.contentId);
        const number = await this.database.get(lexical);
        const points = number && this.problems.try(`Digest of ${url}`, () => openNumber(lexical, number));
        this.problems.expect(points === source.present.content, `Source ${url} names another content than it holds.`);
        const [newest] = await this.database.keys(under(versionsPrefix(url), 1));
        const isPresent = newest === versionKey(url, source.since);
        this.problems.expect(isPresent, `Source ${url} has lost its newest version.`);
      }
    });
  }

  private async postings(expected: Uint32Array): Promise<void> {
    const left = expected.slice();
    await this.eachSlice(Table.posting, async (entries) => {
      for (const [key, value] of entries) {
        if (!isPostingKey(key) || !value.equals(POSTING_VALUE)) {
          this.problems.add('A posting is damaged.');
          continue;
        }
        const { fingerprint, rank, content } = readPostingKey(key);
        if (postingRank(this.rankKey, fingerprint, content) !== rank) {
          this.problems.add(`A posting that names content ${content} has a wrong rank.`);
        } else if (content >= left.length || left[content] === 0) {
          this.problems.add(`A posting names content ${content}, which does not have it.`);
        } else left[content]!--;
      }
    });
    // missing ones were named with their contents
  }

  /** The tables whose rows others promise: every checksum, and as many rows as were promised. */
  private async others(): Promise<void> {
    const { contents, holders, versions, expiries } = this.promised;
    await this.counted(Table.lexicalDigest, 'lexical digests', contents, openNumber);
    await this.counted(Table.shingleDigest, 'shingle digests', contents, openDigest, contentOfShingleKey);
    await this.counted(Table.holder, 'holders', holders, openNothing, contentOfHolderKey, urlOfHolderKey);
    await this.counted(Table.version, 'versions', versions, openVersion, (key) => sourceRowOfVersionKey(key).slice(1));
    await this.counted(Table.expiry, 'expiries', expiries, openNothing);
  }

  private async counted(
    table: string,
    name: string,
    promised: number,
    openRow: (key: string, value: Buffer) => unknown,
    ...tell: ((key: string) => string | number)[]
  ): Promise<void> {
    let count = 0;
    await this.eachSlice(table, async (entries) => {
      for (const [key, value] of entries) {
        count++;
        const what = tell.map((part) => part(key)).join(' of ');
        this.problems.try(`A row of the ${name} (${what})`, () => openRow(key, value));
      }
    });
    this.problems.expect(count === promised, `There are ${count} ${name}; contents and sources promise ${promised}.`);
  }

  private async expectAll(whose: string, what: string, keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    const there = await this.database.read((level) => level.hasMany(keys));
    const missing = there.filter((has) => !has).length;
    if (missing > 0) this.problems.add(`${whose} lacks ${what} (${missing} of ${keys.length}).`);
  }

  private async eachSlice(table: string, work: (entries: Entry[]) => Promise<void>): Promise<void> {
    this.progress(`Checking table ${table} ...`);
    await this.database.read(async (level) => {
      const { gte, lt } = under(table, 0);
      const iterator = level.iterator({ gte, lt });
      try {
        for (;;) {
          const entries = await iterator.nextv(ENTRIES_A_SLICE);
          if (entries.length === 0) return;
          await work(entries);
        }
      } finally {
        await iterator.close();
      }
    });
  }
}
