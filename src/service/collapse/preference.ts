import type { Preference } from '../api.ts';
import { nameHost } from '../url.ts';
import type { ListedResult } from './listed-result.ts';
import { siteOf, siteOfHost, type UrlRule } from './page-url.ts';

/**
 * Which results represent: the smaller the number the sooner; of equal ones the earlier result. What was shown is in front
 * of all, and what says nothing of what is asked for (no date, no URL, nothing known) behind.
 *
 * @throws ShingledError `invalid-request` for a host that is none
 */
export function preferenceBy(prefer: Preference, rule: UrlRule): (result: ListedResult) => number {
  const preferenceOf = orderBy(prefer, rule);
  return (result) =>
    result.given.shown ? Number.NEGATIVE_INFINITY : (preferenceOf(result) ?? Number.POSITIVE_INFINITY);
}

function orderBy(prefer: Preference, rule: UrlRule): (result: ListedResult) => number | undefined {
  if (typeof prefer !== 'string') {
    const ranks = new Map<string, number>();
    for (const [i, host] of prefer.entries()) {
      const site = siteOfHost(nameHost(host, `prefer[${i}]`), rule);
      if (!ranks.has(site)) ranks.set(site, i);
    }
    return ({ page }) => ranks.get((page && siteOf(page.url, rule)) ?? '');
  }
  switch (prefer) {
    case 'first':
      return () => 0;
    case 'longest':
      // a snippet does not say how long its page is
      return ({ known }) => (known === null || known.from === 'snippet' ? undefined : -known.shingleCount);
    case 'oldest':
      return ({ seenAt }) => seenAt ?? undefined;
    case 'shortest-url':
      return ({ page }) => page?.url.length;
  }
}
