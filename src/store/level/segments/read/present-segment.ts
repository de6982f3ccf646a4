import { bucketKey, bucketsPrefix } from '../../format/segment-keys.ts';
import type { SegmentFilter } from '../filter.ts';
import { NO_IMAGE, type SegmentImage } from '../images/image.ts';
import { bucketOf } from '../rows/bucket.ts';
import type { Segment } from '../rows/segment-list.ts';

/** A segment as it is at one moment. */
export interface PresentSegment {
  readonly segment: Segment;
  /** So many of its contents were forgotten since it was begun. */
  readonly dead: number;
  /** Where it has one: the lists of some of its slices, or of all. */
  readonly image: SegmentImage | undefined;
  /** Where it has one: which fingerprints need not be looked for in it. */
  readonly filter: SegmentFilter | undefined;
}

/**
 * The rows of all buckets that may have something of these fingerprints, and of which there is no image.
 *
 * @param counts what was found in images: segment by segment, and key by key
 * @returns rows, and for each its position in `counts`
 */
export function bucketsToRead(segments: readonly PresentSegment[], keys: Float64Array, counts: Uint32Array) {
  const rows: string[] = [];
  const places: number[] = [];
  for (const [s, { segment, image, filter }] of segments.entries()) {
    if (image?.isWhole === true) continue;
    const prefix = bucketsPrefix(segment.segment);
    for (let i = 0; i < keys.length; i++) {
      const at = s * keys.length + i;
      const key = keys[i]!;
      if (counts[at] !== NO_IMAGE || filter?.mayHave(key) === false) continue;
      rows.push(bucketKey(prefix, bucketOf(key, segment.bits)));
      places.push(at);
    }
  }
  return { rows, places };
}
