import { ShingledError } from '../errors.ts';
import type { DocumentAnswer } from '../service/api.ts';

/** When a URL was seen last, ms since 1970; null where it is not known. @param ask says what is known of it */
export async function lastSeenOf(ask: () => Promise<DocumentAnswer>): Promise<number | null> {
  try {
    return Date.parse((await ask()).lastSeen);
  } catch (error) {
    if (error instanceof ShingledError && error.code === 'unknown-url') return null;
    throw error;
  }
}
