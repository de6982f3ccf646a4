import type { Sample } from '../../../core/sketch/modulus.ts';
import type { KeptSample } from '../../../core/sketch/narrow.ts';
import { contentRecord, postedFingerprints } from '../../contents.ts';
import type { Content } from '../../port.ts';
import { locatorOf } from '../format/content-values.ts';

/** A content that the batch brings into the index, for the posting index to take up once it is on disk. */
export interface Born {
  readonly id: string;
  readonly shingleCount: number;
  readonly shingleDigest: string;
  /** The fingerprints that get postings. */
  readonly posted: Float64Array;
}

/** What becomes of a content that was not there. @param owner the source that brings it */
export function newContent(
  content: Content<Sample>,
  number: number,
  owner: string,
  indexModulusMax: number,
): { readonly record: Content<KeptSample>; readonly born: Born } {
  const kept = contentRecord(content, indexModulusMax);
  const { id, shingleCount, shingleDigest } = content;
  const posted = postedFingerprints(kept, indexModulusMax);
  return { record: { ...kept, locator: locatorOf(number, owner) }, born: { id, shingleCount, shingleDigest, posted } };
}
