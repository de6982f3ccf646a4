import { type Whereabouts, whereaboutsOf } from '../../core/moved/whereabouts.ts';
import type { Source } from '../../store/port.ts';
import type { TimedContext } from '../context.ts';
import type { LikePage } from './live-pages.ts';
import { otherUrl } from './old-url.ts';

/*
 * Pages by the URLs at which they are found in the end, as far as the index saw them lead on:
 *
 *   b ─ c ─ d             d, where c and d were seen to say the same when they were led to, or since
 *   b ─ c, not known      c
 *   b ─ c, another text   nowhere: it was seen there since, and so b leads to another document
 *   b ─ c, gone or home   nowhere
 *   b ─ c ─ b             where the newest of these sightings leads
 */

/** Links that are followed one after the other. */
const HOPS_MAX = 5;

/** A page under the URL that it is found at in the end. */
export interface Landing extends LikePage {
  readonly url: string;
  readonly via: string | null;
  /** The old URL was seen to lead there, by whatever way. */
  readonly isRedirect: boolean;
}

interface OldUrl {
  readonly url: string;
  readonly where: Whereabouts;
  readonly leadsTo: string | null;
}

/** Pages where they are found, those left out that lead back or to what is gone. */
export async function landingsOf(
  context: TimedContext,
  { url, where, leadsTo }: OldUrl,
  pages: readonly LikePage[],
): Promise<readonly Landing[]> {
  const lead = linkReader(context.limits.urlBytesMax);
  const sources = await readTargets(context, lead, pages);
  const isKnown = pages.some(({ holder }) => holder.url === leadsTo);
  const landings = pages.flatMap((page): Omit<Landing, 'isRedirect'>[] => {
    const { holder } = page;
    const next = lead(holder);
    const isOwn = holder.url === url;
    // what it shows itself is shown where it leads
    if (isOwn && (next === null || next !== leadsTo || isKnown)) return [];
    if (next === null) return [{ ...page, url: holder.url, via: null }];
    const end = endOf(page, lead, sources);
    if (end === null || end === url) return [];
    const there = whereaboutsOf(end);
    if (there.isHome && !where.isHome) return [];
    return [{ ...page, url: end, via: isOwn || end === holder.url ? null : holder.url, where: there }];
  });
  const ends = new Set([leadsTo, ...landings.filter(({ holder }) => holder.url === leadsTo).map((found) => found.url)]);
  return landings.map((landing) => ({ ...landing, isRedirect: ends.has(landing.url) }));
}

type Link = Pick<Source, 'url' | 'finalUrl' | 'lastSeen'>;
type ReadLink = (from: Link) => string | null;

const linkReader =
  (urlBytesMax: number): ReadLink =>
  ({ finalUrl, url }) =>
    otherUrl(finalUrl, url, urlBytesMax);

/** The sources that pages lead to, and those that these lead to, and so on. */
async function readTargets(
  { store, deadline }: TimedContext,
  lead: ReadLink,
  pages: readonly LikePage[],
): Promise<ReadonlyMap<string, Source | undefined>> {
  const sources = new Map<string, Source | undefined>();
  let from: readonly Link[] = pages.map(({ holder }) => holder);
  for (let hop = 0; hop < HOPS_MAX && from.length > 0; hop++) {
    const targets = [...new Set(from.map(lead))].filter(
      (target) => target !== null && !sources.has(target),
    ) as string[];
    const read = await deadline.race(Promise.all(targets.map((target) => store.source(target))));
    for (const [i, target] of targets.entries()) sources.set(target, read[i]);
    from = read.filter((source) => source !== undefined);
  }
  return sources;
}

/** Where a page leads in the end; null: to nothing that says the same. */
function endOf(
  { holder, ranked }: LikePage,
  lead: ReadLink,
  sources: ReadonlyMap<string, Source | undefined>,
): string | null {
  const links: Link[] = [];
  for (let link: Link = holder; ; ) {
    const target = lead(link);
    if (target === null) return link.url;
    links.push(link);
    if (links.some(({ url }) => url === target)) return newestEnd(links, lead);
    const source = sources.get(target);
    if (source?.state === 'gone') return null;
    if (source === undefined || source.lastSeen < link.lastSeen || links.length > HOPS_MAX) return target;
    if (source.contentId !== ranked.record.id) return null;
    link = source;
  }
}

/** Of links in a circle, each seen at a time of its own, the newest says where the document is. */
function newestEnd(links: readonly Link[], lead: ReadLink): string | null {
  const [first, ...others] = links as [Link, ...Link[]];
  const isNewer = (a: Link, b: Link) => a.lastSeen > b.lastSeen || (a.lastSeen === b.lastSeen && a.url < b.url);
  return lead(others.reduce((newest, link) => (isNewer(link, newest) ? link : newest), first));
}
