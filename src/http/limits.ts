import { defaultsOf } from '../limit-row.ts';

const MIB = 2 ** 20;
const HOUR_MS = 3_600_000;

/** A request's head must be here by then: ends slow-header attacks. No request may have less time in all. */
const HEAD_TIMEOUT_MS = 10_000;

/** What clients may send, how slowly, and how many of them there may be, as far as a deployment may set it. */
export const HTTP_LIMIT_ROWS = {
  bodyBytesMax: {
    default: 8 * MIB,
    minimum: 1024,
    maximum: 512 * MIB,
    description: 'Bytes of the body of one request, and of one NDJSON line.',
    reason: 'A document of the largest size that is extracted.',
  },
  bulkBytesMax: {
    default: 64 * MIB,
    minimum: 1024,
    maximum: 16_384 * MIB,
    description: 'Bytes of one NDJSON request.',
    reason: 'A few seconds of work; send several.',
  },
  bulkLinesMax: {
    default: 10_000,
    minimum: 1,
    maximum: 100_000_000,
    description: 'Lines of one NDJSON request.',
    reason: 'A few seconds of work; send several.',
  },
  bulkRequestsMax: {
    default: 16,
    minimum: 1,
    maximum: 1024,
    description:
      'NDJSON requests under way at a time, half of them by one caller at most; further ones wait, and are answered 503 after 10 s.',
    reason: 'Bounds memory.',
  },
  answersBytesMax: {
    default: 64 * MIB,
    minimum: 1024,
    maximum: 1024 * MIB,
    description:
      'Bytes of answers that their clients have not read yet, half of them of one caller at most. NDJSON is read no further then; other answers are 503.',
    reason:
      'Clients that do not read must not fill the memory; one that writes all of a bulk request before it reads is served.',
  },
  bodyTimeoutMs: {
    default: 30_000,
    minimum: 100,
    maximum: HOUR_MS,
    description: 'A body must be here so long after its head, and the next piece of an NDJSON body.',
    reason: 'The largest body at 2 Mbit/s.',
  },
  requestTimeoutMs: {
    default: 600_000,
    minimum: HEAD_TIMEOUT_MS,
    maximum: 24 * HOUR_MS,
    description: 'A whole request must be here by then, NDJSON with its pauses included.',
    reason: 'A bulk request that waits for its index must be able to finish.',
  },
  idleTimeoutMs: {
    default: 120_000,
    minimum: 1000,
    maximum: 24 * HOUR_MS,
    description: 'A connection on which nothing moves in either direction is closed.',
    reason: 'Longer than the longest deadline of a call.',
  },
  keepAliveTimeoutMs: {
    default: 72_000,
    minimum: 0,
    maximum: 24 * HOUR_MS,
    description: 'A connection that waits for its next request is closed.',
    reason: 'Longer than the 60 s of common load balancers, which must not meet a closed door.',
  },
  connectionsMax: {
    default: 2000,
    minimum: 1,
    maximum: MIB,
    description: 'Connections at a time. Where they run short, those that were asleep longest are closed.',
    reason: 'Bounds memory and file descriptors.',
  },
  connectionsPerAddressMax: {
    default: 1000,
    minimum: 0,
    maximum: MIB,
    description:
      'Connections at a time of one address (of IPv6, one network of 64 bits), but not of proxies in TRUST_PROXY; 0 = no limit.',
    reason: 'Half of all: nobody shuts out the others. A proxy that is not in TRUST_PROXY is one address.',
  },
  eventLoopDelayMsMax: {
    default: 1000,
    minimum: 0,
    maximum: 60_000,
    description: 'Mean delay of the event loop over a second at which requests are turned away with 503; 0 = never.',
    reason: 'By then nobody is served in time.',
  },
};

/** What no deployment would set. */
const FIXED = {
  /** Bytes of a request's target, path and query; `uri-too-long`. Proxies allow 4 to 8 KB. */
  targetBytesMax: 8192,
  /** Bytes of a request's head, target included; `headers-too-large`. What Node allows. */
  headBytesMax: 16_384,
  /** Arrays and objects inside one another in a JSON body; `invalid-json`. Ours go four deep. */
  jsonDepthMax: 64,
  /**
   * Values in a JSON body or line, lists and objects among them; `invalid-json`. Each takes up to 1 us of the event loop; a
   * list of 1,000 results has 12,000 at the most.
   */
  jsonValuesMax: 20_000,
  headTimeoutMs: HEAD_TIMEOUT_MS,
  /** How often heads and whole requests are looked at: a second late does no harm. */
  timeoutCheckMs: 1000,
  /** A connection is closed after so many requests, so that load spreads again behind a balancer. */
  requestsPerConnectionMax: 10_000,
};

/** Every bound of the HTTP layer by name. */
export const HTTP_LIMITS = { ...defaultsOf(HTTP_LIMIT_ROWS), ...FIXED };
export type HttpLimits = Readonly<typeof HTTP_LIMITS>;
