import { useMemo } from 'preact/hooks';
import type { ClusterMember } from 'shingled/types';
import { type Lane, placesIn } from '../../drawn/family-places.ts';
import { joinedLikeness, type Link, type Parts, type TreeNode } from '../../drawn/family-tree.ts';
import { usePageWidth } from '../../parts/use-page-width.ts';
import { count, day, percent } from '../../words/figures.ts';
import { partClass, partShape } from './part-class.ts';
import { firstSource, standingOf } from './standing-of.ts';

interface Props {
  readonly members: readonly ClusterMember[];
  readonly nodes: readonly TreeNode[];
  readonly parts: Parts;
  readonly threshold: number;
  readonly weakest: readonly Link[];
}

const LANES = 8;
/** How large a text and a line are drawn, by how many texts there are. */
const SCALES = [
  { texts: 60, slot: 22, widest: 5 },
  { texts: 300, slot: 15, widest: 3 },
  { texts: Number.POSITIVE_INFINITY, slot: 11, widest: 2 },
] as const;
const LANE_HEAD = 24;
/** Half of it is drawn above the highest lane. */
const BOW_MAX = 48;
const LANE_FOOT = 10;
const AXIS = 32;
/** A drawing is as wide as the window, within these, so that words in it are not made small. */
const [NARROWEST, WIDEST] = [360, 1000];
const DATE_WIDTH = 120;

/** The tree with each text at its day and its host; what it says stands in words in the table below. */
export function FamilyMap({ members, nodes, parts, threshold, weakest }: Props) {
  const pageWidth = usePageWidth();
  const drawing = useMemo(() => drawingOf(members, nodes, pageWidth), [members, nodes, pageWidth]);
  const ground = useMemo(() => <Ground {...drawing} />, [drawing]);
  const { width, height, points, edges, radius } = drawing;
  const isAlone = (row: number) => parts.sizes[parts.of[row]!] === 1;
  const hueAt = (row: number) => partClass(parts.of[row]!, isAlone(row));
  return (
    <figure class="map">
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {nodes.map(({ member, likeness }, row) => (
          <Edge key={member} {...edges[row]!} hue={likeness < threshold ? null : hueAt(row)} />
        ))}
        {ground}
        {nodes.map(({ member }, row) => (
          <Mark
            key={member}
            {...points[row]!}
            radius={radius}
            member={members[member]!}
            part={parts.of[row]!}
            isAlone={isAlone(row)}
            isAsked={row === 0}
          />
        ))}
        {weakest.map(({ row }, at) => (
          <text key={row} class="weak" x={edges[row]!.middle.x} y={edges[row]!.middle.y + 5} text-anchor="middle">
            {at + 1}
          </text>
        ))}
      </svg>
      <figcaption class="quiet">
        From left to right: the day on which a text was first seen, wider where many were. From top to bottom: hosts,
        those of most texts first. A wide line is a strong likeness, a dotted one is cut; numbers are the weakest links.
        Each part has a shape and a colour, what stands alone is a ring. The text that was asked for is framed.
      </figcaption>
    </figure>
  );
}

interface Point {
  readonly x: number;
  readonly y: number;
}

interface EdgeLine {
  readonly d: string;
  readonly width: number;
  readonly middle: Point;
}

interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly lanes: readonly (Lane & { readonly top: number; readonly bottom: number })[];
  readonly ticks: readonly { readonly x: number; readonly words: string }[];
  /** Of each row. */
  readonly points: readonly Point[];
  readonly edges: readonly EdgeLine[];
  readonly radius: number;
}

