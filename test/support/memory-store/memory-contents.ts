import type { Sample } from '../../../src/core/sketch/modulus.ts';
import type { KeptSample } from '../../../src/core/sketch/narrow.ts';
import { contentRecord, postedFingerprints } from '../../../src/store/contents.ts';
import type { Content, ContentHead, ContentId } from '../../../src/store/port.ts';

/** The contents of an index in memory, each once however many sources hold it, and which of them have a fingerprint. */
export class MemoryContents {
  /** By content number: numbers are given out in order of arrival and never again. */
  readonly records = new Map<number, Content<KeptSample>>();
  /** Content numbers by fingerprint, in no order. */
  readonly postings = new Map<number, Set<number>>();
  private readonly indexModulusMax: number;
  private readonly numbers = new Map<ContentId, number>();
  private nextNumber = 0;

  constructor(indexModulusMax: number) {
    this.indexModulusMax = indexModulusMax;
  }

  /** How many there ever were. */
  get given(): number {
    return this.nextNumber;
  }

  /** @param number of a content that is held */
  get(number: number): Content<KeptSample> {
    return this.records.get(number)!;
  }

  has(id: ContentId): boolean {
    return this.numbers.has(id);
  }

  withId(id: ContentId): Content<KeptSample> | undefined {
    const number = this.numbers.get(id);
    return number === undefined ? undefined : this.records.get(number);
  }

  /** @returns its number, the one that it has where it is held already */
  add(content: Content<Sample> | Content<KeptSample>): number {
    const known = this.numbers.get(content.id);
    if (known !== undefined) return known;
    if (!isWhole(content)) throw new Error('a record is of a content that is held');
    const number = this.nextNumber++;
    this.numbers.set(content.id, number);
    this.records.set(number, contentRecord(content, this.indexModulusMax));
    for (const fingerprint of postedFingerprints(content, this.indexModulusMax)) {
      const list = this.postings.get(fingerprint) ?? new Set();
      this.postings.set(fingerprint, list.add(number));
    }
    return number;
  }

  /** Forgets all contents but those of the given numbers. @returns how many it forgot */
  keepOnly(held: ReadonlySet<number>): number {
    let forgotten = 0;
    for (const [number, content] of this.records) {
      if (held.has(number)) continue;
      for (const fingerprint of postedFingerprints(content, this.indexModulusMax)) {
        this.postings.get(fingerprint)!.delete(number);
      }
      this.records.delete(number);
      this.numbers.delete(content.id);
      forgotten++;
    }
    return forgotten;
  }
}

const isWhole = (content: Content<Sample> | Content<KeptSample>): content is Content<Sample> =>
  !('exact' in content.sample);

/** All but the sample, and bits for it. */
export function headOf({ sample: _, main, ...head }: Content<KeptSample>): ContentHead {
  if (main === null || main === 'not-read') return { ...head, main };
  const { bits: __, ...part } = main;
  return { ...head, main: part };
}
