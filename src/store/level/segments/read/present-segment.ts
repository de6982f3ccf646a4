import { bucketKey, bucketsPrefix } from '../../format/keys.ts';
import type { SegmentFilter } from '../filter.ts';
import { bucketOf } from '../rows/bucket.ts';
import type { Segment } from '../rows/segment-list.ts';

/** A segment as it is at one moment. */
export interface PresentSegment {
  readonly segment: Segment;
  /** So many of its contents were forgotten since it was begun. */
  readonly dead: number;
  /** Where it has one: which fingerprints need not be looked for in it. */
  readonly filter: SegmentFilter | undefined;
}

/**
 * The rows of all buckets that may have something of these fingerprints.
 *
 * @returns rows, and for each its position: key by key, and segment by segment, as if all were read
 */
export function bucketsToRead(segments: readonly PresentSegment[], keys: Float64Array) {
  const parts = segments.map(({ segment, filter }) => {
    return { prefix: bucketsPrefix(segment.segment), bits: segment.bits, filter };
  });
  const rows: string[] = [];
  const places: number[] = [];
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    for (let s = 0; s < parts.length; s++) {
      const { prefix, bits, filter } = parts[s]!;
      if (filter?.mayHave(key) === false) continue;
      rows.push(bucketKey(prefix, bucketOf(key, bits)));
      places.push(i * parts.length + s);
    }
  }
  return { rows, places };
}
