import type { PrintedShare, ShareDecision } from '../core/compare/shares.ts';
import type { PartShare } from '../core/composition/part-share.ts';
import type { Recall } from '../core/query/recall.ts';
import type { ErrorDetails, ShingledError } from '../errors.ts';
import type { WrittenJson } from '../json/written-json.ts';
import type {
  BackupList,
  BackupOutcome,
  DamagedPart,
  Holder,
  IndexDescription,
  IndexStats,
  Meta,
  Source,
  SourceState,
  StoreStats,
  WriteStatus,
} from '../store/port.ts';
import type { DocumentInput } from '../workers/port.ts';
import type { Differences, Explanation } from './comparison-api.ts';

/*
 * The shapes of every use (service.ts): what http (and cli) hand to it, already validated, and what comes back, ready to be
 * printed. Shares are 0..1, of 6 significant digits (low rounded down, high up; 0 and 1 only where they are meant).
 */

export type DocumentBody = Pick<DocumentInput, 'bytes' | 'contentType'>;

/** Which elements of a document count; null: no choice. */
type Elements = Pick<DocumentInput, 'select' | 'remove'>;

/** A document as a caller names it: by its body, or by its URL. */
export interface DocumentReference extends Elements {
  readonly url: string | null;
  readonly body: DocumentBody | null;
  /** A version of the URL, of those that the index knows; null = what it says now. */
  readonly at: VersionWish | null;
  /** Where its fields stand in what the caller sent, with a dot behind: `document.`. At the top where not given. */
  readonly field?: string;
}

/** A version of a URL: the one that held at a moment (ms since 1970), or the newest with a content. */
export type VersionWish = { readonly ms: number } | { readonly content: string };

export type Direction = 'resemblance' | 'queryInMatch' | 'matchInQuery';

/** A share in 0..1 at which a match counts, or null: that direction is not looked for. */
export type Thresholds = Readonly<Record<Direction, number | null>>;

/** Whether a URL is fetched: where the index does not know it (`auto`), not at all, or whatever the index knows. */
export type FetchWish = 'auto' | 'never' | 'always';

/**
 * By which figures thresholds go:
 *
 * - page: those of whole documents
 * - main: those of main texts, less what the pages of a host have in common
 * - auto: the latter where both documents have such a content, else those of the page
 */
export type ContentWish = 'page' | 'main' | 'auto';

/**
 * Why nothing is told of two contents beside what is told of the pages:
 *
 * - not-read: the index knew one of them before main texts were read
 * - too-little: fewer than 20 shingles of one are left
 * - whole: all of both documents is their content
 * - deadline: there was no time to read templates
 */
export type ContentUnknown = 'not-read' | 'too-little' | 'whole' | 'deadline';

/** What a content was told from. */
export interface ToldContent {
  readonly main: 'read' | 'whole' | 'not-read';
  /** How many pages of its host the template is made of that was taken off, and how many shingles that has, about. */
  readonly template: { readonly pages: number; readonly shingles: number } | null;
}

/** Whether there is a content, or why not, and by which figures thresholds go. */
export interface ContentFigures<Figures> {
  readonly content: Figures | null;
  /** Present where `content` is null: why. */
  readonly contentUnknown?: ContentUnknown;
  /** Present where not only the page was asked for: by which figures thresholds go; null where either has no content. */
  readonly decidedBy?: 'page' | 'content' | null;
}

/** The figures of two contents in hand. */
export interface ComparedContents extends Readonly<Record<PairShare, EstimatedShare>> {
  /** What each was told from, and its distinct shingles, an estimate where a template was taken off. */
  readonly a: ToldContent & { readonly shingles: number };
  readonly b: ToldContent & { readonly shingles: number };
}

/** The figures of two contents. */
export interface ContentShares extends Readonly<Record<Direction, EstimatedShare>> {
  /** Distinct shingles of the content of the match, an estimate where a template was taken off. */
  readonly shingles: number;
  readonly query: ToldContent;
  readonly match: ToldContent;
}

