import { featuresBody } from '../../../src/features/feature-list.ts';
import type { DocumentReference, PutRequest } from '../../../src/service/api.ts';
import { intersectionSize } from '../core/reference.ts';

/* Sets of features as documents, and what they share the slow way. */

export function ofFeatures(features: readonly string[], url: string | null = null): DocumentReference {
  return { url, body: featuresBody(features, 'features'), select: null, remove: null, at: null };
}

/** What a put of features brings, where service-fixture's `put` brings a text. */
export const featuresOf = (features: readonly string[]): Pick<PutRequest, 'body'> => ({
  body: featuresBody(features, 'features'),
});

export interface Shares {
  readonly resemblance: number;
  readonly queryInMatch: number;
  readonly matchInQuery: number;
}

/** Of two sets of strings, by Broder 1997, §3. */
export function sharesOfSets(query: ReadonlySet<string>, match: ReadonlySet<string>): Shares {
  const shared = intersectionSize(query, match);
  return {
    resemblance: shared / (query.size + match.size - shared),
    queryInMatch: shared / query.size,
    matchInQuery: shared / match.size,
  };
}
