import type { BulkOperation } from '../../../src/service/api.ts';

/** One answer of a sweep. */
export interface Sighting {
  readonly url: string;
  readonly time: number;
  /** null: 404. */
  readonly text: string | null;
  readonly finalUrl: string | null;
}

/** A sighting as a line of POST /documents. */
export function operationOf({ url, time, text, finalUrl }: Sighting): BulkOperation {
  if (text === null) return { op: 'gone', url, httpStatus: 404, observedAt: time };
  const body = { bytes: Buffer.from(text), contentType: 'text/plain; charset=utf-8' };
  const none = { select: null, remove: null, meta: null, similar: 0, unless: null };
  return { op: 'put', url, body, observedAt: time, httpStatus: 200, finalUrl, ...none };
}
