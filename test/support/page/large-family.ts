import type { Page } from 'playwright-core';
import type { ClusterAnswer } from '../../../openapi/types.d.ts';

/* A family of a thousand texts: at 20 hosts, over five years, with likenesses from 50 to 99 %. */

const TEXTS = 1000;
const DAY_MS = 86_400_000;
const FIRST_MS = Date.parse('2020-01-01T00:00:00Z');

/** Answers each question for a family with it. */
export async function serveLargeFamily(page: Page): Promise<void> {
  await page.route('**/clusters?*', async (route) => {
    const answer = (await (await route.fetch()).json()) as ClusterAnswer;
    const index = answer.index!;
    const members = Array.from({ length: TEXTS }, (_, at) => memberOf(index.members[0]!, at));
    await route.fulfill({ json: { ...answer, index: { ...index, members, contentCount: TEXTS } } });
  });
}

type Member = NonNullable<ClusterAnswer['index']>['members'][number];

function memberOf(like: Member, at: number): Member {
  const seen = new Date(FIRST_MS + ((at * 37) % (5 * 365)) * DAY_MS).toISOString();
  const estimate = 0.5 + (at % 50) / 100;
  const likeness = { estimate, low: estimate, high: estimate, decision: 'yes' as const };
  return {
    ...like,
    contentId: `c${at}`,
    sources: [{ url: `https://h${at % 20}.example/${at}`, state: 'live', firstSeen: seen, lastSeen: seen }],
    joinedBy: at === 0 ? null : { contentId: `c${((at * 7) % at) >> 1}`, likeness, content: null },
  };
}
