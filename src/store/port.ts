import type { OverlapEvidence } from '../core/compare/evidence.ts';
import type { LookUps, LookUpThresholds } from '../core/query/look-up.ts';
import type { OverlapCut } from '../core/query/overlap-cut.ts';
import type { Sample } from '../core/sketch/modulus.ts';
import type { ComparedSample, KeptSample } from '../core/sketch/narrow.ts';

/**
 * What the service asks of an index, whatever keeps it: LevelDB here, or an engine in another process or of many machines.
 *
 * Whatever goes in or comes out is plain data, which a structured clone takes whole: no function, no object of a class,
 * no signal. Errors go as code, message, field, limit and seconds. Of the properties, `description` never changes.
 * Whoever stands for a store in another process learns the others with every answer. Nothing is cancelled: whoever no
 * longer waits for an answer leaves it unread.
 *
 * Contents are immutable and named by what they say and what of it is their main text; sources point at them. A write is a
 * whole plan: one document, all of it or nothing, idempotent. `apply` resolves when the plan is durable (`durability`) and
 * visible to the next read.
 * Plans of one caller are applied in the order in which they were handed over.
 * The store has no clock: every time comes with the plan.
 */
export interface Store {
  readonly description: IndexDescription;
  /**
   * Applies a plan. Where as many plans wait as may, it is refused with `write-queue-full`, after waiting for room where
   * the options say so. `storage-full` where the disk refuses: nothing of the plan is written then, reads go on.
   */
  apply(plan: WritePlan, options?: ApplyOptions): Promise<WriteOutcome>;
  /** The contents that may be matches of a query, with their records: its twins, and what shares looked-up fingerprints. */
  candidates(query: CandidateQuery): Promise<CandidateSet>;
  /** The contents that may be matches of any of many queries and are not known yet: all of one moment. */
  neighbours(query: NeighbourQuery): Promise<NeighbourSet>;
  /**
   * Names what {@link candidates} may find: while it is the same, no content has come, and some may have gone. A name means
   * something only beside others of this object.
   */
  edition(): Promise<string>;
  content(id: ContentId): Promise<Content<KeptSample> | undefined>;
  /** The same without its sample, which may be a megabyte. */
  contentHead(id: ContentId): Promise<ContentHead | undefined>;
  source(url: string): Promise<Source | undefined>;
  /**
   * What is known of many URLs, all of one moment, in one read of many rows. The i-th answer is of the i-th URL:
   * undefined where the URL is not there, `unreadable` where what is there cannot be trusted. The others are answered
   * all the same.
   */
  getMany(urls: readonly string[]): Promise<readonly (KnownSource | 'unreadable' | undefined)[]>;
  /** Dated versions of a source, newest first, at most `limit`, those observed before `before` (ms) where given. */
  versions(url: string, page: { limit: number; before?: number }): Promise<readonly Version[]>;
  /**
   * Sources that hold a content, ordered by their keys (reversed host, then URL), after `after` where given. They are found
   * sooner by a locator.
   */
  holders(of: ContentRef, page: { limit: number; after?: string }): Promise<readonly Holder[]>;
  /**
   * How many sources hold a content, exactly, whatever their number; none where the content is not there.
   *
   * @param except normalised URLs of sources that are not counted
   */
  holderCounts(of: ContentRef, except: readonly string[]): Promise<HolderCounts>;
  /**
   * The contents that stand for a host: those of at most HOST_SOURCES_MAX of its live sources (store/host-sample.ts), each
   * once, in the order of the hashes of their sources. They follow from the set of sources alone. Of contents of very many
   * values some are enough.
   *
   * @param host as normalised URLs name it
   * @param known the name of a sample that the caller has the contents of, or null
   */
  hostContents(host: string, known: string | null): Promise<HostContents>;
  /**
   * Sources in the order of their keys (reversed host, then URL), a page at a time. Pages are of no one moment: what is
   * written meanwhile may be in them or not; what is there all the time is, once. At most `versionsMax` versions of each
   * are told, newest first; 0 = none.
   */
  sources(range: SourceRange, options: { versionsMax: number }): Promise<SourcePage>;
  /** The same, but only their URLs: those of rows that cannot be read are among them. */
  sourceUrls(range: SourceRange): Promise<UrlPage>;
  /**
   * Forgets that a source had a content whose retention has run out by `now` (ms), and contents that nobody holds any
   * more. At most `limit` holders are looked at; `forgotten` counts contents.
   */
  sweep(now: number, limit: number): Promise<SweepOutcome>;
  /** When the newest content came that is still there, ms since 1970; null where there is none. */
  newestContentAt(): Promise<number | null>;
  stats(): Promise<StoreStats>;
  /**
   * Makes durable all that was acknowledged with `relaxed`, but for what was lost since: whoever asks looks at
   * {@link relaxedLosses}. @throws ShingledError `storage-full` where the disk refuses
   */
  sync(): Promise<void>;
  /** How often writes were lost that had been acknowledged with `relaxed`, since the store was opened. */
  readonly relaxedLosses: number;
  /**
   * Makes what is kept in memory so that questions are answered sooner, which else the first question begins. Resolves when
   * it is made, or the store is closed. Never throws.
   */
  warm(): Promise<void>;
  /** Frees the room of what was forgotten: nothing of it is left on disk afterwards. Reads and writes go on. */
  compact(): Promise<void>;
  /**
   * Takes a consistent copy under a name of the caller's, in the configured folder. Queries go on, writes wait for a moment.
   * @throws ShingledError `backup-exists`, `backup-not-configured`, `invalid-request`,
   * `overloaded` where writes would have waited too long, `index-unreadable` where a file is missing or cut, `storage-full`
   */
  backup(name: string): Promise<BackupOutcome>;
  /** The backups of the configured folder. @throws ShingledError `backup-not-configured`, `invalid-config` */
  backups(): Promise<BackupList>;
  /** False from the first write that the disk refused until one succeeds again. */
  readonly writable: boolean;
  /** True after something was met that cannot be trusted; `stats` says what. */
  readonly damaged: boolean;
  /** Waits for writes under way, then closes. Idempotent. */
  close(): Promise<void>;
}