export interface OnlySources {
  /** Of these hosts, their subdomains not among them. */
  readonly hosts: readonly string[] | null;
  /** Whose normalised URL begins with this, normalised too. */
  readonly urlPrefix: string | null;
  /** Whose meta has all of these keys with these values. */
  readonly meta: Meta | null;
  /** Seen later than this with the content that matches, ms since 1970. */
  readonly seenAfter: number | null;
}

export interface MatchOptions {
  readonly thresholds: Thresholds;
  readonly content: ContentWish;
  readonly limit: number;
  readonly cursor: string | null;
  readonly sort: Direction;
  readonly sourcesPerMatch: number;
  /** `host`: each host once, at the best match that has it; sourceCount counts hosts that no match before has. */
  readonly groupBy: 'host' | null;
  readonly include: readonly Holder['state'][];
  readonly exclude: { readonly hosts: readonly string[]; readonly urls: readonly string[] };
  /** Which sources count, beside `include` and `exclude`; null: any. */
  readonly only: OnlySources;
  readonly passages: boolean;
  /** `include` returns matches whose interval reaches a threshold that the estimate misses. */
  readonly undecided: 'exclude' | 'include';
  /** Every copy, as far as the index can tell, page by page, and on the last page the hosts that have them. */
  readonly thorough: boolean;
  /** For a document that is named by its URL alone. */
  readonly fetch: FetchWish;
  /** null: 1,000 ms from when the documents are at hand, after as long as fetching may take. */
  readonly deadlineMs: number | null;
}

/** One estimated share with its 95 % interval. */
export type EstimatedShare = PrintedShare;

/** One share computed from both whole documents. */
export interface ExactShare {
  readonly exact: number;
  /** null where no threshold was asked for. */
  readonly decision: ShareDecision | null;
}

export type Equivalence = 'identical' | 'lexical' | 'shingle' | 'none';

export interface QueryDescription extends Pick<ContentDescription, 'kind' | 'tokens' | 'shingles' | 'short'> {
  readonly from: 'body' | 'index' | 'fetch';
  readonly url: string | null;
  readonly fingerprintId: string;
  /** The version, where one was asked for. */
  readonly version?: VersionAnswer;
}

export interface MatchSource extends Pick<Holder, 'url' | 'state'> {
  /** Whether the bytes are the very bytes of the query. */
  readonly identical: boolean;
  /** RFC 3339, UTC. */
  readonly firstSeen: string;
  readonly lastSeen: string;
}

export interface Passage {
  /** Characters from .. to - 1 of the query's text as it was read, in code units of UTF-16: see Span. */
  readonly from: number;
  readonly to: number;
  readonly tokens: number;
  /** False where a gap that sampling leaves was bridged. */
  readonly exact: boolean;
  /** The query's own words there; of a long passage the first and the last ones, with " … " between. */
  readonly text: string;
  /** A `#:~:text=` link into the match's first source, null where no words of it are certain to be found. */
  readonly link: string | null;
}

export interface Match extends Readonly<Record<Direction, EstimatedShare>>, ContentFigures<ContentShares> {
  readonly equivalence: Equivalence;
  readonly shingles: number;
  readonly title: string | null;
  readonly meta: Meta | null;
  readonly sources: readonly MatchSource[];
  /** Exact, unless there are {@link moreSources}. */
  readonly sourceCount: number;
  /**
   * Present if a filter by host, prefix, meta or time, or `groupBy`, has not seen all sources. Then `sourceCount` counts those
   * that passed it: the first 1,000, or as many as were read.
   */
  readonly moreSources?: boolean;
  /** Present where passages were asked for and the query's text is at hand. */
  readonly passages?: readonly Passage[];
}

/** What of the matches of a thorough query one host has. */
export interface HostCopies extends Pick<Match, 'resemblance' | 'queryInMatch'> {
  /** null: names, which have none. */
  readonly host: string | null;
  /** Matches that it has a source of, and those sources; `resemblance` and `queryInMatch` are of the first in order. */
  readonly matches: number;
  readonly sourceCount: number;
  /** Of any of those sources, with the content that matches. */
  readonly firstSeen: string;
  readonly lastSeen: string;
}

