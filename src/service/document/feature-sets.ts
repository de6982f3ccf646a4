import { ShingledError } from '../../errors.ts';
import { isFeatures } from '../../features/feature-list.ts';
import type { ContentDescription, DocumentReference } from '../api.ts';

/*
 * Sets of features among documents. What lies behind the sketch knows nothing of them, but that they have shingles and no
 * tokens, as no text does. So the index needs no field for it.
 */

interface Counted {
  readonly tokenCount: number;
}

export const isFeatureSet = ({ tokenCount }: Counted): boolean => tokenCount === 0;

/** What a description says of it beside that of a text. */
export const kindOf = (document: Counted): Pick<ContentDescription, 'kind'> =>
  isFeatureSet(document) ? { kind: 'features' } : {};

/** What two documents are compared by, in words. */
export const unitsOf = (a: Counted, b: Counted) => (isFeatureSet(a) && isFeatureSet(b) ? 'features' : 'shingles');

/**
 * Refuses what only a text has where a document comes as features. One that only the index knows is no mistake of the caller:
 * there `limits` says that it has no text.
 *
 * @param wanted what options ask for that a text has, by their names; null: they do not
 * @throws ShingledError `invalid-request`
 */
export function refuseOfFeatures(
  references: readonly Pick<DocumentReference, 'body'>[],
  wanted: Readonly<Record<string, string | null>>,
): void {
  const field = Object.keys(wanted).find((name) => wanted[name] !== null);
  if (field === undefined || !references.some(({ body }) => body !== null && isFeatures(body.contentType))) return;
  throw onlyOfTexts(field, wanted[field]!);
}

export function onlyOfTexts(field: string, what: string): ShingledError {
  return new ShingledError('invalid-request', `Features have no text, and so no ${what}.`, { field });
}