/** What a query needs of an index: another thread may answer by it. */
export type ReadStore = Pick<
  Store,
  | 'description'
  | 'candidates'
  | 'neighbours'
  | 'edition'
  | 'content'
  | 'contentHead'
  | 'source'
  | 'getMany'
  | 'versions'
  | 'holders'
  | 'holderCounts'
  | 'hostContents'
>;

export interface ApplyOptions {
  /** Whose write it is: callers have lines of their own before the disk. The index's own work has no name, the default. */
  readonly caller?: string;
  /** How long a plan may wait for room in a full queue, ms; 0 = not at all, the default. For bulk loads. */
  readonly roomWaitMs?: number;
  /**
   * Acknowledge when the plan is written and visible, before it is synced: a power cut may take it, until {@link Store.sync}.
   * For bulk loads that can be repeated.
   */
  readonly relaxed?: boolean;
}

/**
 * 32 lowercase hex digits: a keyed digest of the words of a content and of which of its shingles are main. Where all are, or
 * it is not known which, it is the digest of the words alone.
 */
export type ContentId = string;

/** What an index was made with. Everything but `createdAt` and `indexId` must equal the running settings. */
export interface IndexDescription {
  readonly formatVersion: number;
  readonly indexId: string;
  readonly keyId: string;
  readonly fingerprintId: string;
  readonly shingleSize: number;
  readonly indexModulusMax: number;
  readonly recordModulusMax: number;
  readonly createdAt: number;
}

/** What is known of a content beside its sample. */
export interface ContentHead {
  readonly id: ContentId;
  /** 32 lowercase hex digits. */
  readonly shingleDigest: string;
  readonly tokenCount: number;
  readonly shingleCount: number;
  /** What of it is its main text: null where all of it is. `not-read`: its record is from before format 8. */
  readonly main: MainPart | 'not-read' | null;
  /** When the plan was received that brought it, ms since 1970. */
  readonly createdAt: number;
}

