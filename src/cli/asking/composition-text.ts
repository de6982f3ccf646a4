import type { CompositionAnswer, CompositionPart } from '../../service/composition/composition-shapes.ts';
import { count, table } from '../texts.ts';
import { noContentLines, othersText, sizeText } from './share-texts.ts';

/** What a document is made of, as a person reads it: a row for each part, what nothing explains, and whose each passage is. */
export function compositionText(name: string, answer: CompositionAnswer): string {
  const { query, parts, more, unexplained, content, passages = [], complete, limits } = answer;
  const shown = `${name}: ${sizeText(query)}${query.short ? ', short' : ''}`;
  const haveContents = (content ?? null) !== null;
  const ofContents = (cell: string) => (haveContents ? [cell] : []);
  const rows = parts.map(({ share, unique, content: own, sources, ...counted }, part) => [
    `  ${part + 1}`,
    percent(unique),
    percent(share),
    ...ofContents(own ? percent(own.unique) : ''),
    `${sources[0]?.url ?? '(no source)'}${othersText(counted)}`,
  ]);
  const rest = [
    '  -',
    percent(unexplained),
    '',
    ...ofContents(content ? percent(content.unexplained) : ''),
    'nothing that is known',
  ];
  const lines = passages.map(
    ({ from, to, part, tokens, text }) =>
      `  ${part + 1}  ${from}-${to}  ${count(tokens)} words: ${text.replaceAll(/\s+/g, ' ').trim()}`,
  );
  const notes = [
    ...noContentLines(answer.decidedBy === null ? answer.contentUnknown : undefined),
    ...(more ? ['  There is more: --limit shows more parts.'] : []),
    ...(complete ? [] : [`  Something may be missing: ${limits.map(({ code }) => code).join(', ')}.`]),
  ];
  const head = ['  part', 'of it', 'with what others have', ...ofContents('of its content'), 'URL'];
  return `${[shown, ...table([head, ...rows, rest]), ...lines, ...notes].join('\n')}\n`;
}

/** `41 % (38 to 44)`. */
function percent({ estimate, low, high }: CompositionPart['share']): string {
  const [least, most] = [hundredths(low), hundredths(high)];
  return least === most ? `${hundredths(estimate)} %` : `${hundredths(estimate)} % (${least} to ${most})`;
}

const hundredths = (share: number) => (share * 100).toFixed(share < 0.1 ? 1 : 0);
