import { useMemo } from 'preact/hooks';
import type { Match } from 'shingled/types';
import { type Place, piecesOf } from '../../words/text-marks.ts';
import { passagesIn } from './asked-similar.ts';

interface Props {
  readonly text: string;
  /** Where any match has a passage. */
  readonly shared: readonly Place[];
  /** The match whose passages stand out; null for none. */
  readonly chosen: Match | null;
}

const SHARED = 0;
const CHOSEN = 1;

/** The query with the passages that any match has marked in it, and those of one match more so. */
export function QueryText({ text, shared, chosen }: Props) {
  const pieces = useMemo(() => {
    const ofChosen = chosen === null ? [] : passagesIn(text, chosen);
    return piecesOf(text.length, [
      ...shared.map((place) => ({ ...place, id: SHARED })),
      ...ofChosen.map((place) => ({ ...place, id: CHOSEN })),
    ]);
  }, [text, shared, chosen]);
  return (
    // a long text is scrolled by the keyboard, too
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached
    <section class="query-text prose" aria-label="Your text, with what is shared marked" tabIndex={0}>
      {pieces.map(({ from, to, ids }) =>
        ids.length === 0 ? (
          text.slice(from, to)
        ) : (
          <mark key={from} class={ids.includes(CHOSEN) ? 'chosen' : ''}>
            {text.slice(from, to)}
          </mark>
        ),
      )}
    </section>
  );
}
