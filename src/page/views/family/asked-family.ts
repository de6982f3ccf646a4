import type { ClusterAnswer } from 'shingled/types';
import { type Params, shareParam } from '../../address/view-address.ts';
import { ANSWER_DEADLINE_MS, getFrom, withQuery } from '../../asking/ask-service.ts';
import { type ContentWish, isContentWish } from '../../words/content-wishes.ts';

/* What is asked of a family. */

export interface FamilyForm {
  readonly url: string;
  readonly threshold: number;
  readonly by: 'resemblance' | 'containment';
  readonly content: ContentWish;
}

export const FIRST_FAMILY: FamilyForm = { url: '', threshold: 0.5, by: 'resemblance', content: 'page' };
/** The API wants more than nothing. */
export const THRESHOLD_MIN = 0.05;

const MEMBERS_MAX = 1000;
const SOURCES_MAX = 5;

export function isFamilyForm(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { url, threshold, by, content } = value as Partial<Record<keyof FamilyForm, unknown>>;
  const isBy = by === 'resemblance' || by === 'containment';
  return typeof url === 'string' && typeof threshold === 'number' && isBy && isContentWish(content);
}

/** A form as an address says it, over what was typed before. */
export function familyFrom(params: Params, typed: FamilyForm): FamilyForm {
  const { url, by, content } = params;
  if (url === undefined) return typed;
  const threshold = shareParam(params, 'threshold', FIRST_FAMILY.threshold) ?? FIRST_FAMILY.threshold;
  return {
    url,
    threshold: Math.max(threshold, THRESHOLD_MIN),
    by: by === 'containment' ? by : 'resemblance',
    content: isContentWish(content) ? content : 'page',
  };
}

export function familyParams({ url, threshold, by, content }: FamilyForm): Params {
  return {
    url: url.trim(),
    ...(threshold === FIRST_FAMILY.threshold ? {} : { threshold: String(threshold) }),
    ...(by === FIRST_FAMILY.by ? {} : { by }),
    ...(content === FIRST_FAMILY.content ? {} : { content }),
  };
}

export function askFamily({ url, threshold, by, content }: FamilyForm, signal: AbortSignal): Promise<ClusterAnswer> {
  const values = {
    url: url.trim(),
    threshold,
    by,
    content,
    limit: MEMBERS_MAX,
    sourcesPerMember: SOURCES_MAX,
    deadlineMs: ANSWER_DEADLINE_MS,
  };
  return getFrom<ClusterAnswer>(withQuery('clusters', values), signal);
}
