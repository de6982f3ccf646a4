import type { ChangedVersion } from 'shingled/types';
import { placeOn, stretchOf, ticksOf } from '../../drawn/timeline.ts';
import { usePageWidth } from '../../parts/use-page-width.ts';
import { intervalOf } from '../../words/figures.ts';

/** A phone has room for fewer dates, and its drawing is not made smaller. */
const NARROW_PX = 640;
/** Dates this near to an end would be cut off. */
const END_PX = 36;
const FLOOR = 100;

/** Versions on a line of time: how long each was seen, and how much of the page each change took; the table says the same. */
export function VersionLine({ versions }: { readonly versions: readonly ChangedVersion[] }) {
  const times = versions.flatMap(({ observedAt, lastSeen }) => [Date.parse(observedAt), Date.parse(lastSeen)]);
  const stretch = stretchOf(times);
  const isNarrow = usePageWidth() < NARROW_PX;
  const width = isNarrow ? 360 : 1000;
  const x = (timeMs: number) => placeOn(stretch, timeMs) * width;
  const ticks = ticksOf(stretch, isNarrow ? 3 : 6).filter(
    ({ atMs }) => Math.abs(placeOn(stretch, atMs) - 0.5) < 0.5 - END_PX / width,
  );
  return (
    <figure class="timeline">
      <svg viewBox={`0 0 ${width} ${FLOOR + 30}`} aria-hidden="true">
        <path class="axis" d={`M0 ${FLOOR}H${width}`} />
        {ticks.map(({ atMs, words }) => (
          <g key={atMs}>
            <path class="axis" d={`M${x(atMs)} ${FLOOR}v6`} />
            <text class="tick" x={x(atMs)} y={FLOOR + 24} text-anchor="middle">
              {words}
            </text>
          </g>
        ))}
        {versions.map((version) => (
          <VersionMark
            key={version.observedAt}
            version={version}
            from={x(Date.parse(version.observedAt))}
            to={x(Date.parse(version.lastSeen))}
          />
        ))}
      </svg>
      <figcaption class="quiet">
        Height: how much of the page a change took, with its 95 % interval. The thick line: while a version was seen. A
        cross: gone.
      </figcaption>
    </figure>
  );
}

interface MarkProps {
  readonly version: ChangedVersion;
  readonly from: number;
  readonly to: number;
}

function VersionMark({ version: { state, change }, from, to }: MarkProps) {
  if (state === 'gone') return <path class="gone" d={`M${from - 6} ${FLOOR - 6}l12 12m0 -12l-12 12`} />;
  const share = change?.resemblance ? intervalOf(change.resemblance) : null;
  const height = (likeness: number) => (1 - likeness) * (FLOOR - 10);
  return (
    <>
      <path class="seen" d={`M${from} ${FLOOR}H${Math.max(to, from + 4)}`} />
      {share !== null && (
        <>
          <rect class="bar-fill" x={from - 4} y={FLOOR - height(share.at)} width="8" height={height(share.at)} />
          {share.high - share.low > 0.01 && (
            <path class="whisker" d={`M${from} ${FLOOR - height(share.low)}V${FLOOR - height(share.high)}`} />
          )}
        </>
      )}
      <circle class="seen-dot" cx={from} cy={FLOOR} r="6" />
    </>
  );
}
