import { createHash } from 'node:crypto';
import type { ComparedSample } from '../../core/sketch/narrow.ts';
import type { LimitReached } from '../api.ts';
import type { gatherCandidates, RankedMatch } from './candidates.ts';

/*
 * Matches in order, kept from one page of a thorough query to the next: to find and sort 5,000 takes 20 ms, to show 250 of
 * them 7.
 *
 *   what the cursor is bound to (cursor.ts), edition of the index ── ranking, while the list goes on
 *
 * The edition is another one as soon as a content has come (store/port.ts), so a page has what it would have without this.
 * Who says a match is read anew for each page: URLs that come, change or go meanwhile are told as they are.
 */

/** A list of copiesMax matches has room. Each thread that answers has as much, the price of two queries. */
export const KEPT_RANKINGS_BYTES_MAX = 8 * 2 ** 20;
/** Of a match: evidence, shares and what holds them take 350, digests and locator the rest where nobody else has them. */
const MATCH_BYTES = 600;

/** A sample is for comparing, which is done; of ten thousand pages they have 32 MiB. */
const NO_SAMPLE: ComparedSample = { modulus: 1, bits: 40, values: new Float64Array(0) };

/** Whether a content that was kept has lost its sample. */
export const isWithoutSample = ({ sample }: RankedMatch['record']): boolean => sample === NO_SAMPLE;

/** All that pages are made of, but for sources. */
export interface Ranking {
  readonly ranked: readonly RankedMatch[];
  readonly recall: Awaited<ReturnType<typeof gatherCandidates>>['recall'];
  readonly complete: boolean;
  readonly limits: readonly LimitReached[];
  /** Candidates, and those of them that the deadline left out. */
  readonly candidates: number;
  readonly unjudged: number;
  /** Whether something could not be read: the next page may find it. */
  readonly unreadable: boolean;
  readonly estimatedCopies: number | null;
  /** Whether anything shares a part of the query that is worth telling, though it be no match. */
  readonly isNear: boolean;
}

interface Kept {
  readonly edition: string;
  readonly ranking: Ranking;
  readonly bytes: number;
}

/** Those that were used last, of one thread. */
export class KeptRankings {
  private readonly bytesMax: number;
  private readonly byList = new Map<string, Kept>();
  private kept = 0;

  constructor(bytesMax = KEPT_RANKINGS_BYTES_MAX) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.kept;
  }

  get(binding: string, edition: string): Ranking | undefined {
    const key = keyOf(binding);
    const found = this.byList.get(key);
    if (found?.edition !== edition) return undefined;
    this.byList.delete(key);
    this.byList.set(key, found);
    return found.ranking;
  }

  /** Without its samples; not at all where it is too long. Others make room for it. */
  keep(binding: string, edition: string, ranking: Ranking): void {
    this.drop(binding);
    const bytes = MATCH_BYTES * ranking.ranked.length;
    if (bytes > this.bytesMax) return;
    for (const [key, oldest] of this.byList) {
      if (this.kept + bytes <= this.bytesMax) break;
      this.byList.delete(key);
      this.kept -= oldest.bytes;
    }
    const ranked = ranking.ranked.map((match) => ({ ...match, record: { ...match.record, sample: NO_SAMPLE } }));
    this.byList.set(keyOf(binding), { edition, bytes, ranking: { ...ranking, ranked } });
    this.kept += bytes;
  }

  /** The list was shown to its end. */
  drop(binding: string): void {
    const key = keyOf(binding);
    this.kept -= this.byList.get(key)?.bytes ?? 0;
    this.byList.delete(key);
  }
}

/** A binding has lists of URLs in it, megabytes maybe. */
const keyOf = (binding: string) => createHash('sha256').update(binding).digest('base64');
