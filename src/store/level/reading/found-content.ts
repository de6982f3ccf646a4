import type { Content } from '../../port.ts';
import { openCompared, openComparedSteps } from '../format/content-values.ts';
import { inSteps, nextTurn } from '../next-turn.ts';

/** Bytes of records that are decoded before others get the event loop: those of large documents have a megabyte each. */
export const DECODED_BYTES_MAX = 2 ** 18;

/** Opens one record after the other, with everything else between them, and within those of megabytes. */
export class FoundOpener {
  private bytes = 0;

  /** As {@link openCompared}: a promise where others are to have the event loop first. */
  open(key: string, value: Buffer, isKept: boolean): Content | Promise<Content> {
    this.bytes += value.length;
    if (this.bytes <= DECODED_BYTES_MAX) return openCompared(key, value, isKept);
    this.bytes = value.length;
    return this.openLater(key, value, isKept);
  }

  private async openLater(key: string, value: Buffer, isKept: boolean): Promise<Content> {
    await nextTurn();
    if (value.length <= DECODED_BYTES_MAX) return openCompared(key, value, isKept);
    return inSteps(openComparedSteps(key, value));
  }
}
