import {
  decodeCompared,
  decodeComparedSteps,
  decodeSample,
  decodeSampleSteps,
  encodeSample,
} from '../../../core/coding/sample-codec.ts';
import type { Sample } from '../../../core/sketch/modulus.ts';
import type { ComparedSample, KeptSample } from '../../../core/sketch/narrow.ts';
import type { Content, ContentHead, ContentRef } from '../../port.ts';
import { numberOfContentKey } from './keys.ts';
import { unreadable, ValueReader, ValueWriter } from './value-bytes.ts';

/*
 * The row of a content: the source that owns it, what is known of it, and its sample (core/coding/sample-codec.ts). Holders
 * beside the owner have rows of their own. Whoever reads a row has number and owner as the locator of the content, so that
 * nothing need be looked up again to name its holders.
 *
 *   locator    "4711 https://www.example.com/a"    the number of the content, and the URL of its owner
 */

export const locatorOf = (number: number, owner: string) => `${number} ${owner}`;

/** The number of the content; none where it has no locator. */
export function numberOfLocator({ locator = '' }: ContentRef): number {
  let number = 0;
  let at = 0;
  // in a fifth of the time that parseInt takes: a cluster asks it of all its members again and again
  for (let digit = locator.charCodeAt(0) - ZERO; digit >= 0 && digit <= 9; digit = locator.charCodeAt(++at) - ZERO) {
    number = 10 * number + digit;
  }
  return at === 0 ? Number.NaN : number;
}

const ZERO = 48;

/** @param content as it was read from its row, or is to be written */
export function ownerOf({ locator }: ContentRef): string {
  if (locator === undefined) throw new Error('A content without an owner is in no row.');
  return locator.slice(locator.indexOf(' ') + 1);
}

export function sealContent(key: string, content: Content<KeptSample>): Buffer {
  return sealEncoded(key, ownerOf(content), content, encodeSample(content.sample));
}

/** @param encoded its sample, by encodeSample */
export function sealEncoded(key: string, owner: string, head: ContentHead, encoded: Uint8Array): Buffer {
  return new ValueWriter(80 + owner.length + encoded.length)
    .text(owner)
    .digest(head.id)
    .digest(head.shingleDigest)
    .varint(head.tokenCount)
    .varint(head.shingleCount)
    .varint(head.createdAt)
    .append(encoded)
    .seal(key);
}

export function openContent(key: string, value: Buffer): Content<KeptSample> {
  const reader = new ValueReader(key, value);
  return opened(key, readOwner(reader), readHead(reader), decodeSample(reader.rest()));
}

/** The same in steps of some 10 ms at the most. */
export function* openContentSteps(key: string, value: Buffer): Generator<undefined, Content<KeptSample>> {
  const reader = new ValueReader(key, value);
  return opened(key, readOwner(reader), readHead(reader), yield* decodeSampleSteps(reader.rest()));
}

/** As much of it as is compared. @param isKept it outlives the query @throws ShingledError `index-unreadable` */
export function openCompared(key: string, value: Buffer, isKept: boolean): Content {
  const reader = new ValueReader(key, value);
  return opened(key, readOwner(reader), readHead(reader), decodeCompared(reader.rest(), isKept));
}

/** {@link openCompared} in steps of some 10 ms at the most; what it gives is kept. */
export function* openComparedSteps(key: string, value: Buffer): Generator<undefined, Content> {
  const reader = new ValueReader(key, value);
  return opened(key, readOwner(reader), readHead(reader), yield* decodeComparedSteps(reader.rest()));
}

/** All but the sample. */
export function openHead(key: string, value: Buffer): ContentHead {
  const reader = new ValueReader(key, value);
  readOwner(reader);
  return readHead(reader);
}

/** The owner alone. */
export const openOwner = (key: string, value: Buffer): string => readOwner(new ValueReader(key, value));

const readOwner = (reader: ValueReader) => reader.text() ?? '';

function readHead(reader: ValueReader): ContentHead {
  return {
    id: reader.digest(),
    shingleDigest: reader.digest(),
    tokenCount: reader.varint(),
    shingleCount: reader.varint(),
    createdAt: reader.varint(),
  };
}

function opened<Of extends Sample | ComparedSample>(
  key: string,
  owner: string,
  { id, shingleDigest, tokenCount, shingleCount, createdAt }: ContentHead,
  sample: Of | undefined,
): Content<Of> {
  if (sample === undefined) throw unreadable(key);
  const locator = locatorOf(numberOfContentKey(key), owner);
  return { id, shingleDigest, tokenCount, shingleCount, createdAt, sample, locator };
}
