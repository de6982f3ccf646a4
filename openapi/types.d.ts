// The types of openapi.json, made from it by `npm run openapi`.

/**
 * shingled (v0.1.0)
 * Resemblance and containment of documents (Broder, Glassman, Manasse & Zweig 1997), estimated with intervals, from an index of shingles.
 */

export type BackupRequest = {
    /**
     * Names the backup, a folder below BACKUP_DIR: 1 to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit.
     * @minLength 1
     */
    name: string;
};

export type BackupsAnswer = {
    /**
     * The newest first, at most 1,000.
     */
    backups: {
        /**
         * Its name below BACKUP_DIR.
         */
        name: string;
        /**
         * When it was taken; null, as what follows, where it does not say.
         */
        createdAt: string | null;
        /**
         * Bytes of its files; those that it shares with the index take no room of their own.
         */
        bytes: number | null;
        /**
         * Files in it.
         */
        files: number | null;
        /**
         * URLs in it; null where nobody has counted them.
         */
        documents: number | null;
        /**
         * Verified: `shingled check` has proven it. Damaged: a file is missing or of another size.
         */
        state: "verified" | "unverified" | "damaged";
        /**
         * When it was proven.
         */
        verifiedAt: string | null;
        /**
         * What is damaged.
         */
        problem: string | null;
    }[];
    /**
     * Backups that are not listed.
     * @minimum 0
     */
    more: number;
};

export type BulkAnswerLine = BulkDone | BulkFailed | Summary;

/**
 * A line that is done, and durable unless durability=relaxed was asked for.
 */
export type BulkDone = {
    /**
     * Line of the request, from 1.
     * @minimum 1
     */
    line: number;
    /**
     * HTTP status.
     * @minimum 200
     * @maximum 299
     */
    status: number;
    /**
     * The normalised URL.
     */
    url: string;
    /**
     * What became of it.
     */
    result: "created" | "updated" | "unchanged" | "back" | "history" | "gone" | "deleted" | "skipped";
    /**
     * Only with an older version whose content is not kept: it is listed, and no more.
     */
    contentKept?: boolean;
    /**
     * Only with describe=true, of a put: whether the index did not hold this content before.
     */
    newContent?: boolean;
    /**
     * Only with describe=true, of a put: fewer than 20 shingles.
     */
    short?: boolean;
    /**
     * The nearest other documents, where asked for; of what was skipped those that stand against it.
     */
    similar?: Match[];
    /**
     * False where something may be missing from `similar`, or may stand against what was written.
     */
    similarComplete?: boolean;
};

/**
 * A line that was refused or failed; the others go on.
 */
export type BulkFailed = {
    /**
     * Line of the request, from 1.
     * @minimum 1
     */
    line: number;
    /**
     * HTTP status.
     * @minimum 400
     * @maximum 599
     */
    status: number;
    /**
     * The URL as it was sent, where it was read; its first 200 characters.
     */
    url: string | null;
    /**
     * What to switch on.
     */
    code: "malformed-request" | "invalid-json" | "invalid-utf8" | "invalid-request" | "invalid-url" | "invalid-selector" | "invalid-cursor" | "body-incomplete" | "unauthorized" | "forbidden" | "foreign-origin" | "unknown-route" | "unknown-url" | "unknown-version" | "method-not-allowed" | "backup-exists" | "backup-not-configured" | "upkeep-running" | "selection-changed" | "request-timeout" | "body-too-large" | "uri-too-long" | "unsupported-media-type" | "expectation-failed" | "empty-document" | "document-too-complex" | "unreadable-document" | "unsupported-charset" | "observed-in-future" | "not-fetchable" | "rate-limited" | "write-queue-full" | "unknown-host" | "headers-too-large" | "fetch-failed" | "fetch-status" | "fetch-too-large" | "fetch-timeout" | "robots-disallowed" | "internal" | "index-unreadable" | "overloaded" | "draining" | "deadline-exceeded" | "storage-full" | "invalid-config" | "index-missing" | "index-locked" | "index-mismatch" | "load-unfinished" | "index-exists" | "folder-is-backup" | "backup-missing" | "backup-damaged" | "index-damaged" | "result-missing" | "result-damaged" | "input-unreadable" | "input-changed" | "output-exists" | "output-unwritable" | "memory-short" | "service-unreachable";
    /**
     * What happened.
     */
    detail: string;
    /**
     * The field at fault.
     */
    field?: string;
    /**
     * The limit that was met.
     */
    limit?: {
        name: string;
        value: number;
    };
};

/**
 * put: one of `text`, `html`, `features` and `bytes`; same: `as`; gone: none; delete: only `url`.
 */
