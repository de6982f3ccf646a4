import { ShingledError } from '../errors.ts';
import { checkJsonBounds } from '../json/json.ts';

/*
 * A document that is a set of features: any strings. Order and repetition do not matter; nothing of a string is changed, so
 * that two are one feature only where all their code points are the same.
 *
 *   {"features": ["a", "b"]}  ─ featuresBody ─┐
 *                                             ├─ bytes of a JSON list, of the type FEATURES_TYPE ─ readFeatures ─ strings
 *   a body, `bytes` or a page of that type  ──┘
 *
 * By its type such a document goes wherever bytes with a type go.
 */

export const FEATURES_TYPE = 'application/vnd.shingled.features+json';

/** Strings of one document: as many as a long book has shingles, and a tenth of a second's work. */
export const FEATURES_MAX = 100_000;
/** Bytes of one of them as UTF-8: a feature is a name, a token, a line or a hash. What is longer is a text. */
export const FEATURE_BYTES_MAX = 4096;

/** What JSON of features may have: a list of strings, before anything of it is parsed. */
export const FEATURES_JSON = { jsonDepthMax: 1, jsonValuesMax: FEATURES_MAX + 1 } as const;

const TYPE = /^[\t\n\r ]*application\/vnd\.shingled\.features\+json[\t\n\r ]*(?:[;,]|$)/i;

/** Whether a document is read as features: by its Content-Type alone. */
export function isFeatures(contentType: string | null): boolean {
  return contentType !== null && TYPE.test(contentType);
}

/**
 * Features as the body of a document.
 *
 * @param field where they stand in what the caller sent
 * @throws ShingledError `invalid-request` or `invalid-utf8`, naming the field
 */
export function featuresBody(features: readonly string[], field: string) {
  checkFeatures(features, field);
  return { bytes: new TextEncoder().encode(JSON.stringify(features)), contentType: FEATURES_TYPE };
}

/**
 * The features of a document of {@link FEATURES_TYPE}, as they were sent.
 *
 * @throws ShingledError `unreadable-document` where the bytes are no list of strings in UTF-8; as {@link featuresBody}
 *   without a field
 */
export function readFeatures(bytes: Uint8Array): readonly string[] {
  let json: unknown;
  try {
    checkJsonBounds(bytes, FEATURES_JSON);
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    const limit = cause instanceof ShingledError ? cause.limit?.name : undefined;
    if (limit === 'jsonValuesMax') throw tooMany();
    if (limit === 'jsonDepthMax') throw unreadable('have lists or objects in them', cause);
    throw unreadable('are no JSON in UTF-8', cause);
  }
  if (!Array.isArray(json)) throw unreadable('are JSON, but no list');
  const other = json.findIndex((feature) => typeof feature !== 'string');
  if (other >= 0) throw unreadable(`are a list of which item ${other + 1} is no string`);
  const features = json as readonly string[];
  checkFeatures(features);
  return features;
}

/** @throws ShingledError */
function checkFeatures(features: readonly string[], field?: string): void {
  if (features.length > FEATURES_MAX) throw tooMany(field);
  for (const [i, feature] of features.entries()) {
    const at = field === undefined ? undefined : `${field}[${i}]`;
    if (!feature.isWellFormed()) {
      const detail = `Feature ${i + 1} has half a surrogate pair in it.`;
      throw new ShingledError('invalid-utf8', detail, { field: at });
    }
    // no code unit takes more than three bytes
    if (3 * feature.length <= FEATURE_BYTES_MAX || Buffer.byteLength(feature) <= FEATURE_BYTES_MAX) continue;
    const detail = `Feature ${i + 1} has more than ${FEATURE_BYTES_MAX} bytes: a feature is short, what is long is a text.`;
    const limit = { name: 'featureBytesMax', value: FEATURE_BYTES_MAX };
    throw new ShingledError('invalid-request', detail, { field: at, limit });
  }
}

function tooMany(field?: string): ShingledError {
  const detail = `A document has at most ${FEATURES_MAX} features; these are more.`;
  return new ShingledError('invalid-request', detail, { field, limit: { name: 'featuresMax', value: FEATURES_MAX } });
}

function unreadable(what: string, cause?: unknown): ShingledError {
  return new ShingledError('unreadable-document', `The features ${what}: they are a JSON list of strings.`, { cause });
}
