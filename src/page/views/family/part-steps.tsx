import { useMemo } from 'preact/hooks';
import { partCounts, type TreeNode } from '../../drawn/family-tree.ts';
import { count } from '../../words/figures.ts';
import { THRESHOLD_MIN } from './asked-family.ts';

interface Props {
  readonly nodes: readonly TreeNode[];
  readonly threshold: number;
}

/** How many parts there are at each threshold, as a staircase from left to right; where we are is a line. */
export function PartSteps({ nodes, threshold }: Props) {
  const steps = useMemo(() => partCounts(nodes), [nodes]);
  const most = nodes.length;
  const path = useMemo(() => {
    const height = (parts: number) => 60 - (most === 1 ? 0 : ((parts - 1) / (most - 1)) * 56);
    const [first, ...others] = steps;
    const drawn = others.map(({ above, parts }) => `H${placeOf(above)}V${height(parts).toFixed(1)}`);
    return `M0 ${height(first!.parts)}${drawn.join('')}H1000`;
  }, [steps, most]);
  return (
    <figure class="steps">
      <svg viewBox="0 0 1000 62" preserveAspectRatio="none" aria-hidden="true">
        <path class="steps-line" d={path} />
        <path class="steps-here" d={`M${placeOf(threshold)} 0V62`} />
      </svg>
      <figcaption class="quiet">
        Parts at each threshold of the slider: 1 at the bottom, {count(most)} at the top; the upright line is where you
        are.
      </figcaption>
    </figure>
  );
}

/** From left to right as on the slider, which begins above nothing. */
function placeOf(threshold: number): string {
  return (Math.max(0, (threshold - THRESHOLD_MIN) / (1 - THRESHOLD_MIN)) * 1000).toFixed(1);
}
