import type { FoundContent } from '../../port.ts';
import { decodeCompared } from '../format/content-codec.ts';
import { unreadable, ValueReader } from '../format/value-bytes.ts';
import { readContentHead } from '../format/values.ts';

/*
 * A content as a query meets it, of hundreds: what is compared of it, and its locator, so that nothing need be looked up again
 * to name its holders.
 *
 *   locator    "4711 https://www.example.com/a"    the number of the content, and the URL of the source that owns it
 */

/**
 * @param number of the content
 * @param value of its row
 * @param isKept it outlives the query
 * @throws ShingledError `index-unreadable`
 */
export function openFound(number: number, key: string, value: Buffer, isKept: boolean): FoundContent {
  const reader = new ValueReader(key, value);
  const { owner, id, shingleDigest, tokenCount, shingleCount, createdAt } = readContentHead(reader);
  const sample = decodeCompared(reader.rest(), isKept);
  if (sample === undefined) throw unreadable(key);
  return { id, shingleDigest, tokenCount, shingleCount, createdAt, sample, locator: `${number} ${owner}` };
}

export interface Located {
  readonly number: number;
  readonly owner: string;
}

export function readLocator(locator: string): Located {
  const space = locator.indexOf(' ');
  return { number: Number(locator.slice(0, space)), owner: locator.slice(space + 1) };
}
