import type { CompositionAnswer } from 'shingled/types';
import { partName } from '../../drawn/family-tree.ts';
import { percent } from '../../words/figures.ts';
import { hueOf } from './part-hue.ts';

type Props = Pick<CompositionAnswer, 'parts' | 'unexplained'>;

/** All of the text as one bar: what each part adds to those before it, then what nobody explains. */
export function CoverageBar({ parts, unexplained }: Props) {
  let from = 0;
  const segments = parts.map(({ unique: { estimate } }, part) => {
    const segment = { part, from, width: estimate };
    from += estimate;
    return segment;
  });
  return (
    <figure class="coverage">
      <svg viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true">
        <defs>
          <pattern id="hatch-1" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="hatch" width="3" height="8" />
          </pattern>
          <pattern id="hatch-2" width="8" height="8" patternUnits="userSpaceOnUse">
            <rect class="hatch" width="8" height="3" />
          </pattern>
          <pattern id="hatch-3" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
            <rect class="hatch" width="3" height="8" />
          </pattern>
        </defs>
        <rect class="bar-track" width="1000" height="40" />
        {segments.map(({ part, from: x, width }) => (
          <g key={part}>
            <rect class={`hue-${hueOf(part)}`} x={x * 1000} width={width * 1000} height="40" />
            {part % 4 > 0 && <rect fill={`url(#hatch-${part % 4})`} x={x * 1000} width={width * 1000} height="40" />}
          </g>
        ))}
      </svg>
      <figcaption>
        <ul class="legend">
          {segments.map(({ part, width }) => (
            <li key={part}>
              <span class={`piece piece-${hueOf(part)}`}>{partName(part)}</span> {percent(width)}
            </li>
          ))}
          <li>nobody’s {percent(unexplained.estimate)}</li>
        </ul>
      </figcaption>
    </figure>
  );
}
