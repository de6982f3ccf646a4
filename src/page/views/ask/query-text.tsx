import { useMemo } from 'preact/hooks';
import type { Match } from 'shingled/types';
import { piecesOf, placesOf } from '../../words/text-marks.ts';

interface Props {
  readonly text: string;
  readonly matches: readonly Match[];
  /** Position of the match whose passages stand out; null for none. */
  readonly chosen: number | null;
}

/** The query with the passages that any match has marked in it, and those of one match more so. */
export function QueryText({ text, matches, chosen }: Props) {
  const pieces = useMemo(() => {
    const marks = matches.flatMap(({ passages = [] }, id) =>
      placesOf(
        text,
        passages.map((passage) => passage.text),
      ).map((place) => ({ ...place, id })),
    );
    return piecesOf(text.length, marks);
  }, [text, matches]);
  return (
    // a long text is scrolled by the keyboard, too
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached
    <section class="query-text prose" aria-label="Your text, with what is shared marked" tabIndex={0}>
      {pieces.map(({ from, to, ids }) =>
        ids.length === 0 ? (
          text.slice(from, to)
        ) : (
          <mark key={from} class={chosen !== null && ids.includes(chosen) ? 'chosen' : ''}>
            {text.slice(from, to)}
          </mark>
        ),
      )}
    </section>
  );
}
