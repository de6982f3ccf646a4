/**
 * Every way in which shingled refuses or fails, in one table: code -> HTTP status and title.
 *
 * Callers switch on `code`, never on a class or a text. A code is public (it is printed in answers and documented in
 * docs/errors.md, which a test holds against this table) and never changes its meaning.
 */
export const ERRORS = {
  // what the client sent
  'malformed-request': { status: 400, title: 'The request is not valid HTTP' },
  'invalid-json': { status: 400, title: 'This is not JSON' },
  'invalid-utf8': { status: 400, title: 'This is not valid UTF-8' },
  'invalid-request': { status: 400, title: 'The request does not fit its schema' },
  'invalid-url': { status: 400, title: 'The URL is not usable' },
  'invalid-selector': { status: 400, title: 'The CSS selector is not valid' },
  'invalid-cursor': { status: 400, title: 'The cursor is not one of ours for this query' },
  'body-incomplete': { status: 400, title: 'The body ended before it was complete' },
  unauthorized: { status: 401, title: 'An API key is needed' },
  forbidden: { status: 403, title: 'The API key does not allow this' },
  'foreign-origin': { status: 403, title: 'A page of another origin may not call' },
  'unknown-route': { status: 404, title: 'There is no such route' },
  'unknown-url': { status: 404, title: 'The URL is not in the index' },
  'unknown-version': { status: 404, title: 'The URL has no such version' },
  'method-not-allowed': { status: 405, title: 'The route does not take this method' },
  'backup-exists': { status: 409, title: 'There is a backup of this name' },
  'backup-not-configured': { status: 409, title: 'No folder for backups is configured' },
  'upkeep-running': { status: 409, title: 'Another backup or compaction is under way' },
  'selection-changed': { status: 409, title: 'The selection has another number of documents' },
  'request-timeout': { status: 408, title: 'The request took too long to arrive' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'uri-too-long': { status: 414, title: 'The request target is too long' },
  'unsupported-media-type': { status: 415, title: 'Documents of this type are not understood' },
  'expectation-failed': { status: 417, title: 'The expectation cannot be met' },
  'empty-document': { status: 422, title: 'The document has no words' },
  'document-too-complex': { status: 422, title: 'The document is too deep or has too many elements' },
  'unreadable-document': { status: 422, title: 'The document is damaged or encrypted' },
  'unsupported-charset': { status: 422, title: 'The character encoding is not known' },
  'observed-in-future': { status: 422, title: 'The time of observation lies in the future' },
  'not-fetchable': { status: 422, title: 'The URL is not one that may be fetched' },
  'rate-limited': { status: 429, title: 'Too many requests' },
  'write-queue-full': { status: 429, title: 'Too many writes are waiting' },
  'unknown-host': { status: 421, title: 'The request is for another host' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  // what the world did
  'fetch-failed': { status: 502, title: 'The URL could not be fetched' },
  'fetch-status': { status: 502, title: 'The server of the URL did not answer with a document' },
  'fetch-too-large': { status: 502, title: 'The document at the URL is too large' },
  'fetch-timeout': { status: 504, title: 'The URL took too long to fetch' },
  'robots-disallowed': { status: 403, title: 'The robots.txt of the host does not allow this' },
  // what we could not do
  internal: { status: 500, title: 'Something went wrong inside' },
  'index-unreadable': { status: 500, title: 'A part of the index cannot be read' },
  overloaded: { status: 503, title: 'Too many requests are waiting' },
  draining: { status: 503, title: 'The service is stopping' },
  'deadline-exceeded': { status: 503, title: 'The answer was not ready by the deadline' },
  'storage-full': { status: 507, title: 'The index cannot be written' },
  // why a process does not start; never sent over HTTP
  'invalid-config': { status: 500, title: 'A setting or an option is not valid' },
  'index-missing': { status: 500, title: 'There is no index' },
  'index-locked': { status: 500, title: 'Another process owns the index' },
  'index-mismatch': { status: 500, title: 'The index does not fit this start' },
  'load-unfinished': { status: 500, title: 'A first load is not finished' },
  'index-exists': { status: 500, title: 'There is an index already' },
  'folder-is-backup': { status: 500, title: 'The folder is a backup' },
  'backup-missing': { status: 500, title: 'There is no backup' },
  'backup-damaged': { status: 500, title: 'The backup is damaged' },
  'index-damaged': { status: 500, title: 'The index is damaged' },
  // what only the command line meets; never sent over HTTP
  'result-missing': { status: 500, title: 'There is no result' },
  'result-damaged': { status: 500, title: 'The result is damaged' },
  'input-unreadable': { status: 500, title: 'An input cannot be read' },
  'input-changed': { status: 500, title: 'An input has changed' },
  'output-exists': { status: 500, title: 'There is something in the place of the output' },
  'output-unwritable': { status: 500, title: 'The output cannot be written' },
  'memory-short': { status: 500, title: 'There is too little memory' },
  'service-unreachable': { status: 500, title: 'The service cannot be reached' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** What a client can act on beside the code: the field at fault, or the limit that was met. */
export interface ErrorDetails {
  /** The field at fault, as the client spelled it: `thresholds.resemblance`, `url`, `lines[3].text`. */
  readonly field?: string | undefined;
  /** The limit that was met: its configuration or schema name, and its value in the unit of the name. */
  readonly limit?: { readonly name: string; readonly value: number } | undefined;
  /** After how many seconds trying again makes sense; sent as Retry-After. */
  readonly retryAfterS?: number;
  readonly cause?: unknown;
}

/** The one error of this project. `message` is the detail shown to the client: no document text, no key, no address. */
export class ShingledError extends Error {
  readonly code: ErrorCode;
  readonly field: ErrorDetails['field'];
  readonly limit: ErrorDetails['limit'];
  readonly retryAfterS: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'ShingledError';
    this.code = code;
    this.field = details.field;
    this.limit = details.limit;
    this.retryAfterS = details.retryAfterS;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  get title(): string {
    return ERRORS[this.code].title;
  }
}

/** A {@link ShingledError} as data, which passes to another thread or process: the clone of an Error loses its code. */
export interface PlainError extends Pick<ErrorDetails, 'field' | 'limit'> {
  readonly code: ErrorCode;
  readonly message: string;
}

export function plainError({ code, message, field, limit }: ShingledError): PlainError {
  return { code, message, field, limit };
}

/** What {@link plainError} was made of. */
export function errorOf({ code, message, field, limit }: PlainError): ShingledError {
  return new ShingledError(code, message, { field, limit });
}