/** The main text of a content, where it is a part of it. */
export interface MainPart {
  /** Its distinct shingles: 1 or more, and fewer than the content has. */
  readonly shingleCount: number;
  /** 32 lowercase hex digits, of all words of the content: the same where the words are, whatever is main. */
  readonly lexicalDigest: string;
}

/** The digest of the words of a content: the same for all that say the same, whatever of it is main. */
export const lexicalDigestOf = ({ id, main }: Pick<ContentHead, 'id' | 'main'>): string =>
  main === null || main === 'not-read' ? id : main.lexicalDigest;

/** With a bit for each value of the sample beside it, in its order: core/sketch/main-marks.ts. */
export interface MarkedPart extends MainPart {
  readonly bits: Uint8Array;
}

/** Which content is meant. */
export interface ContentRef {
  readonly id: ContentId;
  /**
   * Where it is, in words of the store that only the store reads: as it told them of a {@link Content}, maybe long ago.
   */
  readonly locator?: string | undefined;
}

/**
 * A content, with as much of its sample as a step needs, which may be a megabyte:
 *
 * - Sample: of a plan, m(n; recordModulusMax, 512). Its part at m(n; indexModulusMax, 32) gets postings
 * - KeptSample: what the index keeps of that (store/contents.ts)
 * - ComparedSample: what is compared of that, of each of hundreds that a query meets
 */
export interface Content<Of extends Sample | ComparedSample = ComparedSample> extends ContentHead, ContentRef {
  readonly sample: Of;
  readonly main: MarkedPart | 'not-read' | null;
}

/** A content as a plan brings it. */
export interface NewContent extends Content<Sample> {
  readonly main: MarkedPart | null;
}

export type SourceState = 'live' | 'gone';

/** JSON that the user keeps beside a source; at most `metaBytesMax` bytes as text. */
export type Meta = { readonly [key: string]: unknown };

export interface Source {
  /** The normalised URL: the name of the source. */
  readonly url: string;
  /** The URL as the caller first spelled it. */
  readonly spelling: string;
  readonly state: SourceState;
  readonly contentId: ContentId;
  readonly httpStatus: number | null;
  /** When a document was first and last seen here, with any content; ms since 1970. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  /** The newest observation, of a document or of its absence: what is older goes into the history. */
  readonly observedAt: number;
  /** Keyed digest of the exact bytes and how they were read, 32 hex digits. */
  readonly bytesDigest: string;
  readonly finalUrl: string | null;
  readonly title: string | null;
  readonly language: string | null;
  readonly meta: Meta | null;
}

/** Which sources are listed: all of them, or those for which all that is given holds. */
export interface SourceRange {
  /** Of this host, as normalised URLs name it. */
  readonly host?: string | undefined;
  /** Of hosts below it, too. */
  readonly subdomains?: boolean | undefined;
  /** Whose normalised URL begins so; of http and https the host is whole. */
  readonly prefix?: string | undefined;
  /** Which come after this URL in the order, whether it is there or not. */
  readonly after?: string | undefined;
  /** At most so many, 1 or more. */
  readonly limit: number;
}

interface Page {
  /**
   * The URL after which the next page begins; null where this is the last. A page may have fewer than its limit without being
   * the last, where they are large.
   */
  readonly after: string | null;
}

export interface SourcePage extends Page {
  readonly listed: readonly ListedSource[];
}

export interface ListedSource {
  readonly url: string;
  /** null where what is there cannot be trusted. */
  readonly source: Source | null;
  readonly versions: readonly Version[];
}

export interface UrlPage extends Page {
  readonly urls: readonly string[];
}

/** A source, and its present content as far as it is compared. */
export interface KnownSource {
  readonly source: Source;
  readonly content: Content;
}

/**
 * What a source was from a moment on, until something else was seen. The same bytes again, or gone again, make no new version;
 * the newest version is always the present one. Of a gone one, content and bytes are those that were there before; null where
 * nothing is known of before. The same sightings make the same versions, in whichever order they are told.
 */