/** A limit that bit: `affected` of `of` things were left out or cut. */
export interface LimitReached {
  readonly code:
    | 'candidates' // a match may be missing, and `recall` says how likely
    | 'look-ups' // the same
    | 'capped-lists' // the same, where posting lists were cut
    | 'deadline' // candidates or matches not reached in time; matches whose contents were not told in time
    | 'template' // hosts of which some pages could not be read, so that their templates lack them
    | 'unreadable' // values of the index that could not be trusted
    | 'members' // contents that a cluster has at the least beyond the members that were wanted
    | 'contents' // what a URL showed once, and was not looked for by /moved
    | 'sources' // matches whose sources were not all read
    | 'source-counts' // matches of which more sources may pass a filter than `sourceCount` says; no match is missing for that
    | 'answer-bytes' // matches or members of whose sources not all are listed that were asked for; candidates of /moved that are not shown
    | 'passages-need-text' // matches (of /compare: documents) whose passages need a text that is not at hand
    | 'differences-need-text' // documents of /compare whose text is not at hand, so that no differences can be told
    | 'differences-text' // bytes of both texts beyond the part that is compared for differences
    | 'differences-spans' // spans that are not told, of very many
    | 'passages' // passages of /composition that are shorter than those shown; matches without theirs, of very many
    | 'passages-text'; // bytes of the query's text beyond the part that passages are looked for in
  readonly affected: number;
  readonly of: number;
  /** The setting that bit, and its least value at which nothing of this question is left out, if it may be so large. */
  readonly raise?: { readonly setting: string; readonly to: number };
  /** Of `candidates`: how many are read at the most if the same is asked with `thorough`, where it was not. */
  readonly thoroughReads?: number;
}

/** How much of the query some documents have together; what several have counts once. */
export interface SharedTogether {
  readonly documents: number;
  readonly share: PartShare;
}

export interface SimilarAnswer {
  readonly query: QueryDescription;
  readonly matches: readonly Match[];
  readonly cursor: string | null;
  /**
   * The chance that a document exactly at the threshold became a candidate, or a lower bound of it, whatever its size; null
   * where not looked for.
   */
  readonly recall: Recall;
  /**
   * False where a match may be missing that the same query without limits would have shown. Lists that were capped
   * count where a match may be in no other list; those that cost nothing are in `limits` all the same.
   */
  readonly complete: boolean;
  readonly limits: readonly LimitReached[];
  /** Present where `main` was asked for and the query has no content of which anything can be said: why. */
  readonly contentUnknown?: 'not-read' | 'too-little';
  /**
   * Where nothing is a match: the documents that have most of the query, a tenth or more, at most ten. `decision` is `no` or
   * `undecided` for each threshold.
   */
  readonly nearest?: readonly Match[];
  /**
   * How much of the query the fewest of these have together, those that add a fiftieth or more to the others, and how many they
   * are. It follows from samples: where all shingles were compared, `low` and `high` meet.
   */
  readonly nearestTogether?: SharedTogether;
  /**
   * Of a thorough query, where lists or candidates were cut: how many contents meet a threshold, about, those that were found
   * among them, whatever their sources (core/query/estimated-matches.ts).
   */
  readonly estimatedCopies?: number;
  /** Of a thorough query on its last page: how many matches all pages have. */
  readonly matchCount?: number;
  /** The same by host, of the best match first. */
  readonly hosts?: readonly HostCopies[];
  readonly elapsedMs: number;
}

/** The same as it is sent, and what of it is counted and logged. */
export interface WrittenSimilar {
  readonly json: WrittenJson;
  readonly brief: { readonly matches: number; readonly limits: readonly LimitReached[] };
}

/** The thresholds at which a document stands against a put, and by which figures they go: the page's where not given. */
export type Unless = Thresholds & { readonly content?: ContentWish };

