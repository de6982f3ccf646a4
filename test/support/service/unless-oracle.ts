import type { BulkOperation, Thresholds } from '../../../src/service/api.ts';
import { exactShares } from '../core/make-documents.ts';

/** Insert unless similar the slow way: one operation after the other, each text held against all others by its sets. */
export class UnlessOracle {
  readonly #pages = new Map<string, { words: string; state: 'live' | 'gone' }>();
  readonly #shingleSize: number;

  constructor(shingleSize: number) {
    this.#shingleSize = shingleSize;
  }

  /** What a line comes to, and which URLs stand against it. */
  apply(operation: BulkOperation): { result: string; standing: string[] } {
    const { op, url } = operation;
    const page = this.#pages.get(url);
    if (op !== 'put') {
      if (page === undefined) return { result: 'unknown-url', standing: [] };
      if (op === 'delete') this.#pages.delete(url);
      else page.state = 'gone';
      return { result: op === 'delete' ? 'deleted' : 'gone', standing: [] };
    }
    const words = Buffer.from(operation.body!.bytes).toString();
    const isSame = page?.words === words;
    const standing = operation.unless === null || isSame ? [] : this.#standing(url, words, operation.unless);
    if (standing.length > 0) return { result: 'skipped', standing };
    this.#pages.set(url, { words, state: 'live' });
    if (page === undefined) return { result: 'created', standing };
    if (!isSame) return { result: 'updated', standing };
    return { result: page.state === 'gone' ? 'back' : 'unchanged', standing };
  }

  #standing(url: string, words: string, { resemblance, queryInMatch, matchInQuery }: Thresholds): string[] {
    const isMet = (share: number, threshold: number | null) => threshold !== null && share >= threshold;
    return [...this.#pages]
      .filter(([other, page]) => {
        if (other === url || page.state === 'gone') return false;
        const shares = exactShares(words, page.words, this.#shingleSize);
        return (
          isMet(shares.resemblance, resemblance) || isMet(shares.aInB, queryInMatch) || isMet(shares.bInA, matchInQuery)
        );
      })
      .map(([other]) => other)
      .sort();
  }
}
