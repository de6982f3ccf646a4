import type {
  CompareAnswer,
  ContentUnknown,
  EstimatedShare,
  ExactShare,
  LimitReached,
  Match,
  Passage,
  QueryDescription,
  SimilarAnswer,
} from '../../service/api.ts';
import { count, table } from '../texts.ts';

/* Answers about documents, as a person reads them. */

/** `.62 (.55 to .69)`: an estimate with its 95 % interval, or the exact value alone. */
export function shareText(share: Omit<EstimatedShare, 'decision'> | ExactShare): string {
  if ('exact' in share) return two(share.exact);
  const { estimate, low, high } = share;
  return two(low) === two(high) ? two(estimate) : `${two(estimate)} (${two(low)} to ${two(high)})`;
}

const two = (share: number) => share.toFixed(2).replace(/^0/, '');

/** How much a document has: words, or features. */
export const sizeText = ({ kind, tokens, shingles }: QueryDescription) =>
  kind === 'features' ? `${count(shingles)} features` : `${count(tokens)} words`;

/** The matches of one document: a row each, and the sources of each below. */
export function matchesText(name: string, answer: SimilarAnswer): string {
  const { query, matches, complete, limits } = answer;
  const shown = `${name}: ${sizeText(query)}${query.short ? ', short' : ''}`;
  const missing = [
    ...noContentLines(answer.contentUnknown),
    ...(complete ? [] : [`  Something may be missing: ${limits.map(limitText).join(', ')}.`]),
  ];
  if (matches.length === 0) {
    if (answer.nearest === undefined) return `${[`${shown}; nothing is similar.`, ...missing].join('\n')}\n`;
    const nearest = `${shown}; nothing reaches a threshold.${togetherText(answer)} The nearest:`;
    return `${[nearest, ...matchRows(answer.nearest), ...missing].join('\n')}\n`;
  }
  const passages = matches.flatMap((match) => (match.passages ?? []).map(passageText));
  return `${[shown, ...matchRows(matches), ...passages, ...hostLines(answer), ...missing].join('\n')}\n`;
}

function togetherText({ nearestTogether }: SimilarAnswer): string {
  if (nearestTogether === undefined || nearestTogether.documents < 2) return '';
  const { documents, share } = nearestTogether;
  return ` ${count(documents)} documents have ${shareText(share)} of it together.`;
}

function matchRows(matches: readonly Match[]): string[] {
  const haveContents = matches.some((match) => contentOf(match) !== null);
  const ofContents = (cell: string) => (haveContents ? [cell] : []);
  const rows = matches.map((match) => [
    `  ${shareText(match.resemblance)}`,
    ...ofContents(contentText(match)),
    shareText(match.queryInMatch),
    shareText(match.matchInQuery),
    match.equivalence,
    `${match.sources[0]?.url ?? '(no source)'}${othersText(match)}`,
  ]);
  return table([
    ['  resemblance', ...ofContents('of contents'), 'of it in that', 'of that in it', 'same', 'URL'],
    ...rows,
  ]);
}

/** A service of before tells of pages alone. */
const contentOf = ({ content = null }: Partial<Pick<Match, 'content'>>) => content;

function contentText(match: Match): string {
  const content = contentOf(match);
  return content === null ? '' : shareText(content.resemblance);
}

/** How many sources there are beside the one that is named. */
export function othersText({ sourceCount, moreSources }: Pick<Match, 'sourceCount' | 'moreSources'>): string {
  if (sourceCount <= 1) return '';
  return ` and ${moreSources === true ? 'at least ' : ''}${count(sourceCount - 1)} more`;
}

const WHY_NO_CONTENT: Readonly<Partial<Record<ContentUnknown, string>>> = {
  'too-little': 'it has too few words of its own beside the frame of its site',
  'not-read': 'it was indexed before main texts were read',
};

/** Why nothing is found by contents; no line where that is not so. */
export function noContentLines(contentUnknown: ContentUnknown | undefined): string[] {
  if (contentUnknown === undefined) return [];
  return [`  Nothing is compared by its content: ${WHY_NO_CONTENT[contentUnknown] ?? contentUnknown}.`];
}

/** A limit, and what leaves nothing out. */
function limitText({ code, raise, thoroughReads }: LimitReached): string {
  const ways = [
    ...(thoroughReads === undefined ? [] : [`--thorough reads ${count(thoroughReads)}`]),
    ...(raise === undefined ? [] : [`${raise.setting}=${raise.to} leaves none out`]),
  ];
  return ways.length === 0 ? code : `${code} (${ways.join('; ')})`;
}

/** Of a thorough query: which hosts have the matches, and how many there are about where not all were found. */
function hostLines({ hosts, matchCount, estimatedCopies }: SimilarAnswer): string[] {
  const estimated =
    estimatedCopies === undefined ? [] : [`  About ${count(estimatedCopies)} texts in all, of which these were found.`];
  if (hosts === undefined || matchCount === undefined) return estimated;
  const rows = hosts.map((host) => [
    `  ${host.host ?? '(names)'}`,
    count(host.matches),
    count(host.sourceCount),
    shareText(host.queryInMatch),
    host.firstSeen.slice(0, 10),
    host.lastSeen.slice(0, 10),
  ]);
  const head = ['  host', 'texts', 'URLs', 'of it in the first', 'first seen', 'last seen'];
  return [`  ${count(matchCount)} texts by host:`, ...table([head, ...rows]), ...estimated];
}

const passageText = ({ tokens, text }: Passage) => `  ${count(tokens)} words: ${lineOf(text)}`;

/** Words of a document in one line. */
export const lineOf = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** The figures of contents, where there are any that are not the pages'. */
function contentRows({ content = null }: Partial<Pick<CompareAnswer, 'content'>>): string[][] {
  if (content === null) return [];
  return [
    ['resemblance of contents', shareText(content.resemblance)],
    ["of a's content in b's", shareText(content.aInB)],
    ["of b's content in a's", shareText(content.bInA)],
  ];
}

/** Two documents side by side. */
export function comparisonText(a: string, b: string, answer: CompareAnswer): string {
  const { resemblance, aInB, bInA, equivalence, passages = [], whyNot } = answer;
  const rows = [
    ['a', `${a} (${sizeText(answer.a)})`],
    ['b', `${b} (${sizeText(answer.b)})`],
    ['resemblance', shareText(resemblance)],
    ['of a in b', shareText(aInB)],
    ['of b in a', shareText(bInA)],
    ...contentRows(answer),
    ['the same by', equivalence],
    ...(whyNot === null ? [] : [['they part', `${whyNot.step}: ${whyNot.detail}`]]),
    ...(whyNot?.examples ?? []).map((example) => ['', `"${lineOf(example.a)}" is "${lineOf(example.b)}"`]),
  ];
  return `${[...table(rows), ...passages.map(passageText)].join('\n')}\n`;
}
