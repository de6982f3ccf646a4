import { useEffect, useRef, useState } from 'preact/hooks';
import type { SpannedText } from 'shingled/types';
import { mainPieces, type SpanPiece } from '../../drawn/main-pieces.ts';
import { beside, type Pair, rising, turned } from '../../drawn/scroll-pairs.ts';
import { changesIn } from '../../drawn/span-bands.ts';
import { SpanMap } from './span-map.tsx';

interface Props {
  readonly a: SpannedText;
  readonly b: SpannedText;
}

const LEGEND = [
  ['common', 'in both, in this order'],
  ['moved', 'in both, elsewhere'],
  ['repeated', 'in both, said again'],
  ['only', 'in this text only'],
] as const;

/** Two texts with what both have marked, scrolled together, and a map of both between them. */
export function SpanPanes({ a, b }: Props) {
  const left = useRef<HTMLElement>(null);
  const right = useRef<HTMLElement>(null);
  /** The pane that moves because the other one was scrolled. */
  const led = useRef<HTMLElement | null>(null);
  const [shown, setShown] = useState(0);
  const changes = changesIn(a);
  const follow = (from: HTMLElement | null, to: HTMLElement | null, isTurned: boolean) => {
    if (from === null || to === null) return;
    if (led.current === from) {
      led.current = null;
      return;
    }
    const pairs = pairsOf(left.current!, right.current!, a);
    const next = Math.round(beside(isTurned ? turned(pairs) : pairs, from.scrollTop));
    const before = to.scrollTop;
    to.scrollTop = next;
    if (to.scrollTop !== before) led.current = to;
  };
  const go = (step: number) => {
    const next = (shown + step + changes.length) % changes.length;
    setShown(next);
    partAt(left.current, changes[next]!)?.scrollIntoView({ block: 'nearest' });
    const part = partAt(left.current, changes[next]!);
    if (left.current !== null && part !== null) left.current.scrollTop = part.offsetTop - left.current.clientHeight / 3;
  };
  useEffect(() => setShown(0), [a]);
  return (
    <>
      <div class="legend-row">
        <ul class="legend">
          {LEGEND.map(([kind, words]) => (
            <li key={kind}>
              <span class={`span-${kind}`}>{words}</span>
            </li>
          ))}
          {[a, b].some(hasFrame) && (
            <li>
              <span class="beside-main">small and grey: not main text (menus, teasers, notices)</span>
            </li>
          )}
        </ul>
        {changes.length > 0 && (
          <p class="actions">
            <button type="button" onClick={() => go(-1)}>
              Change before
            </button>
            <button type="button" onClick={() => go(1)}>
              Next change
            </button>
          </p>
        )}
      </div>
      <div class="panes">
        <Pane name="a" text={a} pane={left} onScroll={() => follow(left.current, right.current, false)} />
        <SpanMap a={a} b={b} />
        <Pane name="b" text={b} pane={right} onScroll={() => follow(right.current, left.current, true)} />
      </div>
    </>
  );
}

interface PaneProps {
  readonly name: string;
  readonly text: SpannedText;
  readonly pane: { current: HTMLElement | null };
  readonly onScroll: () => void;
}

function Pane({ name, text: spanned, pane, onScroll }: PaneProps) {
  const { text = '', spans } = spanned;
  const pieces = mainPieces(spanned);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by the keyboard
    <section class="pane prose" aria-label={`Text ${name}`} tabIndex={0} ref={pane} onScroll={onScroll}>
      {spans.map(({ kind, from }, at) => (
        <span key={from} class={`span-${kind}`} data-at={at}>
          {kind === 'unread'
            ? '… the rest was not compared'
            : pieces[at]!.map((piece) => <Piece key={piece.from} text={text} piece={piece} />)}
        </span>
      ))}
    </section>
  );
}

function Piece({ text, piece: { from, to, isMain } }: { readonly text: string; readonly piece: SpanPiece }) {
  const words = text.slice(from, to);
  return isMain ? words : <span class="beside-main">{words}</span>;
}

/** Whether main text is told from the rest of it. */
const hasFrame = ({ main }: SpannedText) => main !== null && main !== undefined;

function partAt(pane: HTMLElement | null, at: number): HTMLElement | null {
  return pane?.querySelector(`[data-at="${at}"]`) ?? null;
}

/** How far from the top common spans begin in both panes. */
function pairsOf(left: HTMLElement, right: HTMLElement, a: SpannedText): Pair[] {
  const rights = new Map(
    Array.from(right.querySelectorAll<HTMLElement>('.span-common'), (part) => [part.dataset['at'], part]),
  );
  const pairs = Array.from(left.querySelectorAll<HTMLElement>('.span-common')).flatMap((part): Pair[] => {
    const partner = a.spans[Number(part.dataset['at'])]?.partner;
    const beside = partner === null || partner === undefined ? undefined : rights.get(String(partner));
    return beside === undefined ? [] : [{ left: part.offsetTop, right: beside.offsetTop }];
  });
  return rising([{ left: 0, right: 0 }, ...pairs]);
}
