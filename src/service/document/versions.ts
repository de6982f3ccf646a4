import { ShingledError } from '../../errors.ts';
import type { Deadline } from '../../sharing/deadline.ts';
import type { Turns } from '../../sharing/turns.ts';
import type { Store, Version } from '../../store/port.ts';
import type { VersionAnswer, VersionWish } from '../api.ts';

/* The dated versions of a URL: as they are told, and the one that a caller means. */

/** Versions that are read at a time where one is looked for by its content: of most URLs all, and of none for long. */
const VERSIONS_A_PART = 128;
const LISTED = 'GET /documents/versions lists them.';

export function describeVersion({ observedAt, state, httpStatus, contentId, contentKept }: Version): VersionAnswer {
  return {
    observedAt: new Date(observedAt).toISOString(),
    state,
    httpStatus,
    content: contentKept || contentId === null ? contentId : 'forgotten',
  };
}

/** Where versions are read, for whom and how long. */
export interface VersionReading {
  readonly store: Store;
  readonly turns: Turns;
  readonly deadline: Deadline;
}

/** A version of which the content is known. */
export interface KnownVersion extends Version {
  readonly contentId: string;
  readonly bytesDigest: string;
}

/**
 * The version of a known URL that a caller means: the one that held at a moment, or the newest with a content. Of a version
 * that says that the URL was gone, the content is what was there before.
 *
 * @throws ShingledError `unknown-version` where there is none, or its content is not there any more; the deadline's error
 */
export async function versionAt(
  reading: VersionReading,
  url: string,
  at: VersionWish,
  field: string,
): Promise<KnownVersion> {
  const refuse = (detail: string) => new ShingledError('unknown-version', detail, { field });
  const version =
    'ms' in at ? await versionOfMoment(reading, url, at.ms) : await versionOfContent(reading, url, at.content);
  if (version === undefined) {
    const what = 'ms' in at ? 'is as old as that' : 'has that content';
    throw refuse(`The URL is known, but no version of it ${what}; ${LISTED}`);
  }
  const { contentId, bytesDigest, contentKept } = version;
  if (contentId === null || bytesDigest === null) {
    throw refuse('The URL was gone then, and nothing is known of what it said before.');
  }
  if (!contentKept) throw refuse(`What that version said is forgotten; of others it is kept: ${LISTED}`);
  return { ...version, contentId, bytesDigest };
}

async function versionOfMoment(
  { store, deadline }: VersionReading,
  url: string,
  ms: number,
): Promise<Version | undefined> {
  const [version] = await deadline.race(store.versions(url, { limit: 1, before: ms + 1 }));
  return version;
}

async function versionOfContent(
  { store, turns, deadline }: VersionReading,
  url: string,
  content: string,
): Promise<Version | undefined> {
  let before: number | undefined;
  for (;;) {
    if (turns.spent()) await turns.next();
    const range = { limit: VERSIONS_A_PART, ...(before === undefined ? {} : { before }) };
    const page = await deadline.race(store.versions(url, range));
    const found = page.find(({ contentId }) => contentId === content);
    if (found !== undefined || page.length < VERSIONS_A_PART) return found;
    before = page.at(-1)!.observedAt;
  }
}
