import type { Again, VersionRow } from '../format/version-values.ts';

/*
 * Versions as runs of sightings: what is seen several times in a row, in the same bytes, is one version, whenever it is told.
 *
 *   sightings   X 1   X 2   Y 3   X 4   X 5        in the order of their times
 *   versions    X since 1   Y 3   X since 4        each knows when it was seen again: 2, and 5
 *
 * A sighting changes the run that it falls into, and what is beside it. Those are taken apart into their sightings, and put
 * together again with the one that is told: so it does not matter in which order they come.
 *
 *   told: Y 4.5    X since 4, again 5   ──►   X 4   Y 4.5   X 5
 */

/** A version, and when it was first seen. */
export interface DatedVersion {
  readonly observedAt: number;
  readonly row: VersionRow;
}

/**
 * Times that a version keeps beside the first. Beyond, the one goes that leaves the least gap: where another version comes
 * between later, the second half begins when it is next known to be seen. 32 take some 150 bytes of a page seen daily.
 */
const AGAIN_MAX = 32;

/** A sighting of what a version is of. */
interface Sighting extends Again {
  readonly of: VersionRow;
}

/** @param runs neighbours, the oldest first @returns the same with the sighting, which wins over another of its moment */
export function withSighting(runs: readonly DatedVersion[], { observedAt, row }: DatedVersion): DatedVersion[] {
  const sightings = runs.flatMap(sightingsOf).filter(({ at }) => at !== observedAt);
  sightings.push({ at: observedAt, httpStatus: row.httpStatus, of: row });
  sightings.sort((a, b) => a.at - b.at);
  const groups: Sighting[][] = [];
  for (const sighting of sightings) {
    const last = groups.at(-1);
    if (last !== undefined && isSame(last[0]!.of, sighting.of)) last.push(sighting);
    else groups.push([sighting]);
  }
  return groups.map(runOf);
}

function sightingsOf({ observedAt, row }: DatedVersion): Sighting[] {
  const first = { at: observedAt, httpStatus: row.httpStatus, of: row };
  return [first, ...row.again.map((again) => ({ ...again, of: row }))];
}

/** Whether two sightings in a row are of one version. */
function isSame(a: VersionRow, b: VersionRow): boolean {
  if (a.state !== b.state) return false;
  return a.state === 'gone' || (a.contentId === b.contentId && a.bytesDigest === b.bytesDigest);
}

function runOf(sightings: readonly Sighting[]): DatedVersion {
  const [{ at, httpStatus, of: told }, ...others] = sightings as [Sighting, ...Sighting[]];
  // what was told first may know less of what was there: that it was gone, say
  const of = [...sightings].sort((a, b) => known(b.of) - known(a.of))[0]?.of ?? told;
  const again = others.map((other) => ({ at: other.at, httpStatus: other.httpStatus }));
  while (again.length > AGAIN_MAX) again.splice(leastGap(at, again), 1);
  return { observedAt: at, row: { ...of, httpStatus, again } };
}

const known = ({ contentId, sketch }: VersionRow) => Number(contentId !== null) + Number(sketch !== null);

/** The sighting, but the last, whose neighbours are nearest to one another. */
function leastGap(since: number, again: readonly Again[]): number {
  let [least, place] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i < again.length - 1; i++) {
    const gap = again[i + 1]!.at - (again[i - 1]?.at ?? since);
    if (gap < least) [least, place] = [gap, i];
  }
  return place;
}

export const lastSeenOf = ({ observedAt, row }: DatedVersion): number => row.again.at(-1)?.at ?? observedAt;

/** Whether the row of a version is to be written anew. */
export function isUnchanged(a: DatedVersion, b: DatedVersion): boolean {
  const [one, other] = [a.row, b.row];
  return (
    a.observedAt === b.observedAt &&
    isSame(one, other) &&
    one.httpStatus === other.httpStatus &&
    one.contentId === other.contentId &&
    one.bytesDigest === other.bytesDigest &&
    one.sketch === other.sketch &&
    one.again.length === other.again.length &&
    one.again.every(({ at, httpStatus }, i) => at === other.again[i]!.at && httpStatus === other.again[i]!.httpStatus)
  );
}
