import type { ComparedSample } from '../../core/narrow.ts';
import type { FoundContent } from '../port.ts';
import { decodeCompared } from './content-codec.ts';
import { unreadable, ValueReader } from './value-bytes.ts';
import { readContentHead } from './values.ts';

/** A content as a query meets it, of hundreds: what is compared of it, and where it is, so that nothing need be looked up again. */
export class FoundContentRow implements FoundContent {
  readonly number: number;
  /** The URL of a source. */
  readonly owner: string;
  readonly id: string;
  readonly shingleDigest: string;
  readonly tokenCount: number;
  readonly shingleCount: number;
  readonly createdAt: number;
  readonly sample: ComparedSample;

  /**
   * @param isKept it outlives the query
   * @throws ShingledError `index-unreadable`
   */
  constructor(number: number, key: string, value: Buffer, isKept: boolean) {
    const reader = new ValueReader(key, value);
    const head = readContentHead(reader);
    const sample = decodeCompared(reader.rest(), isKept);
    if (sample === undefined) throw unreadable(key);
    this.number = number;
    this.owner = head.owner;
    this.id = head.id;
    this.shingleDigest = head.shingleDigest;
    this.tokenCount = head.tokenCount;
    this.shingleCount = head.shingleCount;
    this.createdAt = head.createdAt;
    this.sample = sample;
  }
}
