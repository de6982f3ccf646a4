import { evidenceOfContents } from '../../contents.ts';
import type { Content, VersionChange } from '../../port.ts';
import type { DatedVersion } from './draft.ts';

/**
 * How a version differs from the one before it: what both contents tell of their overlap. It is looked at when the later of
 * the two comes in, since the older content is often forgotten with that very plan.
 *
 * @param contentId of the version after
 * @param known what was known of that one's change until now
 * @param contents theirs, as far as they are at hand
 * @returns null where it cannot be known, and where both have one content
 */
export function changeFrom(
  { observedAt: since, row: { contentId: from } }: DatedVersion,
  contentId: string | null,
  known: VersionChange | null,
  contents: readonly Content[],
): VersionChange | null {
  if (from === null || contentId === null || from === contentId) return null;
  if (known?.from === from) return { ...known, since };
  const older = contents.find(({ id }) => id === from);
  const newer = contents.find(({ id }) => id === contentId);
  if (older === undefined || newer === undefined) return null;
  return { since, from, evidence: evidenceOfContents(older, newer) };
}