export interface GoneRequest {
  readonly url: string;
  readonly httpStatus: number;
  /** ms since 1970; null = now. */
  readonly observedAt: number | null;
}

export interface PutRequest extends Omit<GoneRequest, 'httpStatus'>, Elements {
  /** null: fetch it. */
  readonly body: DocumentBody | null;
  readonly meta: Meta | null;
  /** How many nearest documents to name in the answer, 0 = none. */
  readonly similar: number;
  /** Nothing is written where a live document of another URL meets any of these, each above 0; null: it is written anyway. */
  readonly unless: Unless | null;
}

export interface PutAnswer {
  readonly url: string;
  /** `skipped`: nothing was written, since something similar is there. */
  readonly status: Exclude<WriteStatus, 'unknown'> | 'skipped';
  /** Whether this document brought a content into the index that it did not hold. */
  readonly newContent: boolean;
  /** Whether the URL is found by this content from now on: not by that of an older version which is not worth keeping. */
  readonly contentKept: boolean;
  readonly observedAt: string;
  readonly content: ContentDescription | null;
  /** The nearest others, where they were asked for; of what was skipped those that stand against it. */
  readonly similar?: readonly Match[];
  /**
   * False where something may be missing from `similar`, or may stand against what was written. Present with `similar`, and
   * where it is false.
   */
  readonly similarComplete?: boolean;
  readonly elapsedMs: number;
}

export interface ContentDescription {
  /** Keyed digest of the words and of what is main of them: equal for documents of this index that have both in common. */
  readonly id: string;
  /** Of a set of features: then its shingles are its features, and it has no tokens. Absent of a text. */
  readonly kind?: 'features';
  readonly tokens: number;
  readonly shingles: number;
  /** Under 20 shingles: resemblance says little. */
  readonly short: boolean;
  /** Whether its main text is told from the rest of it. `not-read`: the index knew it before main texts were read. */
  readonly main: 'read' | 'whole' | 'not-read';
  /** The distinct shingles of its main text, exactly; null where that was not read. */
  readonly mainShingles: number | null;
  readonly createdAt: string;
}

/** What is known of a URL, but for its content; times as RFC 3339 writes them. */
export interface ToldSource
  extends Omit<Source, 'contentId' | 'bytesDigest' | 'firstSeen' | 'lastSeen' | 'observedAt'> {
  readonly firstSeen: string;
  readonly lastSeen: string;
  readonly observedAt: string;
}

export interface DocumentAnswer extends ToldSource {
  readonly content: ContentDescription;
  /** The sources of the same content, this one included, a page at a time. */
  readonly sources: readonly MatchSource[];
  /** How many there are on all pages, exactly. */
  readonly sourceCount: number;
  readonly cursor: string | null;
}

export interface VersionAnswer {
  readonly observedAt: string;
  readonly state: SourceState;
  readonly httpStatus: number | null;
  /** The content's id, or `forgotten` once nothing holds it any more; null where the URL was gone before it was first seen. */
  readonly content: string | null;
}

/**
 * How a version differs from the one before it:
 *
 * - identical: the same bytes; only of versions from before format 6
 * - formatting: the same words in the same order, in other bytes
 * - template: other words, beside a main text that is the same as far as it was compared
 * - edited: other words; the resemblance is EDITED_RESEMBLANCE or more
 * - replaced: it is less
 * - gone: it was live
 * - back: it was gone
 */
export type ChangeKind = 'identical' | 'formatting' | 'template' | 'edited' | 'replaced' | 'gone' | 'back';

export interface VersionChange {
  readonly kind: ChangeKind;
  /** When the version before was last seen: it changed between then and `observedAt`. */
  readonly since: string;
  /** Estimated, null where it is gone, and where nothing is known of before; the decision is edited or replaced. */
  readonly resemblance: EstimatedShare | null;
  readonly beforeInAfter: EstimatedShare | null;
  readonly afterInBefore: EstimatedShare | null;
}