export interface Version {
  readonly observedAt: number;
  /** When it was last seen before something else was: observedAt where that was once. */
  readonly lastSeen: number;
  readonly state: SourceState;
  readonly httpStatus: number | null;
  readonly contentId: ContentId | null;
  /** False once the content itself was forgotten. */
  readonly contentKept: boolean;
  readonly bytesDigest: string | null;
  /**
   * What the next older of the versions that were asked for (A) shares with it (B). It is told by samples that follow from
   * their contents alone (core/sketch/version-sketch.ts).
   *
   * null: there is none, or both have one content, or one of them is from before format 6 and forgotten.
   */
  readonly overlap: OverlapEvidence | null;
  /**
   * Whether it is live and has the words of the next older one. Its content may be another all the same: then what is main of
   * it has changed.
   */
  readonly hasSameWords: boolean;
  /** Whether it is live and has other words, though its main text is that of the next older one (store/contents.ts). */
  readonly hasSameMain: boolean;
}

/** How the present version of a source came about, where other words were there before. */
export interface VersionChange {
  /** When the version before was seen last, ms, and its content. */
  readonly since: number;
  readonly from: ContentId;
  /** A is the version before, B this one. */
  readonly evidence: OverlapEvidence;
}

/** One source of a content: `past` where the source has moved on to another content since. */
export interface Holder {
  readonly url: string;
  readonly state: SourceState | 'past';
  /** When the source was first and last seen with this content. */
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly bytesDigest: string;
  readonly title: string | null;
  readonly language: string | null;
  readonly meta: Meta | null;
  /** When the source was first seen, with whichever content. */
  readonly knownSince: number;
  /**
   * Other contents that the source is known to have shown before this one. Those count that it still holds. Where its
   * present version tells of a change, there is 1 at the least.
   */
  readonly contentsBefore: number;
  /** How its present version came about; null where that is not known, and of a past content. */
  readonly change: VersionChange | null;
  /** Where its last answer came from; null where that is not known, and of a past content. */
  readonly finalUrl: string | null;
}

/** How many sources hold a content, by their state. */
export type HolderCounts = Readonly<Record<Holder['state'], number>>;

/** What stands for a host. */
export interface HostContents {
  /** Names them, in words of the store: while the name is the same, so are they. */
  readonly sample: string;
  /** null if the caller has them. */
  readonly contents: readonly Content[] | null;
  /** Sources and contents of the sample that cannot be trusted and were left out. */
  readonly unreadable: number;
}

interface PlanTimes {
  readonly url: string;
  /** When the document was seen, ms; at most receivedAt + 24 h (the service refuses more). null: now (dated.ts). */
  readonly observedAt: number | null;
  /** When the plan was made, ms: the store's only notion of now. */
  readonly receivedAt: number;
}

/** A document was seen at a URL. */
export interface PutPlan extends PlanTimes {
  readonly kind: 'put';
  readonly spelling: string;
  readonly bytesDigest: string;
  readonly content: NewContent;
  readonly httpStatus: number | null;
  readonly finalUrl: string | null;
  readonly title: string | null;
  readonly language: string | null;
  /** null leaves what is there. */
  readonly meta: Meta | null;
}

/** A source was seen to say what another one said, or itself: no more is known of it than that. */
export interface SamePlan extends PlanTimes {
  readonly kind: 'same';
  readonly spelling: string;
  /** The source that said it, and when, ms; null: at `observedAt`, or as it says now. */
  readonly as: string;
  readonly asAt: number | null;
  /** null where it is not known: as it was. */
  readonly httpStatus: number | null;
}

/** The URL was seen, or told, to be gone (404, 410). Its content stays findable. */
export interface GonePlan extends PlanTimes {
  readonly kind: 'gone';
  readonly httpStatus: number;
}

/** Forget the source, all its versions, and every content that nobody else holds. */
export interface DeletePlan {
  readonly kind: 'delete';
  readonly url: string;
  readonly receivedAt: number;
}

