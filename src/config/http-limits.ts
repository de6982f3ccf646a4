import { HTTP_LIMITS, type HttpLimits } from '../http/limits.ts';
import { limitSettings, row } from './limit-settings.ts';

const MIB = 2 ** 20;
const HOUR_MS = 3_600_000;

/** What clients may send, how slowly, and how many of them there may be. */
export const httpLimitSettings = limitSettings<'', HttpLimits>('', HTTP_LIMITS, {
  bodyBytesMax: row(
    1024,
    512 * MIB,
    'Bytes of the body of one request, and of one NDJSON line.',
    'A document of the largest size that is extracted.',
  ),
  bulkBytesMax: row(1024, 16_384 * MIB, 'Bytes of one NDJSON request.', 'A few seconds of work; send several.'),
  bulkLinesMax: row(1, 100_000_000, 'Lines of one NDJSON request.', 'A few seconds of work; send several.'),
  bulkRequestsMax: row(
    1,
    1024,
    'NDJSON requests under way at a time, half of them by one caller at most; further ones wait, and are answered 503 after 10 s.',
    'Bounds memory.',
  ),
  answersBytesMax: row(
    1024,
    1024 * MIB,
    'Bytes of answers that their clients have not read yet, half of them of one caller at most. NDJSON is read no further then; other answers are 503.',
    'Clients that do not read must not fill the memory; one that writes all of a bulk request before it reads is served.',
  ),
  targetBytesMax: row(256, 65_536, 'Bytes of the path and query of a request.', 'Proxies allow 4 to 8 KB.'),
  headBytesMax: row(1024, MIB, 'Bytes of the head of a request.', 'What Node allows.'),
  jsonDepthMax: row(4, 1000, 'Arrays and objects inside one another in a JSON body.', 'Ours go four deep.'),
  jsonValuesMax: row(
    1000,
    10_000_000,
    'Values in a JSON body or line, lists and objects among them; each takes up to 1 us of the event loop.',
    'A list of 1,000 results has 12,000 at the most.',
  ),
  headTimeoutMs: row(100, HOUR_MS, 'The head of a request must be here by then.', 'Ends slow-header attacks.'),
  bodyTimeoutMs: row(
    100,
    HOUR_MS,
    'A body must be here so long after its head, and the next piece of an NDJSON body.',
    'The largest body at 2 Mbit/s.',
  ),
  requestTimeoutMs: row(
    1000,
    24 * HOUR_MS,
    'A whole request must be here by then, NDJSON with its pauses included.',
    'A bulk request that waits for its index must be able to finish.',
  ),
  idleTimeoutMs: row(
    1000,
    24 * HOUR_MS,
    'A connection on which nothing moves in either direction is closed.',
    'Longer than the longest deadline of a call.',
  ),
  keepAliveTimeoutMs: row(
    0,
    24 * HOUR_MS,
    'A connection that waits for its next request is closed.',
    'Longer than the 60 s of common load balancers, which must not meet a closed door.',
  ),
  timeoutCheckMs: row(10, 60_000, 'How often these timeouts are looked at.', 'A second late does no harm.'),
  connectionsMax: row(
    1,
    MIB,
    'Connections at a time. Where they run short, those that were asleep longest are closed.',
    'Bounds memory and file descriptors.',
  ),
  connectionsPerAddressMax: row(
    0,
    MIB,
    'Connections at a time of one address (of IPv6, one network of 64 bits), but not of proxies in TRUST_PROXY; 0 = no limit.',
    'Half of all: nobody shuts out the others. A proxy that is not in TRUST_PROXY is one address.',
  ),
  requestsPerConnectionMax: row(
    0,
    100_000_000,
    'A connection is closed after so many requests; 0 = never.',
    'Lets load spread again behind a balancer.',
  ),
  eventLoopDelayMsMax: row(
    0,
    60_000,
    'Mean delay of the event loop over a second at which requests are turned away with 503; 0 = never.',
    'By then nobody is served in time.',
  ),
});
