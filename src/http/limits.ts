/** Every bound of the HTTP layer by name; bytes, counts and ms as the name says. */
export interface HttpLimits {
  /** Bytes of the body of one request, and of one NDJSON line; `body-too-large`. */
  readonly bodyBytesMax: number;
  /** Bytes of one NDJSON request; `body-too-large`. */
  readonly bulkBytesMax: number;
  /** Lines of one NDJSON request; `body-too-large`. */
  readonly bulkLinesMax: number;
  /** NDJSON requests under way at a time; `overloaded`. */
  readonly bulkRequestsMax: number;
  /** Bytes of answers that their clients have not read yet, all requests together; lines wait, others are `overloaded`. */
  readonly answersBytesMax: number;
  /** Bytes of the request target, path and query; `uri-too-long`. */
  readonly targetBytesMax: number;
  /** Bytes of a request's head, target included; `headers-too-large`. */
  readonly headBytesMax: number;
  /** Arrays and objects inside one another in a JSON body; `invalid-json`. */
  readonly jsonDepthMax: number;
  /** Values in a JSON body, lists and objects among them; `invalid-json`. */
  readonly jsonValuesMax: number;
  /** A request's head must be here by then; `request-timeout`. */
  readonly headTimeoutMs: number;
  /** An ordinary body must be here so long after its head, and the next piece of an NDJSON body; `request-timeout`. */
  readonly bodyTimeoutMs: number;
  /** A whole request must be here by then, NDJSON with its pauses included; `request-timeout`. */
  readonly requestTimeoutMs: number;
  /** A connection on which nothing moves, in either direction, is closed. */
  readonly idleTimeoutMs: number;
  /** A connection that waits for its next request is closed. */
  readonly keepAliveTimeoutMs: number;
  /** How often the timeouts of heads and whole requests are looked at. */
  readonly timeoutCheckMs: number;
  readonly connectionsMax: number;
  /** Connections of one address, trusted proxies apart; 0 = no limit. */
  readonly connectionsPerAddressMax: number;
  /** A connection is closed after so many requests, so that load spreads again. */
  readonly requestsPerConnectionMax: number;
  /** Mean delay of the event loop over a second at which requests are turned away; 0 = never. `overloaded`. */
  readonly eventLoopDelayMsMax: number;
}

const MIB = 2 ** 20;

export const HTTP_LIMITS: HttpLimits = {
  bodyBytesMax: 8 * MIB,
  bulkBytesMax: 64 * MIB,
  bulkLinesMax: 10_000,
  bulkRequestsMax: 16,
  answersBytesMax: 64 * MIB,
  targetBytesMax: 8192,
  headBytesMax: 16_384,
  jsonDepthMax: 64,
  jsonValuesMax: 20_000,
  headTimeoutMs: 10_000,
  bodyTimeoutMs: 30_000,
  requestTimeoutMs: 600_000,
  idleTimeoutMs: 120_000,
  keepAliveTimeoutMs: 72_000,
  timeoutCheckMs: 1000,
  connectionsMax: 2000,
  connectionsPerAddressMax: 1000,
  requestsPerConnectionMax: 10_000,
  eventLoopDelayMsMax: 1000,
};
