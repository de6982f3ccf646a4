import { DEFAULT_FETCH_LIMITS, type FetchLimits } from '../fetch/limits.ts';
import { limitSettings, row } from './limit-settings.ts';

const MIB = 2 ** 20;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** All limits of fetching but the ports, which are a setting of their own. */
export type FetchNumbers = Omit<FetchLimits, 'portsAllowed'>;

const { portsAllowed, ...numbers } = DEFAULT_FETCH_LIMITS;
export const FETCH_NUMBERS: FetchNumbers = numbers;
export const FETCH_PORTS_DEFAULT = portsAllowed;

/** What fetching a document may cost us, and the hosts we fetch from. */
export const fetchLimitSettings = limitSettings<'FETCH_', FetchNumbers>('FETCH_', FETCH_NUMBERS, {
  redirectsMax: row(0, 20, 'Redirects followed, each checked like the first URL.', 'Real ones end after two or three.'),
  fetchTimeoutMs: row(
    100,
    600_000,
    'Deadline of a fetch: waiting for a turn, DNS, connecting, redirects and the last byte.',
    'Whoever asked is waiting.',
  ),
  connectTimeoutMs: row(
    10,
    600_000,
    'DNS, TCP and TLS of one hop together.',
    'A host that needs longer will not deliver a page in time either.',
  ),
  turnWaitMaxMs: row(
    0,
    600_000,
    'How long a fetch waits for its turn at a host; then 503.',
    'Short of the deadline, so that a turn is worth having.',
  ),
  urlBytesMax: row(100, 65_536, 'Bytes of a URL that is fetched.', 'Servers refuse longer ones.'),
  bytesMax: row(1024, 512 * MIB, 'Bytes of a fetched document after decompression.', 'Real pages stay under 2 MB.'),
  ratioMax: row(
    2,
    100_000,
    'Bytes after decompression for each byte before it.',
    'Real pages shrink to a tenth; only bombs to a thousandth.',
  ),
  ratioFreeBytes: row(
    0,
    512 * MIB,
    'Bytes that may come out before the ratio counts.',
    'A small page may well be all spaces.',
  ),
  headersBytesMax: row(1024, MIB, 'Bytes of the headers of an answer.', 'Servers themselves allow 8 to 16 KB.'),
  informationalMax: row(
    0,
    1000,
    'Answers of status 1xx before the real one.',
    'One or two are normal; a flood is not.',
  ),
  concurrentMax: row(1, 1024, 'Fetches under way, all hosts together.', 'Bounds sockets and memory.'),
  waitingMax: row(0, 100_000, 'Fetches that wait for a turn; further ones are answered 503.', 'Bounds memory.'),
  perHostConcurrent: row(1, 256, 'Fetches under way at one host.', 'As many as a browser opens.'),
  perHostIntervalMs: row(
    0,
    HOUR_MS,
    'From the start of one fetch at a host to the start of the next.',
    'One a second is what site owners expect of a polite client.',
  ),
  hostsMax: row(100, MIB, 'Hosts whose last fetch is remembered.', 'Bounds memory: about a megabyte.'),
  failureMemoryMs: row(
    0,
    DAY_MS,
    'How long a failure is answered again without trying; 0 = never.',
    'Spares a broken host, and is over before anybody has mended it.',
  ),
  failuresMax: row(0, MIB, 'Failures remembered.', 'Bounds memory.'),
  failureStepMs: row(
    0,
    60_000,
    'Failures are answered only at whole multiples of this; 0 = at once.',
    'How fast something failed would tell what is behind a firewall.',
  ),
  robotsBytesMax: row(1024, 16 * MIB, 'Bytes read of a robots.txt.', 'RFC 9309 asks for at least 500 KiB.'),
  robotsMemoryMs: row(0, 7 * DAY_MS, 'How long a robots.txt holds.', 'RFC 9309 asks for at most a day.'),
  robotsFailureMemoryMs: row(
    0,
    DAY_MS,
    'How long a robots.txt that could not be read forbids everything.',
    'RFC 9309: unreachable means forbidden; soon tried again.',
  ),
  robotsHostsMax: row(1, MIB, 'Hosts whose rules are remembered.', 'Bounds memory.'),
  robotsMemoryBytesMax: row(65_536, 1024 * MIB, 'Bytes of all remembered rules together.', 'Bounds memory.'),
  crawlDelayMaxMs: row(
    0,
    HOUR_MS,
    'The longest Crawl-delay that is obeyed.',
    'A longer one would mean never; waiting ends at the deadline anyway.',
  ),
});
