/** Every limit of fetching, by name. */
export interface FetchLimits {
  /** Ports that URLs and redirects may name. */
  readonly portsAllowed: readonly number[];
  readonly redirectsMax: number;
  /** One absolute deadline from the call to the last byte: waiting for a turn, DNS, connecting and redirects included. */
  readonly fetchTimeoutMs: number;
  /** DNS, TCP and TLS of one hop together. */
  readonly connectTimeoutMs: number;
  /** Waiting for a turn at the host; beyond it `overloaded`. Below `fetchTimeoutMs`, so that a turn is worth having. */
  readonly turnWaitMaxMs: number;
  readonly urlBytesMax: number;
  /** Of a document, after decompression. */
  readonly bytesMax: number;
  /**
   * Bytes after decompression for each byte before it, once more than `ratioFreeBytes` have come out. The most repetitive of
   * 300 large real pages had 59 under brotli; bombs have 1,000 and more.
   */
  readonly ratioMax: number;
  readonly ratioFreeBytes: number;
  /** Names and values of one block of response headers, or of trailers. */
  readonly headersBytesMax: number;
  /** Responses of status 1xx before the answer. */
  readonly informationalMax: number;
  /** Fetches under way, all hosts together. */
  readonly concurrentMax: number;
  /** Fetches waiting for a turn, all hosts together. */
  readonly waitingMax: number;
  readonly perHostConcurrent: number;
  /** From the start of one turn at a host to the start of the next. */
  readonly perHostIntervalMs: number;
  /** Hosts whose last turn is remembered. */
  readonly hostsMax: number;
  /** How long a failure is answered again without trying; 0 = never. */
  readonly failureMemoryMs: number;
  readonly failuresMax: number;
  /** `fetch-failed` is only answered at whole multiples of this after the call, see failure.ts; 0 = at once. */
  readonly failureStepMs: number;
  /** Of a robots.txt, after decompression; what lies beyond is not read. RFC 9309 asks for at least 500 KiB. */
  readonly robotsBytesMax: number;
  /** How long a robots.txt holds. RFC 9309 asks for at most a day. */
  readonly robotsMemoryMs: number;
  /** How long a robots.txt that could not be read forbids everything. */
  readonly robotsFailureMemoryMs: number;
  readonly robotsHostsMax: number;
  /** Of all remembered rules together. */
  readonly robotsMemoryBytesMax: number;
  /** The longest Crawl-delay obeyed. */
  readonly crawlDelayMaxMs: number;
}

export const DEFAULT_FETCH_LIMITS: FetchLimits = {
  portsAllowed: [80, 443],
  redirectsMax: 5,
  fetchTimeoutMs: 15_000,
  connectTimeoutMs: 5_000,
  turnWaitMaxMs: 5_000,
  urlBytesMax: 8_192,
  bytesMax: 5 * 1024 * 1024,
  ratioMax: 200,
  ratioFreeBytes: 256 * 1024,
  headersBytesMax: 16 * 1024,
  informationalMax: 16,
  concurrentMax: 16,
  waitingMax: 128,
  perHostConcurrent: 4,
  perHostIntervalMs: 1_000,
  hostsMax: 10_000,
  failureMemoryMs: 60_000,
  failuresMax: 2_000,
  failureStepMs: 500,
  robotsBytesMax: 500 * 1024,
  robotsMemoryMs: 24 * 60 * 60 * 1000,
  robotsFailureMemoryMs: 10 * 60 * 1000,
  robotsHostsMax: 2_000,
  robotsMemoryBytesMax: 8 * 1024 * 1024,
  crawlDelayMaxMs: 30_000,
};

/** What the fetcher calls itself unless told otherwise. */
export const DEFAULT_USER_AGENT = 'shingled/0.1';
