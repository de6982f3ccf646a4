import { type CaptionSource, placeCaptions } from './captions/caption-meeting.ts';
import type { ListedResult } from './listed-result.ts';
import type { Meeting, Page } from './meeting.ts';
import { siteOf } from './page-url.ts';

/**
 * The pages of a list, in order of preference: results of one URL are one.
 *
 * @param preferences of the results
 */
export function pagesOf(results: readonly ListedResult[], preferences: readonly number[], meeting: Meeting): Page[] {
  const order = [...results.keys()].sort((a, b) => compare(preferences[a]!, preferences[b]!) || a - b);
  const byKey = new Map<string | number, number[]>();
  for (const result of order) {
    const key = results[result]!.key ?? result;
    const page = byKey.get(key);
    if (page === undefined) byKey.set(key, [result]);
    else page.push(result);
  }
  const lists = Array.from(byKey.values());
  const captions = placeCaptions(lists.map((page) => captionOf(page, results)));
  const sets = new Map<string, number>();
  return lists.map((page, number) => {
    const first = page.find((result) => results[result]!.known !== null);
    const known = first === undefined ? null : results[first]!.known;
    const content = first === undefined || meeting.wish === 'page' ? null : results[first]!.content;
    const counted = content === null || content.unknown !== null ? known : content.own;
    const digest = known?.shingleDigest ?? '';
    const shingles = sets.get(digest) ?? number;
    sets.set(digest, shingles);
    return {
      number,
      results: page,
      preference: preferences[page[0]!]!,
      known,
      ...{ content, counted },
      caption: captions[number]!,
      size: counted?.shingleCount ?? 0,
      shingles,
      mayBeHeld: meeting.mayBeHeld(counted),
      isAssigned: false,
    };
  });
}

/** The first caption of a page's results. */
function captionOf(page: readonly number[], results: readonly ListedResult[]): CaptionSource | null {
  const first = page.find((result) => results[result]!.caption !== null);
  if (first === undefined) return null;
  const found = results[first]!;
  const url = found.page?.url ?? null;
  return { ...found.caption!, url, host: url && siteOf(url, 'loose') };
}

/** A difference of infinities is no number. */
const compare = (a: number, b: number) => Number(a > b) - Number(a < b);
