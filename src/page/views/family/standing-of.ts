import type { ClusterMember } from 'shingled/types';
import type { Standing } from '../../drawn/family-places.ts';
import { placeOf } from '../../words/safe-link.ts';

type Source = ClusterMember['sources'][number];

/** Of the listed URLs that say a text, the one that was seen first; none where none is listed. */
export function firstSource({ sources }: ClusterMember): Source | undefined {
  return sources.reduce<Source | undefined>(
    (first, source) => (first === undefined || source.firstSeen < first.firstSeen ? source : first),
    undefined,
  );
}

/** By which host and day each text is drawn. What no listed URL says stands where the earliest does. */
export function standingOf(members: readonly ClusterMember[]): Standing[] {
  const firsts = members.map(firstSource);
  const times = firsts.flatMap((source) => (source === undefined ? [] : [Date.parse(source.firstSeen)]));
  const earliestMs = times.reduce((a, b) => Math.min(a, b), times[0] ?? 0);
  return firsts.map((source) =>
    source === undefined
      ? { host: 'no URL is listed', timeMs: earliestMs }
      : { host: placeOf(source.url), timeMs: Date.parse(source.firstSeen) },
  );
}
