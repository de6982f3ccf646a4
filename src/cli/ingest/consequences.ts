import { ERRORS, type ErrorCode } from '../../errors.ts';
import type { RefusedReason } from '../../ingest/port.ts';

/*
 * What follows from each reason for which a record does not become a document.
 *
 *   refused       a document of the user's is not in the index: it is named, and the exit code is 6
 *   passed over   there was no document, or nothing is left to be done: it is counted and named, and is no failure
 *   end           the fault is of the disk or the service, and not of the record: the load ends
 */

export type Consequence = 'refused' | 'passed over' | 'end';

/** What becomes of a record, as its reason is public: of a reader, or a code of the service. */
const CONSEQUENCES = {
  // what a reader says: it could not read what the user gave
  damaged: 'refused',
  malformed: 'refused',
  'too-large': 'refused',
  'no-url': 'refused',
  'no-text': 'refused',
  'bad-field': 'refused',
  unreadable: 'refused',
  // what a reader says: there is nothing to be read
  'unusable-type': 'passed over',
  'no-document': 'passed over',

  // what the index says of a record: its document is not taken
  'invalid-json': 'refused',
  'invalid-utf8': 'refused',
  'invalid-request': 'refused',
  'invalid-url': 'refused',
  'invalid-selector': 'refused',
  'body-too-large': 'refused',
  'unsupported-media-type': 'refused',
  'empty-document': 'refused',
  'document-too-complex': 'refused',
  'unreadable-document': 'refused',
  'unsupported-charset': 'refused',
  'observed-in-future': 'refused',
  'not-fetchable': 'refused',
  // … or what it refers to is not there: see consequenceOf
  'unknown-url': 'refused',
  'unknown-version': 'refused',
  // a URL of a list: there should be a document, and it cannot be had
  'fetch-failed': 'refused',
  'fetch-status': 'refused',
  'fetch-too-large': 'refused',
  'fetch-timeout': 'refused',
  // … unless its host asks crawlers to stay away: there is nothing to mend
  'robots-disallowed': 'passed over',
  // faults of the index, met by one record
  internal: 'refused',
  'index-unreadable': 'refused',
  'deadline-exceeded': 'refused',

  // the next record would meet the same
  'storage-full': 'end',
  'write-queue-full': 'end',
  overloaded: 'end',
  draining: 'end',
  'rate-limited': 'end',
  'service-unreachable': 'end',
  unauthorized: 'end',
  forbidden: 'end',
  'unknown-host': 'end',
  'foreign-origin': 'end',
  'unknown-route': 'end',
  'method-not-allowed': 'end',

  // met by requests, starts and other commands; no record should meet one, and a record that does is refused
  'malformed-request': 'refused',
  'invalid-cursor': 'refused',
  'body-incomplete': 'refused',
  'backup-exists': 'refused',
  'backup-not-configured': 'refused',
  'upkeep-running': 'refused',
  'selection-changed': 'refused',
  'request-timeout': 'refused',
  'uri-too-long': 'refused',
  'expectation-failed': 'refused',
  'headers-too-large': 'refused',
  'invalid-config': 'refused',
  'load-unfinished': 'refused',
  'index-missing': 'refused',
  'index-locked': 'refused',
  'index-mismatch': 'refused',
  'index-exists': 'refused',
  'folder-is-backup': 'refused',
  'backup-missing': 'refused',
  'backup-damaged': 'refused',
  'index-damaged': 'refused',
  'result-missing': 'refused',
  'result-damaged': 'refused',
  'input-unreadable': 'refused',
  'input-changed': 'refused',
  'output-exists': 'refused',
  'output-unwritable': 'refused',
  'memory-short': 'refused',
} as const satisfies Record<RefusedReason | ErrorCode, Consequence>;

/** What a record asked for, as far as that decides what follows. */
export interface Asked {
  /** What a bulk write was to do; null for a URL to fetch, and for what could not be read. */
  readonly op: 'put' | 'same' | 'gone' | 'delete' | null;
  readonly url: string | null;
  /** Whether the command line names the document itself, so that its user wants to know what became of it. */
  readonly isNamed: boolean;
}

/** Names of what has no words, as the URLs of pages have them. */
const WITHOUT_WORDS =
  /\.(?:png|jpe?g|gif|ico|svg|webp|avif|bmp|css|m?js|json|map|woff2?|ttf|otf|eot|mp[34]|web[mp]|ogg|wav|zip|gz)(?:[?#]|$)/i;

/**
 * @param code of a reader or of the service; one that is not known is refused
 */
export function consequenceOf(code: string, { op, url, isNamed }: Asked): Consequence {
  if (code === 'unknown-url' || code === 'unknown-version') {
    // the index does not have it, which is what was asked for
    if (op === 'gone' || op === 'delete') return 'passed over';
    // a revisit that does not say its type: of a picture there is nothing to come back to
    return op === 'same' && WITHOUT_WORDS.test(url ?? '') ? 'passed over' : 'refused';
  }
  const consequence: Consequence = CONSEQUENCES[code as keyof typeof CONSEQUENCES] ?? 'refused';
  return isNamed && consequence === 'passed over' ? 'refused' : consequence;
}

/** Whether a corpus that leaves a record out for this reason has lost a document. */
export const isDocumentLost = (reason: string): boolean =>
  consequenceOf(reason, { op: null, url: null, isNamed: false }) !== 'passed over';

const WORDS: Readonly<Partial<Record<RefusedReason | ErrorCode, string>>> = {
  damaged: 'the bytes are damaged; reading went on behind them',
  malformed: 'this is not a record of its format',
  'too-large': 'it is larger than documents and records may be',
  'no-url': 'the record does not say its URL',
  'no-text': 'the record has no text',
  'bad-field': 'a field has a value that cannot be used',
  unreadable: 'the input, or the rest of it, cannot be read',
  'unusable-type': 'files of a type without text, such as pictures and styles',
  'no-document': 'records and files without a document, such as requests and redirects',
  // whose titles speak of requests
  'body-too-large': 'the document is larger than documents may be (EXTRACT_DOCUMENT_BYTES_MAX)',
  'invalid-request': 'a field of the record is unknown, missing or of the wrong form',
};

const UNKNOWN = {
  refused: 'it refers to a capture that the index does not have',
  'passed over': 'it is gone, and the index never had it',
} as const;

/** A reason in words. */
export function reasonText(code: string, consequence: Exclude<Consequence, 'end'>): string {
  if (code === 'unknown-url' || code === 'unknown-version') return UNKNOWN[consequence];
  return (
    WORDS[code as RefusedReason | ErrorCode] ??
    lowered(ERRORS[code as ErrorCode]?.title ?? 'a reason of a newer service')
  );
}

const lowered = (title: string) => (/^[A-Z][a-z ]/.test(title) ? title[0]!.toLowerCase() + title.slice(1) : title);

const REMEDIES: Readonly<Partial<Record<string, string>>> = {
  'no-url': '--url-field <name> says which field has the URL; --url-prefix <url> gives URLs to files.',
  'no-text': '--text-field <name> or --html-field <name> says which field has the document.',
  'bad-field': '--url-field, --text-field, --html-field and --date-field say which field is what.',
  malformed: '--format <name> says what the inputs are; --delimiter, --quote and --escape say how a table is written.',
  'unsupported-media-type': 'HTML, plain text, PDF and office files, books and mail are read as documents.',
};

/** What helps where all records are refused for one reason; null if there is nothing to advise. */
export const remedyOf = (reason: string): string | null => REMEDIES[reason] ?? null;