function drawingOf(members: readonly ClusterMember[], nodes: readonly TreeNode[], pageWidth: number): Drawing {
  const width = Math.min(WIDEST, Math.max(NARROWEST, pageWidth));
  const { slot, widest } = SCALES.find(({ texts }) => nodes.length <= texts)!;
  const { lanes, places, ticks } = placesIn(
    standingOf(members),
    Math.floor(width / slot),
    LANES,
    Math.floor(width / DATE_WIDTH),
  );
  let height = 0;
  const drawn = lanes.map((lane) => {
    const top = height;
    height += LANE_HEAD + lane.rows * slot + LANE_FOOT;
    return { ...lane, top, bottom: height };
  });
  const points = nodes.map(({ member }) => {
    const { lane, column, row } = places[member]!;
    return { x: column * slot, y: drawn[lane]!.top + LANE_HEAD + row * slot };
  });
  const least = nodes.reduce((low, { likeness }) => Math.min(low, likeness), 1);
  const edges = nodes.map(({ parent, likeness }, row) =>
    edgeBetween(
      points[parent ?? row]!,
      points[row]!,
      0.5 + ((likeness - least) / Math.max(1 - least, 0.01)) * (widest - 0.5),
    ),
  );
  return {
    ...{ width, height: height + AXIS, lanes: drawn, points, edges, radius: slot * 0.32 },
    ticks: ticks.map(({ column, words }) => ({ x: column * slot, words })),
  };
}

/** A bow, so that it is seen past what stands between its ends. */
function edgeBetween(a: Point, b: Point, width: number): EdgeLine {
  const bend = Math.min(0.2, BOW_MAX / Math.hypot(b.x - a.x, b.y - a.y));
  const bow = { x: (a.x + b.x) / 2 + (b.y - a.y) * bend, y: (a.y + b.y) / 2 - Math.abs(b.x - a.x) * bend };
  const middle = { x: (a.x + b.x) / 4 + bow.x / 2, y: (a.y + b.y) / 4 + bow.y / 2 };
  const d = `M${near(a)}Q${near(bow)} ${near(b)}`;
  return { d: a === b ? '' : d, width: Math.round(width * 10) / 10, middle };
}

const near = ({ x, y }: Point) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;

function Ground({ lanes, ticks, width, height }: Drawing) {
  const floor = height - AXIS;
  return (
    <>
      {lanes.map(({ host, hosts, top, bottom }) => (
        <g key={host}>
          <path class="lane" d={`M0 ${bottom}H${width}`} />
          <text class="lane-name" x="0" y={top + 16}>
            {host ?? `${count(hosts)} other hosts`}
          </text>
        </g>
      ))}
      {ticks.map(({ x, words }) => (
        <g key={words}>
          <path class="lane" d={`M${x} 0V${floor + 8}`} />
          <text class="tick" x={x + 4} y={floor + 22}>
            {words}
          </text>
        </g>
      ))}
    </>
  );
}

/** @param hue of the part whose texts it joins, null where it is cut */
function Edge({ d, width, hue }: EdgeLine & { readonly hue: string | null }) {
  return useMemo(() => {
    if (d === '') return null;
    return hue === null ? (
      <path class="edge edge-cut" d={d} />
    ) : (
      <path class={`edge ${hue}`} stroke-width={width} d={d} />
    );
  }, [d, width, hue]);
}

interface MarkProps extends Point {
  readonly radius: number;
  readonly member: ClusterMember;
  readonly part: number;
  readonly isAlone: boolean;
  readonly isAsked: boolean;
}

/** Made anew only where its part changes. */
function Mark({ x, y, radius, member, part, isAlone, isAsked }: MarkProps) {
  return useMemo(() => {
    const first = firstSource(member);
    const like =
      member.joinedBy === null
        ? ''
        : `, ${percent(joinedLikeness(member.joinedBy).estimate)} like the one it hangs from`;
    return (
      <g transform={`translate(${near({ x, y })})`}>
        <path class={`node ${partClass(part, isAlone)}`} transform={`scale(${radius})`} d={partShape(part, isAlone)}>
          <title>{first === undefined ? 'no URL is listed' : `${first.url}, ${day(first.firstSeen)}${like}`}</title>
        </path>
        {isAsked && <circle class="node-asked" r={radius * 1.6} />}
      </g>
    );
  }, [x, y, radius, member, part, isAlone, isAsked]);
}
