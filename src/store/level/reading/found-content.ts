import type { ComparedSample } from '../../../core/sketch/narrow.ts';
import type { FoundContent } from '../../port.ts';
import { decodeCompared, decodeComparedSteps } from '../format/content-codec.ts';
import { readContentHead } from '../format/content-values.ts';
import { unreadable, ValueReader } from '../format/value-bytes.ts';
import { inSteps, nextTurn } from '../next-turn.ts';

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
  const head = readContentHead(reader);
  return found(number, key, head, decodeCompared(reader.rest(), isKept));
}

/** {@link openFound} in steps of some 10 ms at the most; what is found is kept. */
function* openFoundSteps(number: number, key: string, value: Buffer): Generator<undefined, FoundContent> {
  const reader = new ValueReader(key, value);
  const head = readContentHead(reader);
  return found(number, key, head, yield* decodeComparedSteps(reader.rest()));
}

function found(
  number: number,
  key: string,
  { owner, id, shingleDigest, tokenCount, shingleCount, createdAt }: ReturnType<typeof readContentHead>,
  sample: ComparedSample | undefined,
): FoundContent {
  if (sample === undefined) throw unreadable(key);
  return { id, shingleDigest, tokenCount, shingleCount, createdAt, sample, locator: `${number} ${owner}` };
}

/** Bytes of records that are decoded before others get the event loop: those of large documents have a megabyte each. */
export const DECODED_BYTES_MAX = 2 ** 18;

/** Opens one record after the other, with everything else between them, and within those of megabytes. */
export class FoundOpener {
  private bytes = 0;

  /** As {@link openFound}: a promise where others are to have the event loop first. */
  open(number: number, key: string, value: Buffer, isKept: boolean): FoundContent | Promise<FoundContent> {
    this.bytes += value.length;
    if (this.bytes <= DECODED_BYTES_MAX) return openFound(number, key, value, isKept);
    this.bytes = value.length;
    return this.openLater(number, key, value, isKept);
  }

  private async openLater(number: number, key: string, value: Buffer, isKept: boolean): Promise<FoundContent> {
    await nextTurn();
    if (value.length <= DECODED_BYTES_MAX) return openFound(number, key, value, isKept);
    return inSteps(openFoundSteps(number, key, value));
  }
}

export interface Located {
  readonly number: number;
  readonly owner: string;
}

export function readLocator(locator: string): Located {
  const space = locator.indexOf(' ');
  return { number: Number(locator.slice(0, space)), owner: locator.slice(space + 1) };
}