export interface ChangedVersion extends VersionAnswer {
  /** When it was last seen before something else was. */
  readonly lastSeen: string;
  /** null for the oldest that is known, and where a version of before format 6 has been forgotten. */
  readonly change: VersionChange | null;
}

/** How many changes were seen, `unknown` where another content was seen of which no more is known. */
export type ChangeCounts = Readonly<Record<ChangeKind | 'unknown', number>>;

export interface ChangeRate {
  /** Between the first and the last sighting; changes that nobody saw are in no count. */
  readonly days: number;
  readonly changes: ChangeCounts;
  /** A day, of each kind; null where nothing was seen at two times. */
  readonly perDay: ChangeCounts | null;
}

export interface VersionsAnswer {
  readonly url: string;
  readonly versions: readonly ChangedVersion[];
  /** Of the versions of this page. */
  readonly rate: ChangeRate;
  readonly cursor: string | null;
}

/** How often documents of a host change. */
export interface HostChanges extends ChangeRate {
  /** null: names, which have none. */
  readonly host: string | null;
  readonly documents: number;
  readonly versions: number;
}

export interface HostChangesAnswer {
  /** By reversed host. */
  readonly hosts: readonly HostChanges[];
  /** Documents that are in no count, since they cannot be read. */
  readonly unreadableCount: number;
  readonly cursor: string | null;
}

/** The shares of a comparison. */
export type PairShare = 'resemblance' | 'aInB' | 'bInA';

export interface CompareRequest extends Pick<MatchOptions, 'passages' | 'fetch' | 'deadlineMs'> {
  readonly a: DocumentReference;
  readonly b: DocumentReference;
  /** null: that share is not decided. */
  readonly thresholds: Readonly<Record<PairShare, number | null>>;
  /** By which figures thresholds go: `decidedBy` says it; those of the page where not given. */
  readonly content?: ContentWish;
  /** Whether to tell what of both texts is common and what not; `texts`: and the texts, to draw it. */
  readonly differences?: boolean;
  readonly texts?: boolean;
  /** Whether to tell each step from bytes to thresholds, and what a query by a finds. */
  readonly explain?: boolean;
}

/** The first step at which two documents part, null where they are identical. */
export interface WhyNot {
  readonly step: 'bytes' | 'text' | 'tokens' | 'shingles' | 'threshold';
  readonly detail: string;
  /** Distinct shingles: estimates where `exact` is false. */
  readonly shingles: {
    readonly inBoth: number;
    readonly onlyInA: number;
    readonly onlyInB: number;
    readonly exact: boolean;
  };
  /** A few words of each around the first points at which they part, where both documents are in the request. */
  readonly examples: readonly { readonly a: string; readonly b: string }[];
}

export interface CompareAnswer
  extends Readonly<Record<PairShare, EstimatedShare | ExactShare>>,
    ContentFigures<ComparedContents> {
  readonly a: QueryDescription;
  readonly b: QueryDescription;
  readonly equivalence: Equivalence;
  readonly passages?: readonly Passage[];
  /** Where they were asked for; null where a text is not at hand. */
  readonly differences?: Differences | null;
  readonly whyNot: WhyNot | null;
  /** Where it was asked for. */
  readonly explanation?: Explanation;
  /** What kept passages or differences from being told. */
  readonly limits: readonly LimitReached[];
  readonly elapsedMs: number;
}

/** One result of a list of results. */
export interface CollapseResult extends Omit<DocumentReference, 'at' | 'field'> {
  /** Title and snippet that a search page shows of it, HTML in UTF-8: compared with those of other results alone. */
  readonly title: Uint8Array | null;
  readonly snippet: Uint8Array | null;
  /** It was shown on an earlier page: it takes part and represents, and is not answered again. */
  readonly shown: boolean;
  /** When it was seen, ms since 1970; null = when the index first saw its URL. */
  readonly observedAt: number | null;
  /** The caller's own, given back. */
  readonly id?: string | number;
  readonly rank?: number;
}

