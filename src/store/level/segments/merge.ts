import type { FilterPart } from './filter.ts';
import type { ImagePart } from './images/image-layout.ts';
import type { Segment } from './rows/segment-list.ts';
import type { Written } from './write/segment-writer.ts';

/** A segment that is being written. */
export type Begun = Omit<Segment, 'postings' | 'bytes' | 'longest'>;

/** A merge under way: slice after slice, each a step. */
export interface Merge {
  readonly inputs: readonly Segment[];
  readonly output: Begun;
  readonly slice: { readonly bits: number };
  readonly written: Written[];
  /** Of the slices that were written: an image where there is room, and a filter unless there is room for all images. */
  readonly images: (ImagePart | undefined)[];
  readonly filter: FilterPart[];
  /** So many slices have images, from the first one on. */
  readonly imagesMax: number;
  /** Room for the filter of a slice; null where it needs none. */
  readonly filterBytesMax: number | null;
}
