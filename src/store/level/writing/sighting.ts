import type { Sample } from '../../../core/sketch/modulus.ts';
import type { KeptSample } from '../../../core/sketch/narrow.ts';
import type { Dated } from '../../dated.ts';
import type { Content, PutPlan, SamePlan } from '../../port.ts';
import type { Draft } from './draft.ts';
import { versionAt } from './history.ts';

/** A document that was seen: its content comes with the plan, or is in the index. */
export type Sighting = Omit<Dated<PutPlan>, 'kind' | 'content'> & {
  readonly content: Content<Sample> | Content<KeptSample>;
};

/** What is known of a source by that it said what another one said at a time; undefined where that is not known any more. */
export function seenAs(draft: Draft, plan: Dated<SamePlan>, at: number): Sighting | undefined {
  const as = draft.source(plan.as);
  const version = as === undefined ? undefined : versionAt(draft, plan.as, as, at);
  const { contentId = null, bytesDigest = null } = version ?? {};
  const number = contentId === null ? undefined : draft.numberOf(contentId);
  if (as === undefined || version === undefined || number === undefined || bytesDigest === null) return undefined;
  const hold = [as.present, ...as.past].find(({ content }) => content === number);
  const isItself = plan.as === plan.url;
  return {
    ...plan,
    content: draft.content(number),
    bytesDigest,
    httpStatus: plan.httpStatus ?? (version.state === 'live' ? version.httpStatus : null),
    finalUrl: isItself ? as.finalUrl : null,
    title: hold?.title ?? null,
    language: hold?.language ?? null,
    meta: null,
  };
}

export const isRecord = (content: Sighting['content']): content is Content<KeptSample> => 'exact' in content.sample;
