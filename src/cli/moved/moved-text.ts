import type { MovedAnswer } from '../../service/moved/moved-api.ts';
import { noContentLines, shareText } from '../asking/share-texts.ts';
import { count, table } from '../texts.ts';

const STATES: Readonly<Record<MovedAnswer['state'], string>> = {
  live: 'it shows its document',
  redirected: 'it shows its document, from another address',
  replaced: 'it shows something else than before',
  gone: 'it is gone',
};

const REASONS: Readonly<Record<MovedAnswer['refused'][number]['reason'], string>> = {
  'soft-404': 'a notice in the place of documents',
  parked: 'a parked page',
  'home-page': 'a home page',
  'other-document': 'another document',
};

/** Where one document is, as a person reads it: a row each, the surest first. */
export function movedText(answer: MovedAnswer): string {
  const { url, state, lastSeen, candidates, refused, contentsForgotten, timegate, complete, limits } = answer;
  const lines = [`${url}: ${STATES[state]}; last seen ${lastSeen}`];
  if (candidates.length === 0 && state !== 'live') lines.push('  Its document is nowhere else in the index.');
  if (candidates.length > 0) {
    const haveContents = candidates.some(({ content }) => content !== null && content !== undefined);
    const ofContents = (cell: string) => (haveContents ? [cell] : []);
    const rows = candidates.map((candidate) => [
      `  ${candidate.sure}`,
      candidate.how,
      candidate.equivalence === 'none' ? `${candidate.resemblance.estimate.toFixed(2)} the same` : 'the same words',
      ...ofContents(candidate.content ? shareText(candidate.content.resemblance) : ''),
      candidate.firstSeen ?? 'never seen itself',
      candidate.url,
    ]);
    lines.push(
      ...table([['  how sure', 'how', 'what it says', ...ofContents('of contents'), 'first seen', 'URL'], ...rows]),
    );
  }
  for (const { url: page, reason, sharedBy } of refused) {
    const shared = sharedBy === null ? '' : `, of ${count(sharedBy)} or more`;
    lines.push(`  Not offered: ${page} (${REASONS[reason]}${shared}).`);
  }
  lines.push(...noContentLines(answer.contentUnknown));
  if (contentsForgotten > 0) lines.push(`  ${count(contentsForgotten)} contents that it had are forgotten.`);
  if (timegate !== null) lines.push(`  Archived: ${timegate}`);
  if (!complete) lines.push(`  Something may be missing: ${limits.map(({ code }) => code).join(', ')}.`);
  return `${lines.join('\n')}\n`;
}