/** The shares of a result and its representative. */
type CollapseShare = 'resemblance' | 'resultInRepresentative' | 'representativeInResult';

/** null: such a share joins nothing. */
export type CollapseThresholds = Readonly<Record<CollapseShare, number | null>>;

/** Which result represents a group; a list: one of the first host in it that the group has. */
export type Preference = 'first' | 'longest' | 'oldest' | 'shortest-url' | readonly string[];

export interface CollapseRequest {
  readonly results: readonly CollapseResult[];
  readonly thresholds: CollapseThresholds;
  /** By which figures documents join. */
  readonly content: ContentWish;
  /** Shingles that the contained one of two has at the least where a containment joins them. */
  readonly minimumShingles: number;
  /** By which URLs that are equal are one page. */
  readonly urls: 'exact' | 'loose';
  readonly prefer: Preference;
  /** Groups of one host, at most. */
  readonly perHost: number | null;
  /** Groups that are wanted: no more are answered. */
  readonly want: number | null;
  /** `auto`: URLs that are not known are fetched. */
  readonly fetch: 'never' | 'auto';
  readonly deadlineMs: number;
}

/** A result as the answer names it. */
export interface CollapsedResult extends Pick<CollapseResult, 'id' | 'rank'> {
  /** Position in the request. */
  readonly result: number;
  /** By what it was compared; null: nothing is known of it, see `unknown`. */
  readonly from: 'body' | 'index' | 'fetch' | 'snippet' | null;
  /** null, as `short`, where no document of it is known. */
  readonly shingles: number | null;
  /** Fewer than minimumShingles: it is never joined for being contained. */
  readonly short: boolean | null;
}

/** What is shown of two results that are one page by it. */
export type JoinedByCaption = 'title-and-snippet' | 'title' | 'snippet';

/** By what a member joined its group, the first that holds. */
export type JoinedBy = 'same-url' | 'equal' | CollapseShare | JoinedByCaption;

/** What makes no difference between two URLs of one page, by the loose rule. */
export type UrlPart = 'amp-cache' | 'platform' | 'scheme' | 'www' | 'slash' | 'tracking' | 'encoding';

/** The figures against the representative; null where the two cannot be compared. */
export type CollapseShares = Readonly<Record<CollapseShare, EstimatedShare | ExactShare | null>>;

/** The figures of the contents of a result and its representative. */
export interface CollapsedContents extends Readonly<Record<CollapseShare, EstimatedShare>> {
  readonly representative: ToldContent;
  readonly result: ToldContent;
}

export interface CollapseMember extends CollapsedResult, CollapseShares, Partial<ContentFigures<CollapsedContents>> {
  readonly by: JoinedBy;
  /** By `same-url`, in what its URL differs from that of the result it is one page with; else null. */
  readonly urlDiffersBy: readonly UrlPart[] | null;
  readonly equivalence: Equivalence | null;
}

export interface CollapsedGroup {
  readonly representative: CollapsedResult;
  /** In the order of the request. */
  readonly members: readonly CollapseMember[];
}

export interface ShownGroup extends CollapsedGroup {
  /** Groups of the same host beyond `perHost`. */
  readonly moreOfHost: readonly CollapsedGroup[];
}

export type UnknownReason =
  | 'unknown-url' // it is not in the index, and was not to be fetched, or is a name
  | 'empty-document' // its body has no words
  | 'short-snippet' // there is neither URL nor body, and title and snippet say nothing
  | 'fetch-failed'
  | 'deadline' // not read by then
  | 'unreadable' // what the index has cannot be trusted
  | 'invalid-url' // and there is no body
  | 'unusable'; // its body cannot be read (charset, type, selector, too complex)