export type WritePlan = PutPlan | SamePlan | GonePlan | DeletePlan;

/**
 * What a plan came to:
 *
 * - created: a new source
 * - updated: its words changed
 * - unchanged: the same words (or bytes) again
 * - back: the same, after it was gone
 * - history: older than the present, entered in the history only
 * - gone, deleted: as asked
 * - unknown: gone or delete of a URL that is not there; the same as one of which nothing is known of then
 */
export type WriteStatus = 'created' | 'updated' | 'unchanged' | 'back' | 'history' | 'gone' | 'deleted' | 'unknown';

export interface WriteOutcome {
  readonly status: WriteStatus;
  /** The content of the source after the plan; null where the plan is unknown, or the source is not there. */
  readonly contentId: ContentId | null;
  /** Whether this plan brought the content into the index: then it was created when the plan was received. */
  readonly contentIsNew: boolean;
  /** Whether the source holds the content of the plan now: not where that is an older one that is not worth keeping. */
  readonly contentKept: boolean;
  /** When the document counts as seen, ms. */
  readonly observedAt: number;
}

export interface SweepOutcome {
  readonly examined: number;
  readonly forgotten: number;
}

/** What is looked up, and what a content must share at the least for its record to be read (core/query/overlap-needed.ts). */
export interface CandidateQuery extends LookUps {
  readonly thresholds: LookUpThresholds;
  /** Where undecided matches are asked for, the modulus of the query's sample; else null. */
  readonly undecidedAt: number | null;
  /** At most so many candidates are returned with their records. */
  readonly candidatesMax: number;
  /**
   * Contents with this very set of shingles (twins) are candidates whatever they share. Where there are more than a
   * posting list keeps (K), they are those that it would keep by rank.
   */
  readonly shingleDigest: string | null;
  /** Whether posting lists are read as far as they are kept, beyond their first K (store/list-depth.ts); else not. */
  readonly isDeep?: boolean;
  /** Where given, no more candidates are returned once their samples have so many values together: `cut` tells. */
  readonly valuesMax?: number;
  /** So many of those that `cut` leaves out are drawn at the most; none where not given. */
  readonly drawnMax?: number;
  /** Where given, no more are drawn once their samples have so many values together. */
  readonly drawnValuesMax?: number;
}

export interface Candidate {
  readonly record: Content;
  /** Looked-up fingerprints found in lists that were read to their end. */
  readonly overlap: number;
  /** Looked-up fingerprints found among the first K of longer lists. */
  readonly cappedOverlap: number;
}

export interface CandidateSet {
  /**
   * Twins first, then what has the overlap it needs; either ordered by overlap, then cappedOverlap, then a keyed hash
   * of content and query (core/query/rank.ts); at most candidatesMax together.
   */
  readonly candidates: readonly Candidate[];
  /** Distinct contents that shared any key or are twins, returned or not. */
  readonly found: number;
  /** Those of them that have less overlap than they need: their records were not read. And the most that any of these has. */
  readonly passedOver: number;
  readonly passedOverHits: number;
  /** Where candidatesMax or valuesMax cut them; null where all are returned that have the overlap they need. */
  readonly cut: OverlapCut | null;
  /** Records of some that `cut` leaves out, each as likely as any other, whatever it shares. */
  readonly drawn: readonly Content[];
  /** Whether there are twins that were not read: beyond what is read of a list, or beyond candidatesMax. */
  readonly twinsCut: boolean;
  /** What was read of the i-th key's list: 1 all of it, 0 it cannot be read, else the part of its contents, estimated. */
  readonly shares: Float64Array;
  /** Values that could not be trusted and were left out: the answer is not complete. */
  readonly unreadable: number;
}

/** What is looked up of many contents that are near each other, so that lists which they share are read once. */
export interface NeighbourQuery {
  readonly lookUps: readonly (LookUps & Pick<CandidateQuery, 'shingleDigest'>)[];
  readonly thresholds: LookUpThresholds;
  /** Contents that are not wanted any more, of which no record is read. They are told apart by their locators. */
  readonly known: readonly ContentRef[];
  /** At most so many records are returned, and none more once they have so many values together. */
  readonly recordsMax: number;
  readonly valuesMax: number;
}

