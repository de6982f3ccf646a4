import type { ContentHead, ContentRecord } from '../../port.ts';
import { decodeSample, decodeSampleSteps, encodeSample } from './content-codec.ts';
import { unreadable, ValueReader, ValueWriter } from './value-bytes.ts';

/* The row of a content: who holds it, what is known of it, and its sample (content-codec.ts). */

/** A content, and the source that holds it; holders beside that one have rows of their own. */
export interface ContentRow {
  /** The URL of a source. */
  readonly owner: string;
  readonly record: ContentRecord;
}

export function sealContent(key: string, { owner, record }: ContentRow): Buffer {
  const sample = encodeSample(record.sample);
  return new ValueWriter(80 + owner.length + sample.length)
    .text(owner)
    .digest(record.id)
    .digest(record.shingleDigest)
    .varint(record.tokenCount)
    .varint(record.shingleCount)
    .varint(record.createdAt)
    .append(sample)
    .seal(key);
}

export function openContent(key: string, value: Buffer): ContentRow {
  const reader = new ValueReader(key, value);
  const { owner, ...head } = readContentHead(reader);
  const sample = decodeSample(reader.rest());
  if (sample === undefined) throw unreadable(key);
  return { owner, record: { ...head, sample } };
}

/** The same in steps of some 10 ms at the most. */
export function* openContentSteps(key: string, value: Buffer): Generator<undefined, ContentRow> {
  const reader = new ValueReader(key, value);
  const { owner, ...head } = readContentHead(reader);
  const sample = yield* decodeSampleSteps(reader.rest());
  if (sample === undefined) throw unreadable(key);
  return { owner, record: { ...head, sample } };
}

/** What is before the sample. */
export function readContentHead(reader: ValueReader) {
  return {
    owner: reader.text() ?? '',
    id: reader.digest(),
    shingleDigest: reader.digest(),
    tokenCount: reader.varint(),
    shingleCount: reader.varint(),
    createdAt: reader.varint(),
  };
}

/** The record without its sample. */
export function openHead(key: string, value: Buffer): ContentHead {
  const { owner: _, ...head } = readContentHead(new ValueReader(key, value));
  return head;
}

/** The owner of a content alone. */
export const ownerOf = (key: string, value: Buffer): string => new ValueReader(key, value).text() ?? '';