export interface CollapseAnswer {
  /** In the order of their first results. */
  readonly groups: readonly ShownGroup[];
  /** Groups of results that were shown before, where something new belongs to them: nothing of it need be shown. */
  readonly shownBefore: readonly ShownGroup[];
  /** Results that stay apart by the estimate, while the interval reaches a threshold. */
  readonly undecided: readonly { readonly result: number; readonly representative: number }[];
  /** Results of which nothing is known; each is in `groups` all the same. */
  readonly unknown: readonly { readonly result: number; readonly reason: UnknownReason }[];
  /** The results before this position are answered; a next page goes on with it. */
  readonly taken: number;
  /** False where `limits` says that something was not compared. */
  readonly complete: boolean;
  readonly limits: readonly LimitReached[];
  readonly elapsedMs: number;
}

/** A URL was seen to say what another URL says, or said: archives keep of such an answer that it was the same. */
export interface SameRequest extends Pick<PutRequest, 'url' | 'observedAt'> {
  /** Whose content it has; the URL itself: what it had is seen again. */
  readonly as: string;
  /** When that one had the content, ms since 1970; null: when this one was seen, or now. */
  readonly asAt: number | null;
  readonly httpStatus: number | null;
}

/** One line of a bulk request, validated; `put` has a body, and what is known of the answer that brought it. */
export type BulkOperation =
  | ({ readonly op: 'put'; readonly httpStatus?: number | null; readonly finalUrl?: string | null } & PutRequest)
  | ({ readonly op: 'same' } & SameRequest)
  | ({ readonly op: 'gone' } & GoneRequest)
  | { readonly op: 'delete'; readonly url: string };

/** One line of a bulk body as it was read: an operation, or why there is none. `line` counts from 1 or as the caller likes. */
export type BulkLine =
  | { readonly line: number; readonly operation: BulkOperation }
  | { readonly line: number; readonly url: string | null; readonly error: ShingledError };

/** Why a line has no result. */
export interface LineFailure {
  readonly field?: string;
  readonly limit?: NonNullable<ErrorDetails['limit']>;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
}

/** What became of a written line. */
interface WrittenLine extends Pick<PutAnswer, 'url' | 'similar' | 'similarComplete'> {
  readonly status: number;
  readonly result: PutAnswer['status'];
  /** Of an older version whose content is not kept. */
  readonly contentKept?: false;
  /** Where it was asked for, of a put: whether it brought a content that the index did not hold. */
  readonly newContent?: boolean;
  /** Where it was asked for, of a put: under 20 shingles. */
  readonly short?: boolean;
}

export type BulkLineAnswer = { readonly line: number } & (
  | WrittenLine
  | (LineFailure & { readonly url: string | null })
);

export interface BulkOptions {
  /** Answered once it is written, and on disk at the end. */
  readonly relaxed: boolean;
  /** Whether answers say of puts whether they were new and short. */
  readonly describe?: boolean;
}

/** One line of a batch of queries, as it was read. */
export type SimilarLine =
  | { readonly line: number; readonly reference: DocumentReference; readonly options: MatchOptions }
  | { readonly line: number; readonly error: ShingledError };

export type SimilarLineAnswer = { readonly line: number } & (
  | { readonly status: 200; readonly answer: WrittenSimilar }
  | LineFailure
);

export interface StatsAnswer
  extends Pick<IndexDescription, 'fingerprintId' | 'shingleSize' | 'indexModulusMax' | 'recordModulusMax'>,
    Pick<StoreStats, 'sources' | 'contents' | 'postings' | 'diskBytes' | 'freeBytes'> {
  readonly version: string;
  /** Which of the two equal kernels makes the sketches. */
  readonly kernel: 'wasm' | 'typescript';
  readonly createdAt: string;
  readonly writable: boolean;
  readonly uptimeS: number;
  /** null where the index cannot be read for now. */
  readonly index: IndexAnswer | null;
  /** null while nothing was met that cannot be trusted. */
  readonly damage: DamageAnswer | null;
  /** The last backup or compaction since the start. */
  readonly upkeep: UpkeepAnswer | null;
}

/** What of an index cannot be trusted, and what to do about it. */
export interface DamageAnswer {
  /** Of very many the first. */
  readonly parts: readonly DamagedPart[];
  readonly advice: string;
}

