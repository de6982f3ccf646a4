import type { ClusterAnswer, ClusterMember } from '../../service/clusters/cluster-api.ts';
import { count, table } from '../texts.ts';
import { noContentLines, othersText, shareText } from './share-texts.ts';

/** The cluster of a URL as a person reads it: a row for each text, by which pair it was joined. */
export function familyText({ url, by, index }: ClusterAnswer): string {
  if (index === null) return `${url}: the index does not know it.\n`;
  const { members, representative, complete, limits, weakest } = index;
  const names = new Map(members.map((member) => [member.contentId, nameOf(member)]));
  const unknown = noContentLines(index.contentUnknown);
  if (weakest === null) return `${[`${url}: nothing hangs together with it.`, ...unknown].join('\n')}\n`;
  const haveContents = members.some(({ joinedBy }) => contentOf(joinedBy) !== null);
  const ofContents = (cell: string) => (haveContents ? [cell] : []);
  const rows = members.map((member) => {
    const { joinedBy } = member;
    const content = contentOf(joinedBy);
    return [
      `  ${joinedBy === null ? '' : shareText(joinedBy.likeness)}`,
      ...ofContents(content === null ? '' : shareText(content.likeness)),
      `${nameOf(member)}${othersText(member)}`,
      joinedBy === null ? '' : names.get(joinedBy.contentId)!,
    ];
  });
  const { a, b } = weakest;
  const likeness = weakest.decidedBy === 'content' ? weakest.content!.likeness : weakest.likeness;
  return `${[
    `${url}: ${count(members.length)} texts, represented by ${representative}`,
    ...table([[`  ${by}`, ...ofContents('of contents'), 'URL', 'like'], ...rows]),
    `  Above ${shareText(likeness)} it parts in ${count(a.contentCount)} and ${count(b.contentCount)}.`,
    ...(complete ? [] : [`  Something may be missing: ${limits.map(({ code }) => code).join(', ')}.`]),
  ].join('\n')}\n`;
}

/** A service of before tells of pages alone. */
const contentOf = (joinedBy: ClusterMember['joinedBy']) => joinedBy?.content ?? null;

const nameOf = ({ sources }: ClusterMember) => sources[0]?.url ?? '(no source)';