export interface NeighbourSet {
  /** Distinct, in no order that means anything. Some that are known may be among them. */
  readonly contents: readonly Content<KeptSample>[];
  /** Contents with the overlap that they need whose records were not returned. */
  readonly leftOut: number;
  /** For each of the look-ups: what was read of the i-th key's list, and whether there are twins that were not read. */
  readonly read: readonly Pick<CandidateSet, 'shares' | 'twinsCut'>[];
  /** Values that could not be trusted and were left out. */
  readonly unreadable: number;
}

export interface StoreStats {
  readonly sources: number;
  readonly contents: number;
  readonly postings: number;
  /** Bytes on disk, and how many are free; null where the system does not tell. */
  readonly diskBytes: number | null;
  readonly freeBytes: number | null;
  /** Plans waiting for the committer and how long the oldest waits. */
  readonly queued: number;
  readonly queueAgeMs: number;
  /** How postings are kept and what takes memory; null where the index cannot be read for now. */
  readonly index: IndexStats | null;
  /** What was met that cannot be trusted; of very much the first. */
  readonly damage: readonly DamagedPart[];
}

/** Something of an index that cannot be trusted. */
export interface DamagedPart {
  /** The file of the database, where it is known which one. */
  readonly file: string | null;
  readonly problem: string;
}

/** What of an index takes memory. */
export type MemoryPart =
  | 'contentTable'
  | 'knownKeys'
  | 'holders'
  | 'tail'
  | 'images'
  | 'filters'
  | 'families'
  | 'level';

export interface IndexStats {
  readonly segments: number;
  /** Postings of segments, those of forgotten contents among them until a merge drops them. */
  readonly segmentPostings: number;
  readonly tailContents: number;
  readonly tailPostings: number;
  /** Contents forgotten since their page of shingle counts was written. */
  readonly forgotten: number;
  readonly merging: boolean;
  /** The longest posting lists of segments: how many contents each has, estimated where it was cut; no fingerprint. */
  readonly longestLists: readonly number[];
  /** Of table files, about; what is in logs is not among them. */
  readonly bytesByKind: Readonly<Record<'sources' | 'records' | 'digests' | 'postings' | 'shingleCounts', number>>;
  readonly memoryBytes: Readonly<Record<MemoryPart, number>>;
  /** About how many bytes of images of posting lists are still to be made: until then, those lists are read from LevelDB. */
  readonly imageBytesLeft: number;
}

export interface BackupOutcome {
  /** Its folder. */
  readonly path: string;
  readonly createdAt: string;
  readonly files: number;
  readonly bytes: number;
  /** Of the files those that share their bytes with the index. */
  readonly linkedFiles: number;
  readonly writesWaitedMs: number;
  readonly elapsedMs: number;
}

/** A backup of the configured folder, by what can be said without reading all of it. */
export interface BackupEntry {
  readonly name: string;
  /** null, as what follows, where the backup does not say. */
  readonly createdAt: string | null;
  readonly bytes: number | null;
  readonly files: number | null;
  readonly documents: number | null;
  /** Verified: proven by a check. Damaged: a file is missing or of another size. */
  readonly state: 'verified' | 'unverified' | 'damaged';
  readonly verifiedAt: string | null;
  /** What is damaged. */
  readonly problem: string | null;
}

export interface BackupList {
  /** The newest first. */
  readonly backups: readonly BackupEntry[];
  /** How many there are beside those. */
  readonly more: number;
}

/** What to do about an index that is damaged, and about a backup. */
export const DAMAGE_ADVICE =
  'Stop the service. Then restore a backup into an empty folder ("shingled restore <backup>"), or rebuild what can be read ("shingled repair").';
export const BACKUP_ADVICE =
  'Take another backup ("shingled backup <folder>", or POST /admin/backup); "shingled backups" lists the others.';
