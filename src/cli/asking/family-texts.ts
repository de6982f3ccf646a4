import type { ClusterAnswer, ClusterMember } from '../../service/clusters/cluster-api.ts';
import { count, table } from '../texts.ts';
import { othersText, shareText } from './share-texts.ts';

/** The cluster of a URL as a person reads it: a row for each text, by which pair it was joined. */
export function familyText({ url, by, index }: ClusterAnswer): string {
  if (index === null) return `${url}: the index does not know it.\n`;
  const { members, representative, complete, limits, weakest } = index;
  const names = new Map(members.map((member) => [member.contentId, nameOf(member)]));
  if (weakest === null) return `${url}: nothing hangs together with it.\n`;
  const rows = members.map((member) => {
    const { joinedBy } = member;
    return [
      `  ${joinedBy === null ? '' : shareText(joinedBy.likeness)}`,
      `${nameOf(member)}${othersText(member)}`,
      joinedBy === null ? '' : names.get(joinedBy.contentId)!,
    ];
  });
  const { a, b, likeness } = weakest;
  return `${[
    `${url}: ${count(members.length)} texts, represented by ${representative}`,
    ...table([[`  ${by}`, 'URL', 'like'], ...rows]),
    `  Above ${shareText(likeness)} it parts in ${count(a.contentCount)} and ${count(b.contentCount)}.`,
    ...(complete ? [] : [`  Something may be missing: ${limits.map(({ code }) => code).join(', ')}.`]),
  ].join('\n')}\n`;
}

const nameOf = ({ sources }: ClusterMember) => sources[0]?.url ?? '(no source)';