/** The backups of BACKUP_DIR, the newest first. */
export type BackupsAnswer = BackupList;

/** How postings are kept, and what takes room and memory. */
export interface IndexAnswer extends Omit<IndexStats, 'longestLists'> {
  /** The longest posting lists: so many contents share one shingle. */
  readonly longestLists: readonly { readonly contents: number; readonly share: number }[];
}

/** A backup or a compaction: one at a time. */
export interface UpkeepAnswer {
  readonly kind: 'backup' | 'compact';
  readonly state: 'running' | 'done' | 'failed';
  readonly startedAt: string;
  readonly elapsedMs: number;
  readonly backup: BackupAnswer | null;
  readonly compaction: { readonly diskBytesBefore: number | null; readonly diskBytesAfter: number | null } | null;
  /** Why it failed. */
  readonly problem: { readonly code: string; readonly detail: string } | null;
}

export interface BackupAnswer extends Omit<BackupOutcome, 'path' | 'createdAt' | 'elapsedMs'> {
  readonly name: string;
}

/** Who calls, and what his key allows: `mayFetch` is the scope. What is shared is shared among callers. */
export interface Access {
  readonly caller: string;
  readonly mayFetch: boolean;
  /** By which the log names the request. */
  readonly requestId?: string;
  /** By which it came: one client asks one thing at a time on each. */
  readonly connection?: object;
}

/** Which documents: all of them, or those for which all that is given holds. */
export interface Selection {
  /** Of this host. */
  readonly host?: string | undefined;
  /** Of hosts below it, too. */
  readonly subdomains?: boolean | undefined;
  /** Whose normalised URL begins with this, normalised too. */
  readonly prefix?: string | undefined;
  /** Observed from this on, as far as this but not then; ms since 1970. */
  readonly observedFrom?: number | undefined;
  readonly observedTo?: number | undefined;
  /** Whose meta has all of these keys with these values. */
  readonly meta?: Meta | undefined;
  readonly state?: SourceState | undefined;
}

/** What is known of a URL without looking any further. */
export interface ListedDocument extends ToldSource {
  readonly contentId: string;
}

export interface ListAnswer {
  /** By reversed host, then by URL. */
  readonly documents: readonly ListedDocument[];
  /** URLs that are there, of which nothing can be trusted: whether they are of the selection, only their names say. */
  readonly unreadable: readonly string[];
  /** A page may be short, or empty, and not the last, where few documents pass the filters. */
  readonly cursor: string | null;
}

export interface HostCount {
  readonly host: string | null;
  readonly documents: number;
  /**
   * What its pages have in common: of how many it was told, and how many shingles it has, estimated. null where fewer than
   * three of them differ. Only if one host is asked for, without its subdomains.
   */
  readonly template?: { readonly pages: number; readonly shingles: number } | null;
}

export interface HostsAnswer {
  /** By reversed host; null: names, which have none. */
  readonly hosts: readonly HostCount[];
  /** Documents of this page that are in no count, since their filters cannot be answered. */
  readonly unreadableCount: number;
  readonly cursor: string | null;
}

/** A document as it is exported. */
export type ExportLine =
  | (ListedDocument & {
      /** The newest first. */
      readonly versions: readonly ChangedVersion[];
      /** Whether there are more than an export tells. */
      readonly moreVersions: boolean;
    })
  | { readonly url: string; readonly code: 'index-unreadable'; readonly detail: string };

export interface ForgetOptions {
  /** Only count. */
  readonly dryRun: boolean;
  /** What the count before gave. */
  readonly confirm: string | null;
}

export interface ForgetAnswer {
  /** Documents of the selection when this call began. */
  readonly matched: number;
  readonly deleted: number;
  /** Documents that were not deleted, or not looked at, since they cannot be read. */
  readonly unreadableCount: number;
  /** For the call that deletes what is left; null where nothing is. */
  readonly confirm: string | null;
  readonly elapsedMs: number;
}

export type PageRequest = Pick<MatchOptions, 'limit' | 'cursor'>;
