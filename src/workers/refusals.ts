import { ShingledError } from '../errors.ts';

/* Why a document is not processed, where that is no fault of what it says. */

const RETRY_AFTER_S = 1;

const UNITS = { timeoutMs: 'ms', memoryMb: 'MB of memory' } as const;

export function tooComplex(name: keyof typeof UNITS, value: number): ShingledError {
  return new ShingledError('document-too-complex', `The document takes more than ${value} ${UNITS[name]} to process`, {
    limit: { name, value },
  });
}

export function documentsWait(queueMax: number): ShingledError {
  return new ShingledError('overloaded', `${queueMax} documents are waiting to be processed`, {
    limit: { name: 'queueMax', value: queueMax },
    retryAfterS: RETRY_AFTER_S,
  });
}
