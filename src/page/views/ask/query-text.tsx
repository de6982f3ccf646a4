import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Match } from 'shingled/types';
import { type Place, piecesOf } from '../../words/text-marks.ts';

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
    const ofChosen = chosen?.passages ?? [];
    return piecesOf(text.length, [
      ...shared.map(({ from, to }) => ({ from, to, id: SHARED })),
      ...ofChosen.map(({ from, to }) => ({ from, to, id: CHOSEN })),
    ]);
  }, [text, shared, chosen]);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (chosen !== null) showFirstChosen(section.current!);
  }, [chosen]);
  return (
    // a long text is scrolled by the keyboard, too
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached
    <section class="query-text prose" aria-label="Your text, with what is shared marked" tabIndex={0} ref={section}>
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

/** Scrolls the text to the first passage that stands out, and the window to the text where it is not in sight. */
function showFirstChosen(section: HTMLElement): void {
  const mark = section.querySelector('mark.chosen');
  if (mark === null) return;
  const { top } = section.getBoundingClientRect();
  section.scrollTop += mark.getBoundingClientRect().top - top - section.clientHeight / 3;
  section.scrollIntoView({ block: 'nearest' });
}
