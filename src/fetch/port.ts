/** The one way out to other hosts. */
export interface Fetcher {
  /**
   * Fetches one document by GET.
   *
   * Resolves for 2xx, 404 and 410 (the body of the latter two is not read: `bytes` is empty). Throws `invalid-url`,
   * `not-fetchable`, `fetch-failed`, `fetch-status`, `fetch-too-large`, `fetch-timeout`, `robots-disallowed`,
   * `unsupported-media-type` or `overloaded`. Where `signal` aborts: its reason if that is a ShingledError, else
   * `deadline-exceeded`. After `close`: `draining`.
   */
  fetch(url: string, options: FetchOptions): Promise<FetchedDocument>;
  close(): Promise<void>;
}

export interface FetchOptions {
  /** A crawl obeys robots.txt; a user's single look-up does not ask for it. */
  readonly purpose: 'look-up' | 'crawl';
  /** `list`: a sitemap or feed, which may be larger, and packed as a file. Without it a document. */
  readonly accept?: 'document' | 'list';
  /** For whom: turns are shared among callers. */
  readonly caller?: string;
  /** Of the request that wants it: said of a failure in the log. */
  readonly requestId?: string | undefined;
  readonly signal?: AbortSignal;
}

export interface FetchedDocument {
  readonly finalUrl: string;
  readonly httpStatus: number;
  /** The Content-Type header as sent, null where there was none. */
  readonly contentType: string | null;
  /** After content decoding. */
  readonly bytes: Uint8Array;
}
