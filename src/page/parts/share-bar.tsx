import type { EstimatedShare, ExactShare } from 'shingled/types';
import { intervalOf, percentWithin } from '../words/figures.ts';
import { DECISIONS } from '../words/sentences.ts';

interface Props {
  readonly name: string;
  /** What the name means, where it is not plain. */
  readonly long?: string;
  readonly share: EstimatedShare | ExactShare;
  /** Null where it was not looked for. */
  readonly threshold: number | null;
}

/** A share as a bar: filled to the estimate, its 95 % interval drawn across, the threshold as a mark; and all in words. */
export function ShareBar({ name, long, share, threshold }: Props) {
  const interval = intervalOf(share);
  const decision = share.decision === null ? null : DECISIONS[share.decision];
  return (
    <div class="share">
      <span class="share-name" title={long}>
        {name}
      </span>
      <Bar {...interval} threshold={threshold} />
      <span class="share-figure">
        {percentWithin(interval)}
        {'exact' in share && <span class="quiet"> exactly</span>}
      </span>
      {decision === null ? (
        <span class="decision quiet">not asked</span>
      ) : (
        <span class={`decision decision-${decision.word}`} title={decision.meaning}>
          <span aria-hidden="true">{decision.shape}</span> {decision.word}
        </span>
      )}
    </div>
  );
}

interface BarProps {
  readonly at: number;
  readonly low: number;
  readonly high: number;
  readonly threshold: number | null;
}

function Bar({ at, low, high, threshold }: BarProps) {
  return (
    <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-track" x="0" y="2" width="100" height="6" />
      <rect class="bar-fill" x="0" y="2" width={at * 100} height="6" />
      {high - low > 0.004 && <rect class="bar-interval" x={low * 100} y="0" width={(high - low) * 100} height="10" />}
      {threshold !== null && <rect class="bar-threshold" x={threshold * 99.2} y="0" width="0.8" height="10" />}
    </svg>
  );
}