export type BulkLine = {
    /**
     * What to do.
     */
    op: "put" | "same" | "gone" | "delete";
    /**
     * URL of the document, or any absolute URI that names it. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * put: its plain text.
     */
    text?: string;
    /**
     * put: its HTML.
     */
    html?: string;
    /**
     * put: it as a set of strings instead of a text. At most 100000 of 4096 bytes each, and of all values of a JSON body no more than 20,000.
     */
    features?: string[];
    /**
     * put: it as it is, in base64, such as a PDF file or an office document.
     * @format byte
     */
    bytes?: string;
    /**
     * put, with `bytes`: their Content-Type.
     */
    contentType?: string;
    /**
     * put: only what matches counts: a CSS selector, for HTML only.
     * @minLength 1
     */
    select?: string;
    /**
     * put: nothing that matches counts: a CSS selector, for HTML only.
     * @minLength 1
     */
    remove?: string;
    /**
     * When the document was seen, RFC 3339; where not given now, after all that is known. Older than known: history.
     * @format date-time
     */
    observedAt?: string;
    /**
     * Any JSON object, kept beside the document; at most 4096 bytes as JSON (META_BYTES_MAX).
     */
    meta?: Record<string, unknown> | null;
    /**
     * Nearest other documents to name in the answer; at most 100.
     * @minimum 0
     */
    similar?: number;
    /**
     * Nothing is written where a live document of another URL meets one of the thresholds, of which one must be given: then `skipped`, with what stands against it in `similar`. Needs the scope `read` too.
     */
    unless?: "similar";
    /**
     * With `unless`: by which figures thresholds go: `page` (where not given); `main`: those of the main text, less what the pages of its host have in common; `auto`: these where both documents have such a content, else the page.
     */
    content?: "page" | "main" | "auto";
    /**
     * What `unless` counts as similar: whatever reaches any of these by its estimate. Above 0.
     */
    thresholds?: {
        /**
         * With `unless`: so much of all shingles of both is in both. null = not looked for; null where not given.
         */
        resemblance?: number | null;
        /**
         * With `unless`: so much of this document is in the other one. null = not looked for; null where not given.
         */
        queryInMatch?: number | null;
        /**
         * With `unless`: so much of the other one is in this document. null = not looked for; null where not given.
         */
        matchInQuery?: number | null;
    };
    /**
     * same: the URL that says the same, or `url` itself. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    as?: string;
    /**
     * same: when that one said it; where not given, at `observedAt`.
     * @format date-time
     */
    asAt?: string;
    /**
     * The HTTP status that was seen: 404 or 410 of gone, 410 where not given; 2xx of put and same.
     * @minimum 200
     * @maximum 410
     */
    status?: number;
    /**
     * put: where redirects led. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    finalUrl?: string;
};

/**
 * How a version differs from the one before it.
 */
export type Change = {
    /**
     * `formatting`: the same words in other bytes; `template`: other words, though the main text has as many shingles, and all of it that was compared is the same; `edited`: other words, resemblance .5 or more; `replaced`: less; `gone` after it was live; `back` after it was gone; `identical`: the same bytes, only of versions from before index format 6.
     */
    kind: "identical" | "formatting" | "template" | "edited" | "replaced" | "gone" | "back";
    /**
     * When the version before was last seen: it changed between then and `observedAt`.
     * @format date-time
     */
    since: string;
    /**
     * Of both versions; `decision` says whether it is .5 or more, `undecided` where the kind may be either. Null where it is gone, and where nothing is known of what was there before.
     */
    resemblance: EstimatedShare | null;
    /**
     * The part of the version before that is in this one.
     */
    beforeInAfter: EstimatedShare | null;
    /**
     * The part of this version that is in the one before.
     */
    afterInBefore: EstimatedShare | null;
};

/**
 * Changes that were seen, by kind.
 */
export type ChangeCounts = {
    /**
     * The same bytes.
     * @minimum 0
     */
    identical: number;
    /**
     * The same words in other bytes.
     * @minimum 0
     */
    formatting: number;
    /**
     * Other words beside the same main text.
     * @minimum 0
     */
    template: number;
    /**
     * Other words, resemblance .5 or more.
     * @minimum 0
     */
    edited: number;
    /**
     * Resemblance below .5.
     * @minimum 0
     */
    replaced: number;
    /**
     * Gone after it was live.
     * @minimum 0
     */
    gone: number;
    /**
     * Live after it was gone.
     * @minimum 0
     */
    back: number;
    /**
     * Another content, of which no more is known.
     * @minimum 0
     */
    unknown: number;
};

/**
 * How often it was seen to change: at most once from one sighting to the next.
 */
export type ChangeRate = {
    /**
     * Days between the first sighting and the last; of many documents their sum.
     * @minimum 0
     */
    days: number;
    changes: ChangeCounts;
    /**
     * Changes a day, by kind, to 6 significant digits; null where nothing was seen at two times.
     */
    perDay: ChangesPerDay | null;
};

/**
 * What a URL showed from one time on, and how it had changed.
 */
export type ChangedVersion = {
    /**
     * When it was first seen.
     * @format date-time
     */
    observedAt: string;
    /**
     * `gone`: 404 or 410.
     */
    state: "live" | "gone";
    /**
     * The HTTP status that was seen, where one was.
     */
    httpStatus: number | null;
    /**
     * The content's id, or `forgotten` once nothing holds it any more; null where the URL was gone before it was first seen.
     */
    content: string | null;
    /**
     * When it was last seen before something else was.
     * @format date-time
     */
    lastSeen: string;
    /**
     * From the version before; null of the oldest that is known, and where one of both is from before index format 6 and forgotten.
     */
    change: Change | null;
};

export type ChangesPerDay = {
    /**
     * The same bytes.
     * @minimum 0
     */
    identical: number;
    /**
     * The same words in other bytes.
     * @minimum 0
     */
    formatting: number;
    /**
     * Other words beside the same main text.
     * @minimum 0
     */
    template: number;
    /**
     * Other words, resemblance .5 or more.
     * @minimum 0
     */
    edited: number;
    /**
     * Resemblance below .5.
     * @minimum 0
     */
    replaced: number;
    /**
     * Gone after it was live.
     * @minimum 0
     */
    gone: number;
    /**
     * Live after it was gone.
     * @minimum 0
     */
    back: number;
    /**
     * Another content, of which no more is known.
     * @minimum 0
     */
    unknown: number;
};

export type ClusterAnswer = {
    /**
     * The normalised URL. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * By what a pair is joined: the share of all shingles of both that both have, or how much of the smaller one is in the other.
     */
    by: "resemblance" | "containment";
    /**
     * The threshold.
     * @minimum 0
     * @maximum 1
     */
    threshold: number;
    /**
     * null where the index does not know the URL, and the corpus does.
     */
    index: IndexCluster | null;
    /**
     * null without CLUSTERS_DIR.
     */
    corpus: CorpusAnswer | null;
    /**
     * Time taken here, in ms.
     * @minimum 0
     */
    elapsedMs: number;
};

/**
 * A content of a cluster.
 */
export type ClusterMember = {
    /**
     * Its content.
     */
    contentId: string;
    /**
     * Of a set of features: then its shingles are its features, and it has no words. Absent of a text.
     */
    kind?: "features";
    /**
     * Words, as the index counts them; of features 0.
     * @minimum 0
     */
    tokens: number;
    /**
     * Distinct shingles, exactly.
     * @minimum 0
     */
    shingles: number;
    /**
     * What the content of a document was told from, and how much it is.
     */
    content: OwnContent | null;
    /**
     * Present where `content` is null: why.
     */
    contentUnknown?: "not-read" | "too-little" | "deadline";
    /**
     * The strongest pair that the member had with one before it.
     */
    joinedBy: MemberPair | null;
    /**
     * URLs that say it, by reversed host, then by URL.
     */
    sources: MemberSource[];
    /**
     * How many there are, exactly.
     * @minimum 0
     */
    sourceCount: number;
};

export type CollapseAnswer = {
    /**
     * What to show, in the order of their first results.
     */
    groups: ShownGroup[];
    /**
     * What belongs to results that were shown before: each result is in one group of this or of `groups`.
     */
    shownBefore: ShownGroup[];
    /**
     * Results that stay apart by the estimate while its interval reaches a threshold.
     */
    undecided: {
        /**
         * Position in the request.
         * @minimum 0
         */
        result: number;
        /**
         * Position in the request.
         * @minimum 0
         */
        representative: number;
    }[];
    /**
     * Results that were compared by their URL alone; each is in a group all the same.
     */
    unknown: {
        /**
         * Position in the request.
         * @minimum 0
         */
        result: number;
        /**
         * Why nothing is known of it.
         */
        reason: "unknown-url" | "empty-document" | "short-snippet" | "fetch-failed" | "deadline" | "unreadable" | "invalid-url" | "unusable";
    }[];
    /**
     * Results before this position are answered; send those from it on for the next page.
     * @minimum 0
     */
    taken: number;
    /**
     * False where `limits` names what was left out.
     */
    complete: boolean;
    /**
     * Limits that bit.
     */
    limits: LimitReached[];
    /**
     * Time taken here, in ms.
     * @minimum 0
     */
    elapsedMs: number;
};

export type CollapseRequest = {
    /**
     * The results in their order, at most 1000.
     */
    results: CollapseResult[];
    /**
     * A result whose document reaches any of these joins the group. Equal words join whatever they say; titles and snippets have rules of their own.
     */
    thresholds?: {
        /**
         * Resemblance to the representative. null = not looked for; 0.8 where not given.
         */
        resemblance?: number | null;
        /**
         * Share of the result that its representative has. null = not looked for; 0.9 where not given.
         */
        resultInRepresentative?: number | null;
        /**
         * Share of the representative that the result has. null = not looked for; 0.9 where not given.
         */
        representativeInResult?: number | null;
    };
    /**
     * Shingles that the contained one of two has at the least where a containment joins them: 20 where not given.
     * @minimum 0
     * @maximum 10000
     */
    minimumShingles?: number;
    /**
     * By which rule URLs are one page: `loose` where not given. `loose`: http or https, www., a slash at the end, tracking parameters and what large platforms have for one page (mobile hosts, short links) make no difference.
     */
    urls?: "loose" | "exact";
    /**
     * Which result represents a group: `first` where not given. A list: one of the first of these hosts that the group has.
     */
    prefer?: ("first" | "longest" | "oldest" | "shortest-url") | string[];
    /**
     * Groups of one host, at most; further ones stand behind, in `moreOfHost`. null = any number.
     */
    perHost?: number | null;
    /**
     * Groups that are wanted; `taken` says how many results they took. null = all.
     */
    want?: number | null;
    /**
     * By which figures thresholds go, and the order: `page` (where not given); `main`: those of the main text, less what the pages of its host have in common; `auto`: these where both documents have such a content, else the page.
     */
    content?: "page" | "main" | "auto";
    /**
     * `auto`: URLs that are not known are fetched; needs the scope `fetch`. `never` where not given.
     */
    fetch?: "never" | "auto";
    /**
     * Bodies and pages that were not read after so many ms are left out; what the index knows of their URLs stands in for them, and is always answered. 200 where not given, at most 60000.
     * @minimum 1
     */
    deadlineMs?: number;
};

/**
 * A result: at least a `url`, a `text`, an `html`, `features`, a `title` or a `snippet`.
 */
export type CollapseResult = {
    /**
     * URL of the result. If it is null, empty or cannot be used, the result is compared without it. At most 2048 bytes (URL_BYTES_MAX).
     */
    url?: string | null;
    /**
     * Its whole plain text.
     */
    text?: string;
    /**
     * Its whole HTML.
     */
    html?: string;
    /**
     * It as a set of strings instead of a text. At most 100000 of 4096 bytes each, and of all values of a JSON body no more than 20,000.
     */
    features?: string[];
    /**
     * Its title on a search page, plain or with marks such as <em>. At most 2,000 bytes. Titles that differ in a number or a name keep two results apart.
     */
    title?: string | null;
    /**
     * What a search page shows of its text, plain or with marks such as <em>. At most 10,000 bytes. Title and snippet are compared with those of other results if no document of one of the two is known.
     */
    snippet?: string | null;
    /**
     * Only what matches counts: a CSS selector, for HTML only.
     * @minLength 1
     */
    select?: string;
    /**
     * Nothing that matches counts: a CSS selector, for HTML only.
     * @minLength 1
     */
    remove?: string;
    /**
     * It was shown on an earlier page: it takes part and represents, and is not answered again.
     */
    shown?: boolean;
    /**
     * When it was seen, for `prefer: oldest`; else when the index first saw its URL.
     * @format date-time
     */
    observedAt?: string;
    /**
     * The caller's own name for the result, given back. At most 1,000 characters.
     */
    id?: string | number;
    /**
     * The caller's own rank or score of the result, given back.
     */
    rank?: number;
};

/**
 * The same figures of what both documents say by themselves: their main text, less what the pages of their host have in common.
 */
export type CollapsedContents = {
    resemblance: EstimatedShare;
    resultInRepresentative: EstimatedShare;
    representativeInResult: EstimatedShare;
    representative: ToldContent;
    result: ToldContent;
};

export type CollapsedGroup = {
    representative: CollapsedResult;
    /**
     * The others, in their order.
     */
    members: CollapsedMember[];
};

export type CollapsedMember = {
    /**
     * Position in the request.
     * @minimum 0
     */
    result: number;
    /**
     * The caller's own name for the result, given back. At most 1,000 characters.
     */
    id?: string | number;
    /**
     * The caller's own rank or score of the result, given back.
     */
    rank?: number;
    /**
     * By what it was compared: a document, or title and `snippet` alone; null where nothing is known of it.
     */
    from: ("body" | "index" | "fetch" | "snippet") | null;
    /**
     * Distinct shingles of that document; null where there is none.
     */
    shingles: number | null;
    /**
     * Fewer than `minimumShingles`: never joined because it is contained.
     */
    short: boolean | null;
    /**
     * Why it is here, the first that holds: its URL is the one of another in the group, the words or shingles are equal, the threshold that it reaches, or what is shown of it.
     */
    by: "same-url" | "equal" | "resemblance" | "resultInRepresentative" | "representativeInResult" | "title-and-snippet" | "title" | "snippet";
    /**
     * Of `same-url`: in what its URL differs from that of the first result that is the same page; empty where the index takes both for one.
     */
    urlDiffersBy: ("amp-cache" | "platform" | "scheme" | "www" | "slash" | "tracking" | "encoding")[] | null;
    /**
     * As in /compare; null where the two cannot be compared.
     */
    equivalence: ("identical" | "lexical" | "shingle" | "none") | null;
    /**
     * Resemblance to the representative; exact where both are known whole.
     */
    resemblance: EstimatedShare | ExactShare | null;
    /**
     * Share of the result that its representative has.
     */
    resultInRepresentative: EstimatedShare | ExactShare | null;
    /**
     * Share of the representative that the result has.
     */
    representativeInResult: EstimatedShare | ExactShare | null;
    /**
     * Present where `content` is `main` or `auto` and two documents are compared.
     */
    content?: CollapsedContents | null;
    /**
     * Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.
     */
    contentUnknown?: "not-read" | "too-little" | "whole" | "deadline";
    /**
     * Present where `content` is `main` or `auto`: by which figures thresholds go; null where one has no content.
     */
    decidedBy?: ("page" | "content") | null;
};

export type CollapsedResult = {
    /**
     * Position in the request.
     * @minimum 0
     */
    result: number;
    /**
     * The caller's own name for the result, given back. At most 1,000 characters.
     */
    id?: string | number;
    /**
     * The caller's own rank or score of the result, given back.
     */
    rank?: number;
    /**
     * By what it was compared: a document, or title and `snippet` alone; null where nothing is known of it.
     */
    from: ("body" | "index" | "fetch" | "snippet") | null;
    /**
     * Distinct shingles of that document; null where there is none.
     */
    shingles: number | null;
    /**
     * Fewer than `minimumShingles`: never joined because it is contained.
     */
    short: boolean | null;
};

export type CompareAnswer = {
    a: Query;
    b: Query;
    /**
     * The strongest that holds: `identical` bytes; `lexical`: the same words in the same order; `shingle`: the same set of shingles.
     */
    equivalence: "identical" | "lexical" | "shingle" | "none";
    /**
     * Share of all shingles of both that both have; exact where both bodies were given.
     */
    resemblance: EstimatedShare | ExactShare;
    /**
     * Share of a's shingles that b has.
     */
    aInB: EstimatedShare | ExactShare;
    /**
     * Share of b's shingles that a has.
     */
    bInA: EstimatedShare | ExactShare;
    /**
     * The same figures of what both documents say by themselves: their main text, less what the pages of their host have in common.
     */
    content: ComparedContents | null;
    /**
     * Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.
     */
    contentUnknown?: "not-read" | "too-little" | "whole" | "deadline";
    /**
     * Present where `content` is `main` or `auto`: by which figures thresholds go; null where one has no content.
     */
    decidedBy?: ("page" | "content") | null;
    /**
     * Shared passages, in a's words and order.
     */
    passages?: Passage[];
    /**
     * What is common to both texts and what not; null where one is known from the index only, which keeps no text: send it, or let it be fetched (`fetch: "always"`).
     */
    differences?: Differences | null;
    /**
     * Null where they are identical.
     */
    whyNot: WhyNot | null;
    explanation?: Explanation;
    /**
     * What kept passages or differences from being told: `passages-need-text` where a is known from the index only, `passages-text` where its text is cut; the same of differences, of which there are `differences-spans` at the most.
     */
    limits: LimitReached[];
    /**
     * Time taken here, in ms.
     * @minimum 0
     */
    elapsedMs: number;
};

export type CompareRequest = {
    a: Document;
    b: Document;
    /**
     * What each share is decided against.
     */
    thresholds?: {
        /**
         * Share of all shingles of both that both have. null = not looked for; 0.5 where not given.
         */
        resemblance?: number | null;
        /**
         * Share of a's shingles that b has. null = not looked for; 0.8 where not given.
         */
        aInB?: number | null;
        /**
         * Share of b's shingles that a has. null = not looked for; 0.8 where not given.
         */
        bInA?: number | null;
    };
    /**
     * Whether to show the shared passages.
     */
    passages?: boolean;
    /**
     * Whether to tell what of the two texts is common and what not, as spans of each.
     */
    differences?: boolean;
    /**
     * With `differences`: whether to give back the texts that the spans are of.
     */
    texts?: boolean;
    /**
     * Whether to tell each step from bytes to thresholds, and whether a query by a finds b.
     */
    explain?: boolean;
    /**
     * By which figures thresholds go, and the order: `page` (where not given); `main`: those of the main text, less what the pages of its host have in common; `auto`: these where both documents have such a content, else the page.
     */
    content?: "page" | "main" | "auto";
    /**
     * Whether a URL without a body is fetched: `auto` (where not given) where it is not in the index, `never`, or `always`, though it is known. Fetching needs the scope `fetch`.
     */
    fetch?: "auto" | "never" | "always";
    /**
     * After so many ms the answer is what was found by then, fetching counted. Where not given 1000 from when the documents are at hand, fetching not counted; at most 60000.
     * @minimum 1
     */
    deadlineMs?: number;
};

/**
 * The same figures of what both documents say by themselves: their main text, less what the pages of their host have in common.
 */
export type ComparedContents = {
    resemblance: EstimatedShare;
    aInB: EstimatedShare;
    bInA: EstimatedShare;
    a: OwnContent;
    b: OwnContent;
};

export type CompositionAnswer = {
    query: Query;
    /**
     * What the document says by itself, and how much of that no part has.
     */
    content: TextContent | null;
    /**
     * Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.
     */
    contentUnknown?: "not-read" | "too-little" | "whole" | "deadline";
    /**
     * Present where `content` is `main` or `auto`: by which figures thresholds go; null where one has no content.
     */
    decidedBy?: ("page" | "content") | null;
    /**
     * What explains most first, then what adds most to those before it.
     */
    parts: CompositionPart[];
    /**
     * Whether `limit` left out a part that would have been the next.
     */
    more: boolean;
    /**
     * So much of the text's shingles no part has: with all `unique` it sums to 1, but for rounding.
     */
    unexplained: {
        /**
         * By the sample, without bias, to 6 significant digits.
         * @minimum 0
         * @maximum 1
         */
        estimate: number;
        /**
         * Lower end of its 95 % interval, rounded down.
         * @minimum 0
         * @maximum 1
         */
        low: number;
        /**
         * Upper end, rounded up; both ends are the share itself where all shingles were compared.
         * @minimum 0
         * @maximum 1
         */
        high: number;
    };
    /**
     * In the order of the text, none overlaps another. Left out where they are not wanted, or the text is not at hand: of a URL that the index knows, which keeps no text.
     */
    passages?: CompositionPassage[];
    /**
     * The chance that what was asked for was looked at, or a lower bound of it; else null.
     */
    recall: {
        /**
         * Of sources: the chance that a content was looked at which has `minimumShare` of the text that no other part has.
         */
        share: number | null;
        /**
         * Of quotations: the chance that a content of any length was looked at which has `minimumWords` words of the text in a row.
         */
        words: number | null;
    };
    /**
     * False where a limit may have cost a part.
     */
    complete: boolean;
    /**
     * Every limit that bit.
     */
    limits: LimitReached[];
    /**
     * Time taken here, in ms.
     * @minimum 0
     */
    elapsedMs: number;
};

/**
 * A content of the index that explains some of the text.
 */
export type CompositionPart = {
    /**
     * So much of the text's shingles it has, whatever other parts have; with `quotations` only those in its quotations count.
     */
    share: {
        /**
         * By the sample, without bias, to 6 significant digits.
         * @minimum 0
         * @maximum 1
         */
        estimate: number;
        /**
         * Lower end of its 95 % interval, rounded down.
         * @minimum 0
         * @maximum 1
         */
        low: number;
        /**
         * Upper end, rounded up; both ends are the share itself where all shingles were compared.
         * @minimum 0
         * @maximum 1
         */
        high: number;
    };
    /**
     * So much of them it has and no part before it.
     */
    unique: {
        /**
         * By the sample, without bias, to 6 significant digits.
         * @minimum 0
         * @maximum 1
         */
        estimate: number;
        /**
         * Lower end of its 95 % interval, rounded down.
         * @minimum 0
         * @maximum 1
         */
        low: number;
        /**
         * Upper end, rounded up; both ends are the share itself where all shingles were compared.
         * @minimum 0
         * @maximum 1
         */
        high: number;
    };
    /**
     * Distinct shingles of the part, exactly.
     * @minimum 0
     */
    shingles: number;
    /**
     * How much a part has of what the document says by itself.
     */
    content: PartContent | null;
    /**
     * Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.
     */
    contentUnknown?: "not-read" | "too-little" | "whole" | "deadline";
    /**
     * Title of its first source.
     */
    title: string | null;
    /**
     * Any JSON object, kept beside the document; at most 4096 bytes as JSON (META_BYTES_MAX).
     */
    meta: Record<string, unknown> | null;
    /**
     * URLs at which this content was seen.
     */
    sources: Source[];
    /**
     * Sources of the part in all, exactly, unless there are `moreSources`.
     * @minimum 0
     */
    sourceCount: number;
    /**
     * Present if a filter (`hosts`, `excludeHosts`, `urlPrefix`, `meta`, `seenAfter`) or `groupBy` did not see all sources. `sourceCount` then counts those that passed it: the first 1,000, or as many as were read.
     */
    moreSources?: boolean;
};

/**
 * A run of words of the text, and whose it is.
 */
export type CompositionPassage = {
    /**
     * Its best source, the one with the longest run of words there: its place in `parts`, from 0.
     * @minimum 0
     */
    part: number;
    /**
     * Which other parts have all of it, too.
     */
    alsoIn: number[];
    /**
     * Where it begins in the text of the query (of `/compare`, of a), in UTF-16 code units, as `differences` count: in what was sent as `text`, without a byte order mark; of any other document in the text that is read of it, which `/compare` gives back with `texts`.
     * @minimum 0
     */
    from: number;
    /**
     * Where it ends: the code units before its end.
     * @minimum 0
     */
    to: number;
    /**
     * Words of the passage, as the index counts them.
     * @minimum 0
     */
    tokens: number;
    /**
     * False where a gap that sampling leaves was bridged.
     */
    exact: boolean;
    /**
     * The query's own words from `from` to `to`; of a long passage the first and the last ones, with ` … ` between.
     */
    text: string;
    /**
     * A link to the passage in the match's first source (`#:~:text=`); null where no words on one line are certain to be found there.
     */
    link: string | null;
};

export type CompositionRequest = {
    document: Document;
    /**
     * `sources` (where not given): what explains a share of the text; `quotations`: what passages of some words are from, in a text of any length.
     */
    find?: "sources" | "quotations";
    /**
     * Of sources: the least share of the text's shingles that a part adds to those before it, by its estimate, above 0; 0.02 where not given. What is to be named for certain has twice as much.
     * @minimum 0
     * @maximum 1
     */
    minimumShare?: number;
    /**
     * Of quotations: words in one place, at the least; 25 where not given, 8 to 500.
     * @minimum 1
     */
    minimumWords?: number;
    /**
     * What of the document is explained, and by what of others: `page` (where not given); `main`: those of the main text, less what the pages of its host have in common; `auto`: these where both documents have such a content, else the page.
     */
    content?: "page" | "main" | "auto";
    /**
     * Parts, 20 where not given; at most 100.
     * @minimum 1
     */
    limit?: number;
    /**
     * Sources listed for one part, 3 where not given; at most 1000.
     * @minimum 1
     */
    sourcesPerPart?: number;
    /**
     * Whether to show whose each passage is, as where not given; needs the text.
     */
    passages?: boolean;
    /**
     * States of sources that count; live and gone where not given.
     * @minItems 1
     * @maxItems 3
     */
    include?: ("live" | "gone" | "past")[];
    /**
     * Sources that do not count.
     */
    exclude?: {
        /**
         * Hosts; at most 1000.
         */
        hosts?: string[];
        /**
         * URLs; at most 1000.
         */
        urls?: string[];
    };
    /**
     * Only sources of these hosts count, their subdomains not among them; 1 to 1000.
     */
    hosts?: string[] | null;
    /**
     * Only sources count whose normalised URL begins with this, which is normalised too.
     */
    urlPrefix?: string | null;
    /**
     * Only sources count whose `meta` has all of these keys with these values.
     */
    meta?: Record<string, unknown> | null;
    /**
     * Only sources count that were seen later than this with the content that matches.
     */
    seenAfter?: string | null;
    /**
     * Whether a URL without a body is fetched: `auto` (where not given) where it is not in the index, `never`, or `always`, though it is known. Fetching needs the scope `fetch`.
     */
    fetch?: "auto" | "never" | "always";
    /**
     * After so many ms the answer is what was found by then, fetching counted. Where not given 1000 from when the documents are at hand, fetching not counted; at most 60000.
     * @minimum 1
     */
    deadlineMs?: number;
};

/**
 * What a document says: all URLs with the same words, of which the same are main, share it.
 */
export type Content = {
    /**
     * Keyed digest of the words and of which of them are main, or of the features: equal for documents of this index that have the same.
     */
    id: string;
    /**
     * Of a set of features: then its shingles are its features, and it has no words. Absent of a text.
     */
    kind?: "features";
    /**
     * Words, as the index counts them; of features 0.
     * @minimum 0
     */
    tokens: number;
    /**
     * Distinct shingles, exactly.
     * @minimum 0
     */
    shingles: number;
    /**
     * Fewer than 20 shingles.
     */
    short: boolean;
    /**
     * `read`: its main text was told from menus, headers and the like. `whole`: all of it counts as main, as in a plain text. `not-read`: it comes from an index of before, and was not put since.
     */
    main: "read" | "whole" | "not-read";
    /**
     * Distinct shingles that lie wholly in the main text, exactly; null for `not-read`.
     */
    mainShingles: number | null;
    /**
     * When the index first held it.
     * @format date-time
     */
    createdAt: string;
};

/**
 * The same figures of what both documents say by themselves: their main text, less what the pages of their host have in common.
 */
export type ContentShares = {
    resemblance: EstimatedShare;
    queryInMatch: EstimatedShare;
    matchInQuery: EstimatedShare;
    /**
     * Distinct shingles of the content of the match, an estimate where a template was taken off.
     * @minimum 0
     */
    shingles: number;
    query: ToldContent;
    match: ToldContent;
};

/**
 * What the corpus of CLUSTERS_DIR says, as it was when it was clustered.
 */
export type CorpusAnswer = {
    /**
     * When the corpus was clustered.
     * @format date-time
     */
    asOf: string;
    /**
     * By what a pair is joined: the share of all shingles of both that both have, or how much of the smaller one is in the other.
     */
    by: "resemblance" | "containment";
    /**
     * By what its documents were compared, whatever is asked for.
     */
    content: "page" | "main" | "auto";
    /**
     * It knows no pairs that are less alike.
     * @minimum 0
     * @maximum 1
     */
    floor: number;
    /**
     * Why there is no cluster: `below-floor`, the threshold is; `other-likeness`, the corpus was clustered by the other one.
     */
    state: "found" | "unknown-url" | "below-floor" | "other-likeness";
    /**
     * A cluster of the corpus.
     */
    cluster: CorpusCluster | null;
};

/**
 * A cluster of the corpus.
 */
export type CorpusCluster = {
    /**
     * Documents of the cluster, the one asked for among them.
     * @minimum 0
     */
    documents: number;
    /**
     * Different texts.
     * @minimum 0
     */
    texts: number;
    /**
     * The oldest document; of one time, or without dates, that with the shortest URL; then the first of the input. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    representative: string;
    /**
     * The link without which the cluster parts in two.
     */
    weakest: CorpusLink | null;
    /**
     * Its documents in the order of the input, at most `limit`.
     */
    urls: string[];
};

/**
 * The link without which the cluster parts in two.
 */
export type CorpusLink = {
    /**
     * How alike the two are.
     * @minimum 0
     * @maximum 1
     */
    likeness: number;
    a: LinkSide;
    b: LinkSide;
};

export type DamageAnswer = {
    /**
     * Of very many the first.
     */
    parts: {
        /**
         * The file of the database, where it is known.
         */
        file: string | null;
        /**
         * What is wrong.
         */
        problem: string;
    }[];
    /**
     * What to do.
     */
    advice: string;
};

/**
 * What two texts have in common and what not.
 */
export type Differences = {
    /**
     * False where `limits` names what was left out: the part of a text beyond 4 MiB, spans, or all that the deadline came before.
     */
    complete: boolean;
    a: SpannedText;
    b: SpannedText;
};

/**
 * A document: by one of `text`, `html`, `features` and `bytes`, by `url`, of which `at` names a past version, or by both a body and the URL it belongs to.
 */
export type Document = {
    /**
     * URL of the document; without a body, what is known of it or can be fetched. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url?: string;
    /**
     * Its plain text.
     */
    text?: string;
    /**
     * Its HTML.
     */
    html?: string;
    /**
     * It as a set of strings instead of a text: order and repetition do not matter. At most 100000 of 4096 bytes each, and of all values of a JSON body no more than 20,000.
     */
    features?: string[];
    /**
     * It as it is, in base64: a page in any charset, a PDF file, an office document, a mail.
     * @format byte
     */
    bytes?: string;
    /**
     * With `bytes`: their Content-Type; where not given they say it themselves.
     */
    contentType?: string;
    /**
     * Only what matches counts: a CSS selector, for HTML only.
     * @minLength 1
     */
    select?: string;
    /**
     * Nothing that matches counts: a CSS selector, for HTML only.
     * @minLength 1
     */
    remove?: string;
    /**
     * A version of the URL: a time (RFC 3339), or the id of a content that it had.
     */
    at?: string;
};

export type DocumentAnswer = {
    /**
     * The normalised URL. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * The URL as it was first given.
     */
    spelling: string;
    /**
     * `gone`: 404 or 410.
     */
    state: "live" | "gone";
    /**
     * The HTTP status that was seen, where one was.
     */
    httpStatus: number | null;
    /**
     * Where redirects ended.
     */
    finalUrl: string | null;
    /**
     * Its title.
     */
    title: string | null;
    /**
     * Its language as declared.
     */
    language: string | null;
    /**
     * Any JSON object, kept beside the document; at most 4096 bytes as JSON (META_BYTES_MAX).
     */
    meta: Record<string, unknown> | null;
    /**
     * First observation.
     * @format date-time
     */
    firstSeen: string;
    /**
     * Latest observation.
     * @format date-time
     */
    lastSeen: string;
    /**
     * Observation of what is held now.
     * @format date-time
     */
    observedAt: string;
    content: Content;
    /**
     * URLs with the same content, this one included.
     */
    sources: Source[];
    /**
     * Such URLs in all, exactly.
     * @minimum 0
     */
    sourceCount: number;
    /**
     * Where the next page begins; null where this is the last.
     */
    cursor: string | null;
};

/**
 * A share estimated from samples, with its 95 % interval. Records keep so few bits of each shingle that some agree by chance: these are taken off, and the interval covers them. Where all shingles of both were compared, and such a chance is below 2.5 %, the interval is one number, but for rounding.
 */
export type EstimatedShare = {
    /**
     * The most likely share, to 6 significant digits.
     * @minimum 0
     * @maximum 1
     */
    estimate: number;
    /**
     * Lower end of its 95 % interval, rounded down.
     * @minimum 0
     * @maximum 1
     */
    low: number;
    /**
     * Upper end of its 95 % interval, rounded up.
     * @minimum 0
     * @maximum 1
     */
    high: number;
    /**
     * Whether the share reaches its threshold: `yes` and `no` hold with 97.5 % confidence, else `undecided`; null where no threshold was asked for.
     */
    decision: ("yes" | "no" | "undecided") | null;
};

/**
 * A share computed from both whole documents.
 */
export type ExactShare = {
    /**
     * The share itself, to 6 significant digits: all shingles of both were compared, and the chance that any two were taken for one is below 10^-6.
     * @minimum 0
     * @maximum 1
     */
    exact: number;
    /**
     * Whether the share reaches its threshold: `yes` and `no` hold with 97.5 % confidence, else `undecided`; null where no threshold was asked for.
     */
    decision: ("yes" | "no" | "undecided") | null;
};

/**
 * Where two documents part, step by step, and whether a query by a finds b.
 */
export type Explanation = {
    /**
     * All nine, from bytes to threshold.
     */
    steps: ExplanationStep[];
    /**
     * The first step at which they are not the same; null where there is none.
     */
    partAt: ("bytes" | "decoding" | "text" | "tokens" | "shingles" | "sampling") | null;
    /**
     * The step at which a query by a, at the `thresholds` of this request, loses b; null where it finds it.
     */
    lostAt: ("look-up" | "lists" | "threshold") | null;
    /**
     * POST /similar by a with the `thresholds` of this request; null where it has none.
     */
    asked: QueryOutcome | null;
    byDefault: QueryOutcome;
};

export type ExplanationStep = {
    /**
     * Which step.
     */
    step: "bytes" | "decoding" | "text" | "tokens" | "shingles" | "sampling" | "look-up" | "lists" | "threshold";
    /**
     * As far as `sampling`: whether both are the same here. From `look-up` on: whether a query by a gets past this step to b. Null where that is not known.
     */
    same: boolean | null;
    a: StepFigures;
    b: StepFigures;
    /**
     * What there is to say, in words.
     */
    detail: string;
    /**
     * The first places at which they part, three at the most.
     */
    examples?: {
        /**
         * Of a.
         */
        a: string;
        /**
         * Of b.
         */
        b: string;
    }[];
};

export type ExportAnswerLine = ExportedDocument | UnreadableDocument | ExportSummary;

/**
 * The last line of an export: without it, it was broken off.
 */
export type ExportSummary = {
    /**
     * How it all went.
     */
    summary: {
        /**
         * Documents that were told.
         * @minimum 0
         */
        documents: number;
        /**
         * Documents that cannot be read.
         * @minimum 0
         */
        unreadableCount: number;
        /**
         * False where something went wrong: go on `after` the last URL.
         */
        complete: boolean;
    };
};

/**
 * A document of an export.
 */
export type ExportedDocument = {
    /**
     * The normalised URL. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * The URL as it was first given.
     */
    spelling: string;
    /**
     * `gone`: 404 or 410.
     */
    state: "live" | "gone";
    /**
     * The HTTP status that was seen, where one was.
     */
    httpStatus: number | null;
    /**
     * Where redirects ended.
     */
    finalUrl: string | null;
    /**
     * Its title.
     */
    title: string | null;
    /**
     * Its language as declared.
     */
    language: string | null;
    /**
     * Any JSON object, kept beside the document; at most 4096 bytes as JSON (META_BYTES_MAX).
     */
    meta: Record<string, unknown> | null;
    /**
     * First observation.
     * @format date-time
     */
    firstSeen: string;
    /**
     * Latest observation.
     * @format date-time
     */
    lastSeen: string;
    /**
     * Observation of what is held now.
     * @format date-time
     */
    observedAt: string;
    /**
     * Keyed digest of the words: equal for documents of this index with the same words.
     */
    contentId: string;
    /**
     * Its versions, newest first; at most 1000.
     */
    versions: ChangedVersion[];
    /**
     * Whether it has more of them: `GET /documents/versions` lists all.
     */
    moreVersions: boolean;
};

export type ForgetAnswer = {
    /**
     * Documents of the selection when the call began.
     * @minimum 0
     */
    matched: number;
    /**
     * Documents that this call has deleted; with `dryRun` none.
     * @minimum 0
     */
    deleted: number;
    /**
     * Documents that were left, since they cannot be read.
     * @minimum 0
     */
    unreadableCount: number;
    /**
     * For the call that deletes what is left: after a count, and where deleting takes longer than 20 s; null where nothing is left.
     */
    confirm: string | null;
    /**
     * Time taken here, in ms.
     * @minimum 0
     */
    elapsedMs: number;
};

/**
 * How often documents of a host change.
 */
export type HostChanges = {
    /**
     * The host; null: names, which have none.
     */
    host: string | null;
    /**
     * Its documents.
     * @minimum 0
     */
    documents: number;
    /**
     * Their versions; of a document 1,000 at the most, the newest.
     * @minimum 0
     */
    versions: number;
    /**
     * Days between the first sighting and the last; of many documents their sum.
     * @minimum 0
     */
    days: number;
    changes: ChangeCounts;
    /**
     * Changes a day, by kind, to 6 significant digits; null where nothing was seen at two times.
     */
    perDay: ChangesPerDay | null;
};

export type HostChangesAnswer = {
    /**
     * By their labels from the last to the first; names come first.
     */
    hosts: HostChanges[];
    /**
     * Documents in no count, since what is known of them cannot be read.
     * @minimum 0
     */
    unreadableCount: number;
    /**
     * Where the next page begins; null where this is the last.
     */
    cursor: string | null;
};

/**
 * What one host has of the matches; its shares are those of the first of them.
 */
export type HostCopies = {
    /**
     * null: names, which have none.
     */
    host: string | null;
    /**
     * Matches of which it has a source.
     * @minimum 0
     */
    matches: number;
    /**
     * Its sources of these matches.
     * @minimum 0
     */
    sourceCount: number;
    resemblance: EstimatedShare;
    queryInMatch: EstimatedShare;
    /**
     * First observation of any of these sources with the content that matches.
     * @format date-time
     */
    firstSeen: string;
    /**
     * Latest observation of any of them with it.
     * @format date-time
     */
    lastSeen: string;
};

/**
 * How many documents a host has.
 */
export type HostCount = {
    /**
     * The host; null: names, which have none.
     */
    host: string | null;
    /**
     * Its documents.
     * @minimum 0
     */
    documents: number;
    /**
     * Present if `host` is given without `subdomains`; null if fewer than three of its pages differ.
     */
    template?: HostTemplate | null;
};

/**
 * What the pages of a host have in common, such as navigation and footers.
 */
export type HostTemplate = {
    /**
     * Of how many of its pages it was told: 64 at the most, and copies count once.
     * @minimum 0
     */
    pages: number;
    /**
     * How many shingles it has, estimated.
     * @minimum 0
     */
    shingles: number;
};

export type HostsAnswer = {
    /**
     * By their labels from the last to the first; names come first.
     */
    hosts: HostCount[];
    /**
     * Documents in no count, since whether they pass the filters cannot be read.
     * @minimum 0
     */
    unreadableCount: number;
    /**
     * Where the next page begins; null where this is the last. A page may be short, or empty, and not the last: so it is where few documents pass the filters.
     */
    cursor: string | null;
};

/**
 * How postings are kept; null where the index cannot be read for now.
 */
export type IndexAnswer = {
    /**
     * Sorted pieces that a look-up reads.
     * @minimum 0
     */
    segments: number;
    /**
     * Postings in them, of forgotten contents too until a merge drops those.
     * @minimum 0
     */
    segmentPostings: number;
    /**
     * Contents whose postings are in memory only; their records are on disk.
     * @minimum 0
     */
    tailContents: number;
    /**
     * Postings in memory.
     * @minimum 0
     */
    tailPostings: number;
    /**
     * Contents forgotten of late, whose postings are still to be dropped.
     * @minimum 0
     */
    forgotten: number;
    /**
     * Whether segments are being merged.
     */
    merging: boolean;
    /**
     * The longest posting lists in segments.
     */
    longestLists: {
        /**
         * Contents in the list, estimated where it was cut.
         * @minimum 0
         */
        contents: number;
        /**
         * Of all contents, about.
         * @minimum 0
         * @maximum 1
         */
        share: number;
    }[];
    /**
     * Bytes of table files, about; what is in logs is not among them.
     */
    bytesByKind: {
        /**
         * URLs and their past versions.
         * @minimum 0
         */
        sources: number;
        /**
         * What is known of contents.
         * @minimum 0
         */
        records: number;
        /**
         * Contents by their digests, and further holders.
         * @minimum 0
         */
        digests: number;
        /**
         * Segments.
         * @minimum 0
         */
        postings: number;
        /**
         * Sizes of contents.
         * @minimum 0
         */
        shingleCounts: number;
    };
    /**
     * Bytes of memory by part.
     */
    memoryBytes: {
        /**
         * Sizes of contents.
         * @minimum 0
         */
        contentTable: number;
        /**
         * Which sources and contents there may be.
         * @minimum 0
         */
        knownKeys: number;
        /**
         * Sources that show what another one shows too.
         * @minimum 0
         */
        holders: number;
        /**
         * Postings that no segment has yet.
         * @minimum 0
         */
        tail: number;
        /**
         * Posting lists of segments.
         * @minimum 0
         */
        images: number;
        /**
         * What spares look-ups most segments.
         * @minimum 0
         */
        filters: number;
        /**
         * Records of families that were met lately.
         * @minimum 0
         */
        families: number;
        /**
         * Cache and write buffers of LevelDB.
         * @minimum 0
         */
        level: number;
    };
    /**
     * About how many bytes of images of posting lists are still to be made in memory. Until then questions take longer.
     * @minimum 0
     */
    imageBytesLeft: number;
};

/**
 * The cluster in the index, as it is now.
 */
export type IndexCluster = {
    /**
     * When it was answered.
     * @format date-time
     */
    asOf: string;
    /**
     * The source that was seen first with its content; of several that with the shortest URL, then the least. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    representative: string;
    /**
     * The content of the URL, then each by the strongest pair that any content outside had with one before it: the pairs are the maximum spanning tree of the cluster.
     */
    members: ClusterMember[];
    /**
     * Members.
     * @minimum 0
     */
    contentCount: number;
    /**
     * The pair without which the cluster parts in two, as at any higher threshold; b was joined by it.
     */
    weakest: WeakestPair | null;
    /**
     * The chance that a content that is just so alike to a member was met by it: a lower bound, the least of all members. By `containment` it is that of the shortest possible content, one shingle.
     * @minimum 0
     * @maximum 1
     */
    recall: number;
    /**
     * Present by `containment`: the recall of longer contents.
     */
    recallBySize?: SizeRecall[];
    /**
     * False where a limit may have left something out.
     */
    complete: boolean;
    /**
     * Limits that bit.
     */
    limits: LimitReached[];
    /**
     * Present where `content` is `main` and nothing is found, since what is asked about has no content: why.
     */
    contentUnknown?: "not-read" | "too-little";
};

/**
 * A limit that bit, and how much.
 */
export type LimitReached = {
    /**
     * Which limit.
     */
    code: "candidates" | "look-ups" | "capped-lists" | "deadline" | "template" | "unreadable" | "members" | "contents" | "sources" | "source-counts" | "answer-bytes" | "passages" | "passages-need-text" | "passages-text" | "differences-need-text" | "differences-text" | "differences-spans";
    /**
     * How many were left out or cut.
     * @minimum 0
     */
    affected: number;
    /**
     * Of how many.
     * @minimum 0
     */
    of: number;
    raise?: RaisedSetting;
    /**
     * Present for `candidates` where `thorough` was not asked for: how many of the documents that may be matches it reads at the most, those among them that were read here.
     * @minimum 0
     */
    thoroughReads?: number;
};

/**
 * One side of the weakest link.
 */
export type LinkSide = {
    /**
     * A document of the link. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * Documents on its side, were the link not there.
     * @minimum 0
     */
    documents: number;
};

export type ListAnswer = {
    /**
     * By reversed host, then by URL; names come first.
     */
    documents: ListedDocument[];
    /**
     * URLs that are there, of which what is known cannot be read.
     */
    unreadable: string[];
    /**
     * Where the next page begins; null where this is the last. A page may be short, or empty, and not the last: so it is where few documents pass the filters.
     */
    cursor: string | null;
};

/**
 * A document of a list.
 */
export type ListedDocument = {
    /**
     * The normalised URL. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * The URL as it was first given.
     */
    spelling: string;
    /**
     * `gone`: 404 or 410.
     */
    state: "live" | "gone";
    /**
     * The HTTP status that was seen, where one was.
     */
    httpStatus: number | null;
    /**
     * Where redirects ended.
     */
    finalUrl: string | null;
    /**
     * Its title.
     */
    title: string | null;
    /**
     * Its language as declared.
     */
    language: string | null;
    /**
     * Any JSON object, kept beside the document; at most 4096 bytes as JSON (META_BYTES_MAX).
     */
    meta: Record<string, unknown> | null;
    /**
     * First observation.
     * @format date-time
     */
    firstSeen: string;
    /**
     * Latest observation.
     * @format date-time
     */
    lastSeen: string;
    /**
     * Observation of what is held now.
     * @format date-time
     */
    observedAt: string;
    /**
     * Keyed digest of the words: equal for documents of this index with the same words.
     */
    contentId: string;
};

export type Live = {
    status: "live";
};

/**
 * A place at which main text stands.
 */
export type MainPlace = {
    /**
     * Where it begins, in UTF-16 code units of the text.
     * @minimum 0
     */
    from: number;
    /**
     * Where it ends.
     * @minimum 0
     */
    to: number;
};

/**
 * A content of the index that meets a threshold, with the URLs that show it.
 */
export type Match = {
    /**
     * The strongest that holds: `identical` bytes; `lexical`: the same words in the same order; `shingle`: the same set of shingles.
     */
    equivalence: "identical" | "lexical" | "shingle" | "none";
    resemblance: EstimatedShare;
    queryInMatch: EstimatedShare;
    matchInQuery: EstimatedShare;
    /**
     * Distinct shingles of the match, exactly.
     * @minimum 0
     */
    shingles: number;
    /**
     * The same figures of what both documents say by themselves: their main text, less what the pages of their host have in common.
     */
    content: ContentShares | null;
    /**
     * Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.
     */
    contentUnknown?: "not-read" | "too-little" | "whole" | "deadline";
    /**
     * Present where `content` is `main` or `auto`: by which figures thresholds go; null where one has no content.
     */
    decidedBy?: ("page" | "content") | null;
    /**
     * Title of its first source.
     */
    title: string | null;
    /**
     * Any JSON object, kept beside the document; at most 4096 bytes as JSON (META_BYTES_MAX).
     */
    meta: Record<string, unknown> | null;
    /**
     * URLs at which this content was seen.
     */
    sources: Source[];
    /**
     * Sources of the match in all, exactly, unless there are `moreSources`.
     * @minimum 0
     */
    sourceCount: number;
    /**
     * Present if a filter (`hosts`, `excludeHosts`, `urlPrefix`, `meta`, `seenAfter`) or `groupBy` did not see all sources. `sourceCount` then counts those that passed it: the first 1,000, or as many as were read.
     */
    moreSources?: boolean;
    /**
     * In the order of the query's text. Left out where they were not asked for, or the text is not at hand: of a URL that the index knows, which keeps no text.
     */
    passages?: Passage[];
};

/**
 * The strongest pair that the member had with one before it.
 */
export type MemberPair = {
    /**
     * A member before this one.
     */
    contentId: string;
    likeness: EstimatedShare;
    /**
     * How alike the two are in what both documents say by themselves: their main text, less what the pages of their host have in common.
     */
    content: PairContents | null;
    /**
     * Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.
     */
    contentUnknown?: "not-read" | "too-little" | "whole" | "deadline";
    /**
     * Present where `content` is `main` or `auto`: by which figures thresholds go; null where one has no content.
     */
    decidedBy?: ("page" | "content") | null;
};

/**
 * A URL that says a content now, or said it last before it was gone.
 */
export type MemberSource = {
    /**
     * The normalised URL. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * `gone`: 404 or 410 was seen or told; `past`: the URL shows something else by now.
     */
    state: "live" | "gone" | "past";
    /**
     * First observation with this content.
     * @format date-time
     */
    firstSeen: string;
    /**
     * Latest observation with this content.
     * @format date-time
     */
    lastSeen: string;
};

export type MovedAnswer = {
    /**
     * The normalised old URL. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * `live`: it shows its document; `redirected`: the same, from another address; `replaced`: it shows something else than before; `gone`: 404 or 410 was seen or told.
     */
    state: "live" | "redirected" | "replaced" | "gone";
    /**
     * When it was last seen to show anything.
     * @format date-time
     */
    lastSeen: string;
    /**
     * The surest first.
     */
    candidates: MovedCandidate[];
    /**
     * What is not offered, and why.
     */
    refused: RefusedPage[];
    /**
     * Contents that it had and that are no longer kept: they are not looked for.
     * @minimum 0
     */
    contentsForgotten: number;
    /**
     * Where archives have old versions of it; null where TIMEGATE_PREFIX is not set.
     */
    timegate: string | null;
    /**
     * For each threshold the chance that a document exactly at it was looked at, or a lower bound of it. Whether its estimate then reaches the threshold is not part of that: about every second does.
     */
    recall: {
        /**
         * The chance that a document exactly at the threshold was looked at, whatever its size; null where not looked for.
         */
        resemblance: number | null;
        /**
         * The chance that a document exactly at the threshold was looked at, whatever its size; null where not looked for.
         */
        queryInMatch: number | null;
        /**
         * The chance that a document exactly at the threshold was looked at, whatever its size; null where not looked for.
         */
        matchInQuery: number | null;
        /**
         * Present where `matchInQuery` is looked for. The shorter a match, the fewer shingles it can be met by: `matchInQuery` is the recall of the shortest possible match, one shingle, and this that of longer ones.
         */
        matchInQueryBySize?: SizeRecall[];
    };
    /**
     * False where a limit may have cost a candidate.
     */
    complete: boolean;
    /**
     * Every limit that bit.
     */
    limits: LimitReached[];
    /**
     * Present where `content` is `main` and nothing is found, since what is asked about has no content: why.
     */
    contentUnknown?: "not-read" | "too-little";
    /**
     * Time taken here, in ms.
     * @minimum 0
     */
    elapsedMs: number;
};

export type MovedAnswerLine = MovedDone | MovedFailed | Summary;

/**
 * A live URL that shows the document of the old one.
 */
export type MovedCandidate = {
    /**
     * Where the document is. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * `redirect`: the old URL was seen to lead there; `within-host`, `other-host`: it was first seen there after it was last seen at the old one; `copy`: it was there before: no move, but the document is there.
     */
    how: "redirect" | "within-host" | "other-host" | "copy";
    /**
     * By a rule that docs/moved.md states. `possible` is worth a look by a person, no more.
     */
    sure: "certain" | "likely" | "possible";
    /**
     * The strongest that holds: `identical` bytes; `lexical`: the same words in the same order; `shingle`: the same set of shingles.
     */
    equivalence: "identical" | "lexical" | "shingle" | "none";
    resemblance: EstimatedShare;
    queryInMatch: EstimatedShare;
    /**
     * The same figures of what both documents say by themselves: their main text, less what the pages of their host have in common.
     */
    content: ContentShares | null;
    /**
     * Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.
     */
    contentUnknown?: "not-read" | "too-little" | "whole" | "deadline";
    /**
     * Present where `content` is `main` or `auto`: by which figures thresholds go; null where one has no content.
     */
    decidedBy?: ("page" | "content") | null;
    /**
     * When it was first seen with what it says; null where the index only knows that something led there.
     */
    firstSeen: string | null;
    /**
     * When it was last seen so.
     */
    lastSeen: string | null;
    /**
     * Its title.
     */
    title: string | null;
    /**
     * The URL that was seen to lead there, where that is neither the old one nor this one.
     */
    via: string | null;
    /**
     * When the old URL was last seen with what this is compared with.
     * @format date-time
     */
    shownUntil: string;
};

/**
 * The answer to a URL.
 */
export type MovedDone = {
    /**
     * Line of the request, from 1.
     * @minimum 1
     */
    line: number;
    status: 200;
    answer: MovedAnswer;
};

/**
 * A URL that was refused or failed; the others go on.
 */
export type MovedFailed = {
    /**
     * Line of the request, from 1.
     * @minimum 1
     */
    line: number;
    /**
     * HTTP status.
     * @minimum 400
     * @maximum 599
     */
    status: number;
    /**
     * The URL as it was sent, where it was read; its first 200 characters.
     */
    url: string | null;
    /**
     * What to switch on.
     */
    code: "malformed-request" | "invalid-json" | "invalid-utf8" | "invalid-request" | "invalid-url" | "invalid-selector" | "invalid-cursor" | "body-incomplete" | "unauthorized" | "forbidden" | "foreign-origin" | "unknown-route" | "unknown-url" | "unknown-version" | "method-not-allowed" | "backup-exists" | "backup-not-configured" | "upkeep-running" | "selection-changed" | "request-timeout" | "body-too-large" | "uri-too-long" | "unsupported-media-type" | "expectation-failed" | "empty-document" | "document-too-complex" | "unreadable-document" | "unsupported-charset" | "observed-in-future" | "not-fetchable" | "rate-limited" | "write-queue-full" | "unknown-host" | "headers-too-large" | "fetch-failed" | "fetch-status" | "fetch-too-large" | "fetch-timeout" | "robots-disallowed" | "internal" | "index-unreadable" | "overloaded" | "draining" | "deadline-exceeded" | "storage-full" | "invalid-config" | "index-missing" | "index-locked" | "index-mismatch" | "load-unfinished" | "index-exists" | "folder-is-backup" | "backup-missing" | "backup-damaged" | "index-damaged" | "result-missing" | "result-damaged" | "input-unreadable" | "input-changed" | "output-exists" | "output-unwritable" | "memory-short" | "service-unreachable";
    /**
     * What happened.
     */
    detail: string;
    /**
     * The field at fault.
     */
    field?: string;
    /**
     * The limit that was met.
     */
    limit?: {
        name: string;
        value: number;
    };
};

export type MovedLine = {
    /**
     * The old URL, as the index knows it. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * Candidates of a URL, 10 where not given; at most 1000.
     * @minimum 1
     */
    limit?: number;
    /**
     * Whether candidates are looked for of a URL that still shows its document, too.
     */
    always?: boolean;
    /**
     * By which figures a page says the same as the old URL, or nearly: `page` (where not given); `main`: those of the main text, less what the pages of its host have in common; `auto`: these where both documents have such a content, else the page.
     */
    content?: "page" | "main" | "auto";
    /**
     * After so many ms the answer is what was found by then, fetching counted. Where not given 1000 from when the documents are at hand, fetching not counted; at most 60000.
     * @minimum 1
     */
    deadlineMs?: number;
};

export type MovedList = {
    /**
     * Old URLs; at most 1000, each of at most 2048 bytes (URL_BYTES_MAX).
     */
    urls: string[];
    /**
     * Candidates of a URL, 10 where not given; at most 1000.
     * @minimum 1
     */
    limit?: number;
    /**
     * Whether candidates are looked for of a URL that still shows its document, too.
     */
    always?: boolean;
    /**
     * By which figures a page says the same as the old URL, or nearly: `page` (where not given); `main`: those of the main text, less what the pages of its host have in common; `auto`: these where both documents have such a content, else the page.
     */
    content?: "page" | "main" | "auto";
    /**
     * After so many ms the answer is what was found by then, fetching counted. Where not given 1000 from when the documents are at hand, fetching not counted; at most 60000.
     * @minimum 1
     */
    deadlineMs?: number;
};

export type MovedListAnswer = {
    /**
     * One for each URL, in their order; `line` is its place, from 1.
     */
    answers: (MovedDone | MovedFailed)[];
    /**
     * Time taken here, in ms.
     * @minimum 0
     */
    elapsedMs: number;
};

/**
 * What the content of a document was told from, and how much it is.
 */
export type OwnContent = {
    /**
     * Whether its main text is told from the rest of it, or all of it counts.
     */
    main: "read" | "whole" | "not-read";
    /**
     * What pages of its host have in common, which was taken off.
     */
    template: Template | null;
    /**
     * Its distinct shingles, an estimate where a template was taken off.
     * @minimum 0
     */
    shingles: number;
};

/**
 * How alike the two are in what both documents say by themselves: their main text, less what the pages of their host have in common.
 */
export type PairContents = {
    likeness: EstimatedShare;
};

/**
 * How much a part has of what the document says by itself.
 */
export type PartContent = {
    /**
     * Of the shingles of its content.
     */
    share: {
        /**
         * By the sample, without bias, to 6 significant digits.
         * @minimum 0
         * @maximum 1
         */
        estimate: number;
        /**
         * Lower end of its 95 % interval, rounded down.
         * @minimum 0
         * @maximum 1
         */
        low: number;
        /**
         * Upper end, rounded up; both ends are the share itself where all shingles were compared.
         * @minimum 0
         * @maximum 1
         */
        high: number;
    };
    /**
     * Of the shingles of its content.
     */
    unique: {
        /**
         * By the sample, without bias, to 6 significant digits.
         * @minimum 0
         * @maximum 1
         */
        estimate: number;
        /**
         * Lower end of its 95 % interval, rounded down.
         * @minimum 0
         * @maximum 1
         */
        low: number;
        /**
         * Upper end, rounded up; both ends are the share itself where all shingles were compared.
         * @minimum 0
         * @maximum 1
         */
        high: number;
    };
    /**
     * Whether its main text is told from the rest of it, or all of it counts.
     */
    main: "read" | "whole" | "not-read";
    /**
     * What pages of its host have in common, which was taken off.
     */
    template: Template | null;
    /**
     * Its distinct shingles, an estimate where a template was taken off.
     * @minimum 0
     */
    shingles: number;
};

/**
 * A run of words that both documents have.
 */
export type Passage = {
    /**
     * Where it begins in the text of the query (of `/compare`, of a), in UTF-16 code units, as `differences` count: in what was sent as `text`, without a byte order mark; of any other document in the text that is read of it, which `/compare` gives back with `texts`.
     * @minimum 0
     */
    from: number;
    /**
     * Where it ends: the code units before its end.
     * @minimum 0
     */
    to: number;
    /**
     * Words of the passage, as the index counts them.
     * @minimum 0
     */
    tokens: number;
    /**
     * False where a gap that sampling leaves was bridged.
     */
    exact: boolean;
    /**
     * The query's own words from `from` to `to`; of a long passage the first and the last ones, with ` … ` between.
     */
    text: string;
    /**
     * A link to the passage in the match's first source (`#:~:text=`); null where no words on one line are certain to be found there.
     */
    link: string | null;
};

/**
 * An error (RFC 9457).
 */
export type Problem = {
    /**
     * Names the kind of problem.
     */
    type: string;
    /**
     * The kind in words.
     */
    title: string;
    /**
     * The HTTP status.
     * @minimum 400
     * @maximum 599
     */
    status: number;
    /**
     * What to switch on; never changes its meaning.
     */
    code: "malformed-request" | "invalid-json" | "invalid-utf8" | "invalid-request" | "invalid-url" | "invalid-selector" | "invalid-cursor" | "body-incomplete" | "unauthorized" | "forbidden" | "foreign-origin" | "unknown-route" | "unknown-url" | "unknown-version" | "method-not-allowed" | "backup-exists" | "backup-not-configured" | "upkeep-running" | "selection-changed" | "request-timeout" | "body-too-large" | "uri-too-long" | "unsupported-media-type" | "expectation-failed" | "empty-document" | "document-too-complex" | "unreadable-document" | "unsupported-charset" | "observed-in-future" | "not-fetchable" | "rate-limited" | "write-queue-full" | "unknown-host" | "headers-too-large" | "fetch-failed" | "fetch-status" | "fetch-too-large" | "fetch-timeout" | "robots-disallowed" | "internal" | "index-unreadable" | "overloaded" | "draining" | "deadline-exceeded" | "storage-full" | "invalid-config" | "index-missing" | "index-locked" | "index-mismatch" | "load-unfinished" | "index-exists" | "folder-is-backup" | "backup-missing" | "backup-damaged" | "index-damaged" | "result-missing" | "result-damaged" | "input-unreadable" | "input-changed" | "output-exists" | "output-unwritable" | "memory-short" | "service-unreachable";
    /**
     * What happened this time.
     */
    detail: string;
    /**
     * Names the request in the log.
     */
    requestId: string;
    /**
     * The field at fault.
     */
    field?: string;
    /**
     * The limit that was met.
     */
    limit?: {
        name: string;
        value: number;
    };
};

export type PutAnswer = {
    /**
     * The normalised URL. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * `created`: a new URL; `updated`: its content changed; `unchanged`: the same again; `back`: the same again, after it was gone; `history`: older than what is known; `skipped`: nothing was written, since something similar is there.
     */
    status: "created" | "updated" | "unchanged" | "back" | "history" | "gone" | "deleted" | "skipped";
    /**
     * Whether the index did not hold this content before; null without the scope `read`.
     */
    newContent: boolean | null;
    /**
     * Whether the URL is found by this content from now on. False for an older version whose content is not kept (RETENTION_*): it is listed, and no more.
     */
    contentKept: boolean;
    /**
     * When the document was seen.
     * @format date-time
     */
    observedAt: string;
    /**
     * Its content; null where nothing is held any more, and without the scope `read`.
     */
    content: Content | null;
    /**
     * The nearest other documents, where asked for; of what was skipped those that stand against it.
     */
    similar?: Match[];
    /**
     * False where something may be missing from `similar`, or may stand against what was written.
     */
    similarComplete?: boolean;
    /**
     * Time taken here, in ms.
     * @minimum 0
     */
    elapsedMs: number;
};

/**
 * One of `text`, `html`, `features`, `bytes`, `fetch` and `status`; an option stands here or in the query string, not in both.
 */
export type PutDocument = {
    /**
     * Its plain text.
     */
    text?: string;
    /**
     * Its HTML.
     */
    html?: string;
    /**
     * It as a set of strings instead of a text: order and repetition do not matter. At most 100000 of 4096 bytes each, and of all values of a JSON body no more than 20,000.
     */
    features?: string[];
    /**
     * It as it is, in base64: a page in any charset, a PDF file, an office document, a mail.
     * @format byte
     */
    bytes?: string;
    /**
     * With `bytes`: their Content-Type; where not given they say it themselves.
     */
    contentType?: string;
    /**
     * Fetch the URL instead of sending a body; needs the scope `fetch`.
     */
    fetch?: boolean;
    /**
     * The URL is gone: this status was seen. Without a body.
     */
    status?: 404 | 410;
    /**
     * When the document was seen, RFC 3339; where not given now, after all that is known. Older than known: history.
     * @format date-time
     */
    observedAt?: string;
    /**
     * Any JSON object, kept beside the document; at most 4096 bytes as JSON (META_BYTES_MAX).
     */
    meta?: Record<string, unknown> | null;
    /**
     * Nearest other documents to name in the answer; at most 100.
     * @minimum 0
     */
    similar?: number;
    /**
     * Nothing is written where a live document of another URL meets one of the thresholds, of which one must be given: then `skipped`, with what stands against it in `similar`. Needs the scope `read` too.
     */
    unless?: "similar";
    /**
     * With `unless`: by which figures thresholds go: `page` (where not given); `main`: those of the main text, less what the pages of its host have in common; `auto`: these where both documents have such a content, else the page.
     */
    content?: "page" | "main" | "auto";
    /**
     * What `unless` counts as similar: whatever reaches any of these by its estimate. Above 0.
     */
    thresholds?: {
        /**
         * With `unless`: so much of all shingles of both is in both. null = not looked for; null where not given.
         */
        resemblance?: number | null;
        /**
         * With `unless`: so much of this document is in the other one. null = not looked for; null where not given.
         */
        queryInMatch?: number | null;
        /**
         * With `unless`: so much of the other one is in this document. null = not looked for; null where not given.
         */
        matchInQuery?: number | null;
    };
    /**
     * Only what matches counts: a CSS selector, for HTML only.
     * @minLength 1
     */
    select?: string;
    /**
     * Nothing that matches counts: a CSS selector, for HTML only.
     * @minLength 1
     */
    remove?: string;
};

/**
 * The document asked about.
 */
export type Query = {
    /**
     * Where the document came from.
     */
    from: "body" | "index" | "fetch";
    /**
     * Its normalised URL, where it has one.
     */
    url: string | null;
    /**
     * Of a set of features: then its shingles are its features, and it has no words. Absent of a text.
     */
    kind?: "features";
    /**
     * Words, as the index counts them; of features 0.
     * @minimum 0
     */
    tokens: number;
    /**
     * Distinct shingles, exactly.
     * @minimum 0
     */
    shingles: number;
    /**
     * Fewer than 20 shingles: resemblance says little about it.
     */
    short: boolean;
    /**
     * Version and key of the fingerprints; only equal ones compare.
     */
    fingerprintId: string;
    version?: Version;
};

/**
 * What a query by a finds.
 */
export type QueryOutcome = {
    /**
     * Whether b is a match.
     */
    found: boolean;
    /**
     * Its place among the matches; null where it is none.
     */
    rank: number | null;
    /**
     * How many matches there are, a itself with them where the index has it.
     * @minimum 0
     */
    matches: number;
    /**
     * False where a limit may have left out a match.
     */
    complete: boolean;
    /**
     * The same in words.
     */
    detail: string;
};

/**
 * Present where a setting, raised, leaves nothing out.
 */
export type RaisedSetting = {
    /**
     * The setting of the service that bit.
     */
    setting: string;
    /**
     * Its least value at which nothing of this question is left out.
     * @minimum 0
     */
    to: number;
};

export type Ready = {
    status: "ready" | "not-ready";
    /**
     * What was looked at.
     */
    checks: {
        /**
         * Anything but `ready` is not ready. `opening` may already answer, more slowly.
         */
        phase: "opening" | "ready" | "draining";
        /**
         * False after a value of the index could not be read: not ready.
         */
        undamaged: boolean;
        /**
         * False while the disk refuses writes; still ready.
         */
        writable: boolean;
    };
};

/**
 * A page that is not offered, and why.
 */
export type RefusedPage = {
    /**
     * The page; the old URL itself, where that shows it or showed it last. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * `soft-404`: it took the place of many different documents; `parked`: the same, on many hosts; `home-page`: the first page of a host, where the old URL was none; `other-document`: the old URL leads there, but it says something else.
     */
    reason: "soft-404" | "parked" | "home-page" | "other-document";
    /**
     * Different documents that it took the place of, as many as were counted: of many pages that are gone by what the first of them showed before. Null for other reasons.
     */
    sharedBy: number | null;
};

/**
 * Present with `nearest`: how much of the query it has together.
 */
export type SharedTogether = {
    /**
     * The fewest of `nearest` that it takes: each adds a fiftieth of the query or more.
     * @minimum 0
     */
    documents: number;
    /**
     * So much of the shingles of the query these have; what several have counts once.
     */
    share: {
        /**
         * By the sample, without bias, to 6 significant digits.
         * @minimum 0
         * @maximum 1
         */
        estimate: number;
        /**
         * Lower end of its 95 % interval, rounded down.
         * @minimum 0
         * @maximum 1
         */
        low: number;
        /**
         * Upper end, rounded up; both ends are the share itself where all shingles were compared.
         * @minimum 0
         * @maximum 1
         */
        high: number;
    };
};

export type ShownGroup = {
    representative: CollapsedResult;
    /**
     * The others, in their order.
     */
    members: CollapsedMember[];
    /**
     * Groups of the same host beyond `perHost`, in their order.
     */
    moreOfHost: CollapsedGroup[];
};

export type SimilarAnswer = {
    query: Query;
    /**
     * Best first; the query itself is not among them.
     */
    matches: Match[];
    /**
     * Where the next page begins; null where this is the last.
     */
    cursor: string | null;
    /**
     * For each threshold the chance that a document exactly at it was looked at, or a lower bound of it. Whether its estimate then reaches the threshold is not part of that: about every second does.
     */
    recall: {
        /**
         * The chance that a document exactly at the threshold was looked at, whatever its size; null where not looked for.
         */
        resemblance: number | null;
        /**
         * The chance that a document exactly at the threshold was looked at, whatever its size; null where not looked for.
         */
        queryInMatch: number | null;
        /**
         * The chance that a document exactly at the threshold was looked at, whatever its size; null where not looked for.
         */
        matchInQuery: number | null;
        /**
         * Present where `matchInQuery` is looked for. The shorter a match, the fewer shingles it can be met by: `matchInQuery` is the recall of the shortest possible match, one shingle, and this that of longer ones.
         */
        matchInQueryBySize?: SizeRecall[];
    };
    /**
     * False where a limit may have cost a match.
     */
    complete: boolean;
    /**
     * Every limit that bit.
     */
    limits: LimitReached[];
    /**
     * Present where `content` is `main` and nothing is found, since what is asked about has no content: why.
     */
    contentUnknown?: "not-read" | "too-little";
    /**
     * Present where nothing reaches a threshold, though something comes near: the documents that have most of the query, a tenth of it or more, those with the largest `queryInMatch` first; at most 10. No threshold is met by any of them: `decision` is `no` or `undecided`.
     */
    nearest?: Match[];
    nearestTogether?: SharedTogether;
    /**
     * Present with `thorough` where lists or candidates were cut: how many contents there are, about, that meet a threshold, those that were found among them.
     * @minimum 0
     */
    estimatedCopies?: number;
    /**
     * Present on the last page of `thorough`: matches of all pages.
     * @minimum 0
     */
    matchCount?: number;
    /**
     * Present on the last page of `thorough`: which hosts have the matches of all pages, the best first.
     */
    hosts?: HostCopies[];
    /**
     * Time taken here, in ms.
     * @minimum 0
     */
    elapsedMs: number;
};

export type SimilarAnswerLine = SimilarDone | SimilarFailed | Summary;

/**
 * The answer to a line.
 */
export type SimilarDone = {
    /**
     * Line of the request, from 1.
     * @minimum 1
     */
    line: number;
    status: 200;
    answer: SimilarAnswer;
};

/**
 * A line that was refused or failed; the others go on.
 */
export type SimilarFailed = {
    /**
     * Line of the request, from 1.
     * @minimum 1
     */
    line: number;
    /**
     * HTTP status.
     * @minimum 400
     * @maximum 599
     */
    status: number;
    /**
     * What to switch on.
     */
    code: "malformed-request" | "invalid-json" | "invalid-utf8" | "invalid-request" | "invalid-url" | "invalid-selector" | "invalid-cursor" | "body-incomplete" | "unauthorized" | "forbidden" | "foreign-origin" | "unknown-route" | "unknown-url" | "unknown-version" | "method-not-allowed" | "backup-exists" | "backup-not-configured" | "upkeep-running" | "selection-changed" | "request-timeout" | "body-too-large" | "uri-too-long" | "unsupported-media-type" | "expectation-failed" | "empty-document" | "document-too-complex" | "unreadable-document" | "unsupported-charset" | "observed-in-future" | "not-fetchable" | "rate-limited" | "write-queue-full" | "unknown-host" | "headers-too-large" | "fetch-failed" | "fetch-status" | "fetch-too-large" | "fetch-timeout" | "robots-disallowed" | "internal" | "index-unreadable" | "overloaded" | "draining" | "deadline-exceeded" | "storage-full" | "invalid-config" | "index-missing" | "index-locked" | "index-mismatch" | "load-unfinished" | "index-exists" | "folder-is-backup" | "backup-missing" | "backup-damaged" | "index-damaged" | "result-missing" | "result-damaged" | "input-unreadable" | "input-changed" | "output-exists" | "output-unwritable" | "memory-short" | "service-unreachable";
    /**
     * What happened.
     */
    detail: string;
    /**
     * The field at fault.
     */
    field?: string;
    /**
     * The limit that was met.
     */
    limit?: {
        name: string;
        value: number;
    };
};

export type SimilarRequest = {
    document: Document;
    /**
     * What counts as a match: whoever reaches any of these by its estimate.
     */
    thresholds?: {
        /**
         * Least share of all shingles of both that both have. null = not looked for; 0.5 where not given.
         */
        resemblance?: number | null;
        /**
         * Least share of the query's shingles that the match has. null = not looked for; 0.8 where not given.
         */
        queryInMatch?: number | null;
        /**
         * Least share of the match's shingles that the query has. null = not looked for; null where not given.
         */
        matchInQuery?: number | null;
    };
    /**
     * Matches, 10 where not given, on one page; at most 1000.
     * @minimum 1
     */
    limit?: number;
    /**
     * Where the next page begins: `cursor` of the page before, sent with the same question.
     */
    cursor?: string | null;
    /**
     * Largest of these first; `resemblance` where not given, then the largest containment.
     */
    sort?: "resemblance" | "queryInMatch" | "matchInQuery";
    /**
     * Sources listed for one match, 10 where not given; at most 1000, with `thorough` 10000.
     * @minimum 1
     */
    sourcesPerMatch?: number;
    /**
     * Each host once, at the best match that has it: of a match one source a host is listed that no match before has, and `sourceCount` counts those.
     */
    groupBy?: "host" | null;
    /**
     * States of sources that count; live and gone where not given.
     * @minItems 1
     * @maxItems 3
     */
    include?: ("live" | "gone" | "past")[];
    /**
     * Sources that do not count.
     */
    exclude?: {
        /**
         * Hosts; at most 1000.
         */
        hosts?: string[];
        /**
         * URLs; at most 1000.
         */
        urls?: string[];
    };
    /**
     * Only sources of these hosts count, their subdomains not among them; 1 to 1000.
     */
    hosts?: string[] | null;
    /**
     * Only sources count whose normalised URL begins with this, which is normalised too.
     */
    urlPrefix?: string | null;
    /**
     * Only sources count whose `meta` has all of these keys with these values.
     */
    meta?: Record<string, unknown> | null;
    /**
     * Only sources count that were seen later than this with the content that matches.
     */
    seenAfter?: string | null;
    /**
     * Whether to show the shared passages; needs the text of the query.
     */
    passages?: boolean;
    /**
     * Whether matches whose interval reaches a threshold that their estimate misses are shown too.
     */
    undecided?: "exclude" | "include";
    /**
     * Every copy that the index can tell, page by page, also of a family of thousands; the last page says which hosts have them. It takes longer, and more of the places for requests.
     */
    thorough?: boolean;
    /**
     * By which figures thresholds go, and the order: `page` (where not given); `main`: those of the main text, less what the pages of its host have in common; `auto`: these where both documents have such a content, else the page.
     */
    content?: "page" | "main" | "auto";
    /**
     * Whether a URL without a body is fetched: `auto` (where not given) where it is not in the index, `never`, or `always`, though it is known. Fetching needs the scope `fetch`.
     */
    fetch?: "auto" | "never" | "always";
    /**
     * After so many ms the answer is what was found by then, fetching counted. Where not given 1000 from when the documents are at hand, fetching not counted; at most 60000.
     * @minimum 1
     */
    deadlineMs?: number;
};

/**
 * The recall of documents that have at least so many shingles.
 */
export type SizeRecall = {
    /**
     * Shingles that they have at the least.
     * @minimum 1
     */
    shinglesLeast: number;
    /**
     * The chance that one of them was looked at, at the least.
     * @minimum 0
     * @maximum 1
     */
    recall: number;
};

/**
 * A URL at which a content was seen.
 */
export type Source = {
    /**
     * The normalised URL. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * `gone`: 404 or 410 was seen or told; `past`: the URL shows something else by now.
     */
    state: "live" | "gone" | "past";
    /**
     * Whether its bytes are the very bytes asked with.
     */
    identical: boolean;
    /**
     * First observation with this content.
     * @format date-time
     */
    firstSeen: string;
    /**
     * Latest observation with this content.
     * @format date-time
     */
    lastSeen: string;
};

/**
 * A part of a text.
 */
export type Span = {
    /**
     * `common`: words of both texts, in the order of both; `moved`: of both, in another order; `repeated`: of both, while the place in the other text is paired with another one, or none; `only`: in no shingle of the other text; `unread`: not compared, or not told.
     */
    kind: "common" | "moved" | "repeated" | "only" | "unread";
    /**
     * Where it begins, in UTF-16 code units of the text.
     * @minimum 0
     */
    from: number;
    /**
     * Where it ends: the next one begins there.
     * @minimum 0
     */
    to: number;
    /**
     * Position among the spans of the other text of the one with the same words; null where there is none, or it is not told.
     */
    partner: number | null;
};

export type SpannedText = {
    /**
     * Length of the whole text as it was extracted, in UTF-16 code units.
     * @minimum 0
     */
    characters: number;
    /**
     * With `texts`: the text as far as it was compared.
     */
    text?: string;
    /**
     * Each character of the text is in one of them, in order; at most 10000, and what is unread.
     */
    spans: Span[];
    /**
     * Where its main text stands, in order: all words that stand in a shingle that counts as main. Null where all of it counts as main, or it is not told: by the deadline, or of very many places.
     */
    main: MainPlace[] | null;
};

export type StatsAnswer = {
    /**
     * Version of the service.
     */
    version: string;
    /**
     * Version and key of the fingerprints.
     */
    fingerprintId: string;
    /**
     * Which of the two equal kernels makes the sketches.
     */
    kernel: "wasm" | "typescript";
    /**
     * Words in a shingle.
     * @minimum 0
     */
    shingleSize: number;
    /**
     * Of a long document, 1 in so many shingles can be looked up.
     * @minimum 0
     */
    indexModulusMax: number;
    /**
     * Of a long document, 1 in so many shingles is kept for estimates.
     * @minimum 0
     */
    recordModulusMax: number;
    /**
     * When the index was created.
     * @format date-time
     */
    createdAt: string;
    /**
     * URLs.
     * @minimum 0
     */
    sources: number;
    /**
     * Distinct contents.
     * @minimum 0
     */
    contents: number;
    /**
     * Postings.
     * @minimum 0
     */
    postings: number;
    /**
     * Bytes on disk, where there is one.
     */
    diskBytes: number | null;
    /**
     * Bytes free beside them.
     */
    freeBytes: number | null;
    /**
     * False while the disk refuses writes.
     */
    writable: boolean;
    /**
     * Seconds since the start.
     * @minimum 0
     */
    uptimeS: number;
    /**
     * How postings are kept; null where the index cannot be read for now.
     */
    index: IndexAnswer | null;
    /**
     * What of the index cannot be trusted; null while there is nothing, and without the scope `admin`.
     */
    damage: DamageAnswer | null;
    /**
     * The last backup or compaction since the start; null without the scope `admin`.
     */
    upkeep: UpkeepAnswer | null;
};

/**
 * What is known of one document at this step.
 */
export type StepFigures = {
    /**
     * Bytes as they came.
     * @minimum 0
     */
    bytes?: number;
    /**
     * As what it was read.
     */
    mediaType?: string;
    /**
     * In which character set.
     */
    charset?: string;
    /**
     * UTF-16 code units of its text.
     * @minimum 0
     */
    characters?: number;
    /**
     * Words of its text.
     * @minimum 0
     */
    tokens?: number;
    /**
     * Its distinct shingles.
     * @minimum 0
     */
    shingles?: number;
    /**
     * One in so many of its shingles is taken at this step.
     * @minimum 1
     */
    modulus?: number;
    /**
     * Shingles by which it was compared.
     * @minimum 0
     */
    sampled?: number;
    /**
     * Shingles that a query by it looks up.
     * @minimum 0
     */
    lookedUp?: number;
    /**
     * Shingles by which an index finds it.
     * @minimum 0
     */
    posted?: number;
    /**
     * Whether its content is in the index.
     */
    indexed?: boolean;
};

/**
 * The last line of every NDJSON answer.
 */
export type Summary = {
    /**
     * How it all went.
     */
    summary: {
        /**
         * Lines that were answered.
         * @minimum 0
         */
        lines: number;
        /**
         * Of them done.
         * @minimum 0
         */
        ok: number;
        /**
         * Of them failed.
         * @minimum 0
         */
        failed: number;
        /**
         * False where the request had more lines than were read: see the last failed line.
         */
        complete: boolean;
        /**
         * Only where durability=relaxed was asked for: whether all that was done is on disk now. Until then it may be lost by a power cut; false: send it all again.
         */
        durable?: boolean;
    };
};

/**
 * What pages of its host have in common, which was taken off.
 */
export type Template = {
    /**
     * Pages of its host that it is made of.
     * @minimum 0
     */
    pages: number;
    /**
     * Shingles that they have in common, estimated.
     * @minimum 0
     */
    shingles: number;
};

/**
 * What the document says by itself, and how much of that no part has.
 */
export type TextContent = {
    /**
     * Whether its main text is told from the rest of it, or all of it counts.
     */
    main: "read" | "whole" | "not-read";
    /**
     * What pages of its host have in common, which was taken off.
     */
    template: Template | null;
    /**
     * Its distinct shingles, an estimate where a template was taken off.
     * @minimum 0
     */
    shingles: number;
    /**
     * Of the shingles of its content.
     */
    unexplained: {
        /**
         * By the sample, without bias, to 6 significant digits.
         * @minimum 0
         * @maximum 1
         */
        estimate: number;
        /**
         * Lower end of its 95 % interval, rounded down.
         * @minimum 0
         * @maximum 1
         */
        low: number;
        /**
         * Upper end, rounded up; both ends are the share itself where all shingles were compared.
         * @minimum 0
         * @maximum 1
         */
        high: number;
    };
};

/**
 * What the content of a document was told from.
 */
export type ToldContent = {
    /**
     * Whether its main text is told from the rest of it, or all of it counts.
     */
    main: "read" | "whole" | "not-read";
    /**
     * What pages of its host have in common, which was taken off.
     */
    template: Template | null;
};

/**
 * A document that is there, of which nothing can be read.
 */
export type UnreadableDocument = {
    /**
     * Its normalised URL.
     */
    url: string;
    /**
     * What to switch on.
     */
    code: "index-unreadable";
    /**
     * What happened.
     */
    detail: string;
};

/**
 * A backup or a compaction.
 */
export type UpkeepAnswer = {
    /**
     * What is done.
     */
    kind: "backup" | "compact";
    /**
     * How far it is.
     */
    state: "running" | "done" | "failed";
    /**
     * When it began.
     * @format date-time
     */
    startedAt: string;
    /**
     * Time it has taken, in ms.
     * @minimum 0
     */
    elapsedMs: number;
    /**
     * Figures of a backup that is done.
     */
    backup: {
        /**
         * Its name below BACKUP_DIR.
         */
        name: string;
        /**
         * Files in it.
         * @minimum 0
         */
        files: number;
        /**
         * Bytes of them all.
         * @minimum 0
         */
        bytes: number;
        /**
         * Files that share their bytes with the index: hard links.
         * @minimum 0
         */
        linkedFiles: number;
        /**
         * So long did writes wait, in ms.
         * @minimum 0
         */
        writesWaitedMs: number;
    } | null;
    /**
     * Figures of a compaction that is done.
     */
    compaction: {
        /**
         * Bytes on disk before.
         */
        diskBytesBefore: number | null;
        /**
         * Bytes on disk after.
         */
        diskBytesAfter: number | null;
    } | null;
    /**
     * Why it failed.
     */
    problem: {
        /**
         * The error code.
         */
        code: string;
        /**
         * What happened.
         */
        detail: string;
    } | null;
};

/**
 * What a URL showed from one time on.
 */
export type Version = {
    /**
     * When it was first seen.
     * @format date-time
     */
    observedAt: string;
    /**
     * `gone`: 404 or 410.
     */
    state: "live" | "gone";
    /**
     * The HTTP status that was seen, where one was.
     */
    httpStatus: number | null;
    /**
     * The content's id, or `forgotten` once nothing holds it any more; null where the URL was gone before it was first seen.
     */
    content: string | null;
};

export type VersionsAnswer = {
    /**
     * The normalised URL. At most 2048 bytes (URL_BYTES_MAX).
     * @minLength 1
     */
    url: string;
    /**
     * Newest first.
     */
    versions: ChangedVersion[];
    rate: ChangeRate;
    /**
     * Where the next page begins; null where this is the last.
     */
    cursor: string | null;
};

/**
 * The pair without which the cluster parts in two, as at any higher threshold; b was joined by it.
 */
export type WeakestPair = {
    likeness: EstimatedShare;
    /**
     * How alike the two are in what both documents say by themselves: their main text, less what the pages of their host have in common.
     */
    content: PairContents | null;
    /**
     * Present where `content` is null: `not-read`: one was indexed before main texts were read; `too-little`: fewer than 20 shingles of one are left; `whole`: all of both is their content, so that the figures of the pages are its; `deadline`: there was no time for it.
     */
    contentUnknown?: "not-read" | "too-little" | "whole" | "deadline";
    /**
     * Present where `content` is `main` or `auto`: by which figures thresholds go; null where one has no content.
     */
    decidedBy?: ("page" | "content") | null;
    a: WeakestSide;
    b: WeakestSide;
};

/**
 * One side of the weakest pair.
 */
export type WeakestSide = {
    /**
     * A content of the pair.
     */
    contentId: string;
    /**
     * Contents on its side, were the pair not there.
     * @minimum 0
     */
    contentCount: number;
};

/**
 * Why two documents are not the same.
 */
export type WhyNot = {
    /**
     * The first step at which they part.
     */
    step: "bytes" | "text" | "tokens" | "shingles" | "threshold";
    /**
     * How, in words.
     */
    detail: string;
    /**
     * Distinct shingles, counted.
     */
    shingles: {
        /**
         * Shingles that both have.
         * @minimum 0
         */
        inBoth: number;
        /**
         * Shingles that only a has.
         * @minimum 0
         */
        onlyInA: number;
        /**
         * Shingles that only b has.
         * @minimum 0
         */
        onlyInB: number;
        /**
         * False where these are estimates.
         */
        exact: boolean;
    };
    /**
     * The first three places at which they part, where both are given by `text` or `html`.
     */
    examples: {
        /**
         * Words of a.
         */
        a: string;
        /**
         * Words of b.
         */
        b: string;
    }[];
};
