import { defaultsOf } from '../limit-row.ts';

const MIB = 2 ** 20;
const HOUR_MS = 3_600_000;

/** What fetching a document may cost us and the hosts we fetch from, as far as a deployment may set it. */
export const FETCH_LIMIT_ROWS = {
  fetchTimeoutMs: {
    default: 15_000,
    minimum: 100,
    maximum: 600_000,
    description: 'Deadline of a fetch: waiting for a turn, DNS, connecting, redirects and the last byte.',
    reason: 'Whoever asked is waiting.',
  },
  turnWaitMaxMs: {
    default: 5_000,
    minimum: 0,
    maximum: 600_000,
    description: 'How long a fetch waits for its turn at a host; then 503.',
    reason: 'Short of the deadline, so that a turn is worth having.',
  },
  bytesMax: {
    default: 5 * MIB,
    minimum: 1024,
    maximum: 512 * MIB,
    description: 'Bytes of a fetched document after decompression.',
    reason: 'Real pages stay under 2 MB.',
  },
  concurrentMax: {
    default: 16,
    minimum: 1,
    maximum: 1024,
    description: 'Fetches under way, all hosts together.',
    reason: 'Bounds sockets and memory.',
  },
  perHostConcurrent: {
    default: 4,
    minimum: 1,
    maximum: 256,
    description: 'Fetches under way at one host.',
    reason: 'As many as a browser opens.',
  },
  perHostIntervalMs: {
    default: 1_000,
    minimum: 0,
    maximum: HOUR_MS,
    description: 'From the start of one fetch at a host to the start of the next.',
    reason: 'One a second is what site owners expect of a polite client.',
  },
  failureMemoryMs: {
    default: 60_000,
    minimum: 0,
    maximum: 24 * HOUR_MS,
    description: 'How long a failure is answered again without trying; 0 = never.',
    reason: 'Spares a broken host, and is over before anybody has mended it.',
  },
};

/** What no deployment would set. */
const FIXED = {
  /** Redirects followed, each checked like the first URL: real ones end after two or three. */
  redirectsMax: 5,
  /** DNS, TCP and TLS of one hop together: a host that needs longer will not deliver a page in time either. */
  connectTimeoutMs: 5_000,
  /** Bytes of a URL that is fetched: servers refuse longer ones. */
  urlBytesMax: 8_192,
  /**
   * Bytes after decompression for each byte before it, once more than `ratioFreeBytes` have come out. The most repetitive of
   * 300 large real pages had 59 under brotli; bombs have 1,000 and more.
   */
  ratioMax: 200,
  /** A small page may well be all spaces. */
  ratioFreeBytes: 256 * 1024,
  /** Fetches that wait for a turn, all hosts together; further ones are `overloaded`: bounds memory. */
  waitingMax: 128,
  /** Hosts whose last turn is remembered: about a megabyte. */
  hostsMax: 10_000,
  /** `fetch-failed` is only answered at whole multiples of this after the call, see failure.ts; 0 = at once. */
  failureStepMs: 500,
  /** The longest Crawl-delay obeyed: a longer one would mean never, and waiting ends at the deadline anyway. */
  crawlDelayMaxMs: 30_000,
};

/** Ports that URLs and redirects may name: documents are served there, and other ports belong to other protocols. */
const PORTS_ALLOWED: readonly number[] = [80, 443];

/** Every limit of fetching, by name. */
export const DEFAULT_FETCH_LIMITS = { ...defaultsOf(FETCH_LIMIT_ROWS), ...FIXED, portsAllowed: PORTS_ALLOWED };
export type FetchLimits = Readonly<typeof DEFAULT_FETCH_LIMITS>;

/** What the fetcher calls itself unless told otherwise. */
export const DEFAULT_USER_AGENT = 'shingled/0.1';
