import type { Match, MatchOptions, SimilarAnswer } from '../api.ts';
import { SERVICE_LIMITS } from '../limits.ts';

/*
 * All pages of a thorough query as one answer: matches in order, and what the last page says of all of them. Of each limit it
 * tells the page on which most was left out.
 */

/**
 * @param ask gives one page
 * @param matchesMax where it is reached, the answer ends with the cursor of what is left
 * @throws whatever asking for a page throws
 */
export async function everyPage(
  ask: (options: MatchOptions) => Promise<SimilarAnswer>,
  options: MatchOptions,
  matchesMax = Number.POSITIVE_INFINITY,
): Promise<SimilarAnswer> {
  const matches: Match[] = [];
  const limits = new Map<string, SimilarAnswer['limits'][number]>();
  let [complete, elapsedMs, cursor] = [true, 0, options.cursor];
  for (;;) {
    const limit = Math.min(SERVICE_LIMITS.limitMax, matchesMax - matches.length);
    const page = await ask({ ...options, limit, cursor });
    for (const match of page.matches) matches.push(match);
    for (const reached of page.limits) {
      if (reached.affected > (limits.get(reached.code)?.affected ?? 0)) limits.set(reached.code, reached);
    }
    complete &&= page.complete;
    elapsedMs += page.elapsedMs;
    ({ cursor } = page);
    if (cursor === null || matches.length >= matchesMax) {
      return { ...page, matches, complete, limits: [...limits.values()], elapsedMs: Math.round(10 * elapsedMs) / 10 };
    }
  }
}
