import type { FillAccess } from '../../client/port.ts';
import { ShingledError } from '../../errors.ts';
import type { IngestItem } from '../../ingest/port.ts';
import type { PutAnswer, PutRequest } from '../../service/api.ts';
import { rest } from '../../sharing/waiting.ts';
import { type Outcome, seenOf } from './teller.ts';

/** A URL of a list. */
export type Wanted = Extract<IngestItem, { readonly wanted: string }>;

/** How often a service that stops, or a queue of writes that is full, is asked again for one URL. */
const ATTEMPTS_MAX = 10;

/**
 * Fetches the document of a URL, unless it was seen later than its list says that it changed. Many wait for one host, each for
 * its turn, however long that takes.
 *
 * @returns null where it was given up while it waited
 */
export async function fetchWanted(
  item: Wanted,
  index: FillAccess,
  wish: Pick<PutRequest, 'similar' | 'unless'>,
  until: AbortSignal,
): Promise<Outcome | null> {
  const { wanted: url, lastModified } = item;
  const seen = seenOf(item);
  const seenAt = lastModified === null ? null : await index.lastSeen(url);
  if (seenAt !== null && lastModified !== null && seenAt >= lastModified) return { kind: 'not-modified', seen };
  const none = { body: null, select: null, remove: null, observedAt: null, meta: null };
  const answer = await whenThereIsRoom(() => index.put({ url, ...none, ...wish }), until);
  return answer === null ? null : { kind: 'put', seen, answer };
}

async function whenThereIsRoom(put: () => Promise<PutAnswer>, until: AbortSignal): Promise<PutAnswer | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await put();
    } catch (error) {
      const isBusy = error instanceof ShingledError && (error.status === 429 || error.status === 503);
      if (!isBusy || (attempt >= ATTEMPTS_MAX && error.code !== 'overloaded')) throw error;
      await rest((error.retryAfterS ?? attempt) * 1000, { ref: true, signal: until }).catch(() => {});
      if (until.aborted) return null;
    }
  }
}
