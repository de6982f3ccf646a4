import { useMemo } from 'preact/hooks';
import type { CompositionAnswer, CompositionPart } from 'shingled/types';
import { partName } from '../../drawn/family-tree.ts';
import { Limits } from '../../parts/outcome.tsx';
import { PassageLink } from '../../parts/passage-link.tsx';
import { SourceList } from '../../parts/source-list.tsx';
import { type Column, WideTable } from '../../parts/table.tsx';
import { counted, intervalOf, percent, percentWithin, sizeOf } from '../../words/figures.ts';
import { placeOf } from '../../words/safe-link.ts';
import { chanceWords } from '../../words/sentences.ts';
import { piecesOf } from '../../words/text-marks.ts';
import type { AskedMadeOf } from './asked-made-of.ts';
import { CoverageBar } from './coverage-bar.tsx';
import { hueOf } from './part-hue.ts';

/** The parts of a text: as one bar, in the text itself, and in a table. */
export function MadeOfAnswer({ answer, text }: AskedMadeOf) {
  const { query, passages, recall, limits, complete, more, elapsedMs } = answer;
  const isByContent = answer.decidedBy === 'content';
  const { parts, unexplained } = isByContent ? byContent(answer) : answer;
  const chance = recall.share ?? recall.words;
  return (
    <>
      <h2>
        {parts.length === 0
          ? 'Nothing that is known explains any of it'
          : `${counted(parts.length, 'part')}${more ? ', and more' : ''}; ${percent(unexplained.estimate)} is nobody’s`}
      </h2>
      <p class="quiet">
        {sizeOf(query)}. {isByContent && 'All shares are of its main text, without the frame of its site. '}
        {answer.decidedBy === null && 'It has no main text of which anything can be said. '}Answered in {elapsedMs} ms.{' '}
        {chance !== null && `A document just at the limit was looked at ${chanceWords(chance)}.`}
        {!complete && ' Something may have been left out:'}
      </p>
      <Limits limits={limits} />
      <CoverageBar parts={parts} unexplained={unexplained} />
      {parts.length > 0 && <PartTable parts={parts} />}
      {text !== null && (passages?.length ?? 0) > 0 && <ColouredText text={text} passages={passages} parts={parts} />}
      {text === null && (passages?.length ?? 0) > 0 && <PassageList passages={passages} />}
    </>
  );
}

/** The same with the figures of contents; a part that has none keeps those of its page. */
function byContent({
  parts,
  unexplained,
  content,
}: CompositionAnswer): Pick<CompositionAnswer, 'parts' | 'unexplained'> {
  return {
    parts: parts.map((part) => ({
      ...part,
      ...(part.content && { share: part.content.share, unique: part.content.unique }),
    })),
    unexplained: content?.unexplained ?? unexplained,
  };
}

const COLUMNS: readonly Column[] = ['part', ['what it has', 'number'], ['what it adds', 'number'], 'whose it is'];

function PartTable({ parts }: { readonly parts: readonly CompositionPart[] }) {
  return (
    <WideTable label="The parts" columns={COLUMNS}>
      {parts.map(({ share, unique, title, sources, sourceCount, moreSources }, at) => (
        <tr key={sources[0]?.url ?? at}>
          <td>
            <span class={`piece piece-${hueOf(at)}`}>{partName(at)}</span>
          </td>
          <td class="number steady">{percentWithin(intervalOf(share))}</td>
          <td class="number steady">{percentWithin(intervalOf(unique))}</td>
          <td>
            {title !== null && <strong>{title}</strong>}
            <SourceList sources={sources} total={sourceCount} isMore={moreSources} />
          </td>
        </tr>
      ))}
    </WideTable>
  );
}

interface TextProps {
  readonly text: string;
  readonly passages: AskedMadeOf['answer']['passages'];
  readonly parts: readonly CompositionPart[];
}

function ColouredText({ text, passages = [], parts }: TextProps) {
  const pieces = useMemo(
    () =>
      piecesOf(
        text.length,
        passages.map(({ from, to, part }) => ({ from, to, id: part })),
      ),
    [text, passages],
  );
  return (
    <>
      <h3>The text, by whose it is</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by the keyboard */}
      <section class="sheet prose" aria-label="The text, each part marked with its letter" tabIndex={0}>
        {pieces.map(({ from, to, ids: [part] }) => {
          if (part === undefined) return text.slice(from, to);
          const [source] = parts[part]?.sources ?? [];
          return (
            <span
              key={from}
              class={`piece piece-${hueOf(part)}`}
              title={source === undefined ? '' : placeOf(source.url)}
            >
              <b class="letter">{partName(part)}</b>
              {text.slice(from, to)}
            </span>
          );
        })}
      </section>
    </>
  );
}

function PassageList({ passages = [] }: Pick<TextProps, 'passages'>) {
  return (
    <>
      <h3>Its passages</h3>
      <ol class="passages">
        {passages.map(({ from, text, part, tokens, link }) => (
          <li key={from}>
            <span class={`piece piece-${hueOf(part)}`}>{partName(part)}</span> <q>{text}</q>{' '}
            <span class="quiet">{counted(tokens, 'word')}</span> <PassageLink link={link} />
          </li>
        ))}
      </ol>
    </>
  );
}
