import { ShingledError } from '../errors.ts';

/*
 * What a caller learns of a fetch that did not work. A refusal, a name that does not resolve, a closed port, a
 * handshake or a connection that fails: all give the same `fetch-failed` with the same words. For whoever may ask for
 * fetches must not be able to map the network that this machine sees. The reason goes to the log and the metrics.
 *
 * Time tells as well: a refusal takes microseconds, a name server of the inside network a millisecond, a closed port one
 * round trip. So such a failure is held back to the next multiple of `failureStepMs` after the call. With 500 ms all of
 * these usually look alike. Who does not wait so long is told that he did not, and nothing is remembered of what he was not
 * told: else his next question would tell it. What remains visible: failures slower than one step fall into a later one.
 */

/** Why it did not work. */
export type FailureReason =
  // refused
  | 'address'
  | 'redirect-target'
  | 'redirect-downgrade'
  // before there was a connection
  | 'dns'
  | 'connect'
  | 'connect-timeout'
  | 'tls'
  // on the connection
  | 'headers-too-large'
  | 'informational-flood'
  | 'content-coding'
  | 'truncated'
  | 'protocol';

/** The `cause` of every `fetch-failed`. */
class FetchFailure extends Error {
  readonly reason: FailureReason;
  readonly hostname: string;

  constructor(reason: FailureReason, hostname: string, cause?: unknown) {
    super(`fetching from ${hostname} failed: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = 'FetchFailure';
    this.reason = reason;
    this.hostname = hostname;
  }
}

export function fetchFailed(reason: FailureReason, hostname: string, cause?: unknown): ShingledError {
  const detail =
    'The host has no address, or none that is allowed, or cannot be reached; the log of the service says which.';
  return new ShingledError('fetch-failed', detail, {
    cause: new FetchFailure(reason, hostname, cause),
  });
}

/** The reason of a failure for the log: that of a `fetch-failed`, else the code. */
export function reasonOf(error: ShingledError): string {
  return error.code === 'fetch-failed' && error.cause instanceof FetchFailure ? error.cause.reason : error.code;
}

const WHY: Readonly<Record<FailureReason, string>> = {
  address: 'its address is not public; FETCH_ALLOWED_PRIVATE allows networks that are not',
  'redirect-target': 'it redirects to an address that may not be fetched',
  'redirect-downgrade': 'it redirects from https to http',
  dns: 'the name has no address',
  connect: 'nothing answers at its address',
  'connect-timeout': 'no connection came about in time',
  tls: 'no secure connection came about: its certificate or its TLS is not accepted',
  'headers-too-large': 'the head of its answer is too large',
  'informational-flood': 'it sent one interim answer after the other',
  'content-coding': 'the content coding of its answer is not understood, or damaged',
  truncated: 'its answer broke off',
  protocol: 'its answer is not HTTP',
};

/** A failure with its reason in words, for callers who may know the network of this machine. */
export function withReason(error: ShingledError): ShingledError {
  if (error.code !== 'fetch-failed' || !(error.cause instanceof FetchFailure)) return error;
  const { hostname, reason } = error.cause;
  return new ShingledError('fetch-failed', `Fetching from ${hostname} failed: ${WHY[reason]}.`, {
    cause: error.cause,
  });
}

/** Whether when it is told would tell of the network: a `fetch-failed`, and a robots.txt that could not be fetched. */
export function isToldInSteps(error: ShingledError): boolean {
  return error.cause instanceof FetchFailure;
}

/** Whether it failed before there was a connection: then every URL of the origin fails. */
export function concernsOrigin(error: ShingledError): boolean {
  if (!(error.cause instanceof FetchFailure)) return false;
  return ['address', 'dns', 'connect', 'connect-timeout', 'tls'].includes(error.cause.reason);
}

/** How many ms after the call such a failure that is known after `elapsedMs` may be told: the next whole step. */
export function tellAfterMs(elapsedMs: number, failureStepMs: number): number {
  return failureStepMs === 0 ? elapsedMs : Math.ceil(elapsedMs / failureStepMs) * failureStepMs;
}
