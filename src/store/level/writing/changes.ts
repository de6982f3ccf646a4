import { evidenceOfContents } from '../../contents.ts';
import type { ContentRecord, VersionChange } from '../../port.ts';
import type { DatedVersion, Draft } from './draft.ts';

/*
 * How a version differs from the one before it: what both contents tell of their overlap. It is looked at when the later of
 * the two comes in, since the older content is often forgotten with that very plan.
 */

/**
 * The change from a version to one after it.
 *
 * @param before the version before; undefined where none is listed
 * @param contentId of the version after
 * @param known what was known of that one's change until now
 * @param atHand contents that the plan has in its hand, which need not be in the index
 * @returns null where it cannot be known, and where both have one content
 */
export function changeFrom(
  draft: Draft,
  before: DatedVersion | undefined,
  contentId: string | null,
  known: VersionChange | null,
  atHand: readonly ContentRecord[],
): VersionChange | null {
  if (before === undefined) return known;
  const { observedAt: since, row } = before;
  const { contentId: from } = row;
  if (from === null || contentId === null || from === contentId) return null;
  if (known?.from === from) return { ...known, since };
  const older = recordOf(draft, from, atHand);
  const newer = recordOf(draft, contentId, atHand);
  if (older === undefined || newer === undefined) return null;
  return { since, from, evidence: evidenceOfContents(older, newer) };
}

function recordOf(draft: Draft, id: string, atHand: readonly ContentRecord[]): ContentRecord | undefined {
  const found = atHand.find((record) => record.id === id);
  if (found !== undefined) return found;
  const number = draft.numberOf(id);
  return number === undefined ? undefined : draft.content(number);
}
