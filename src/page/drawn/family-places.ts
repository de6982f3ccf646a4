import { type Stretch, ticksOf } from './timeline.ts';

/*
 * Where the texts of a family stand in its drawing. From left to right goes the day on which each was first seen. From top to
 * bottom there are lanes: one for each host that has most of them, and one for all others.
 *
 *     a.example        ●   ●●       ●     three rows: so many were first seen on one day
 *                          ●●
 *                          ●
 *     5 other hosts    ●        ●
 *                   ├──────────────┴────▷ days; where many were seen, a day is wider
 *
 * No two stand in one place. The days are cut into bins of equal length. A bin is as wide as its fullest lane needs, and the
 * rows are as few as let all bins fit. Texts stand at their very time, but where a bin has too many for that: there they are
 * spread over it, in the order of time.
 * Cost: O(n log n + r b) for n texts, b bins and r rows.
 */

export interface Standing {
  /** What its lane is called. */
  readonly host: string;
  /** UTC, milliseconds. */
  readonly timeMs: number;
}

export interface Lane {
  /** Null of the lane in which all other hosts are. */
  readonly host: string | null;
  readonly hosts: number;
  readonly rows: number;
}

export interface Place {
  /** Position of its lane. */
  readonly lane: number;
  /** From 0 to below `columns`; a fraction. */
  readonly column: number;
  /** From 0 to below the rows of its lane; a fraction. */
  readonly row: number;
}

export interface FamilyPlaces {
  readonly lanes: readonly Lane[];
  /** In the order of those who stand. */
  readonly places: readonly Place[];
  /** Beginnings of days, months or years, from left to right. */
  readonly ticks: readonly { readonly column: number; readonly words: string }[];
}

const DAY_MS = 86_400_000;
/** Columns for each row. */
const BLOCK_SHAPE = 3;

/**
 * @param columns how wide the drawing is, from 2
 * @param lanesMost from 2
 * @param ticksMost so many dates have room beside each other
 */
export function placesIn(
  standing: readonly Standing[],
  columns: number,
  lanesMost: number,
  ticksMost: number,
): FamilyPlaces {
  const days = standing.map(({ timeMs }) => Math.floor(timeMs / DAY_MS));
  const first = days.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = days.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (standing.length === 0) return { lanes: [], places: [], ticks: [] };
  const span = last - first + 1;
  const bins = Math.min(span, columns >> 1);
  const lanes = lanesOf(standing, lanesMost);
  const cells = lanes.map(({ has }) => {
    const cell: number[][] = Array.from({ length: bins }, () => []);
    for (const at of has) cell[Math.floor(((days[at]! - first) * bins) / span)]!.push(at);
    return cell.map((some) => some.sort((a, b) => standing[a]!.timeMs - standing[b]!.timeMs || a - b));
  });
  const widths = widthsOf(
    Array.from({ length: bins }, (_, bin) => Math.max(...cells.map((cell) => cell[bin]!.length))),
    columns,
  );
  const begins = beginningsOf(widths);
  const columnOf = (timeMs: number) => {
    const place = ((timeMs / DAY_MS - first) * bins) / span;
    const bin = Math.min(Math.floor(place), bins - 1);
    return begins[bin]! + (place - bin) * widths[bin]!;
  };
  // of one day only: a block in which lines have room
  const rowsLeast = bins === 1 ? Math.ceil(Math.sqrt(standing.length / BLOCK_SHAPE)) : 1;
  const places: Place[] = [];
  const rows = cells.map((cell, lane) => {
    const columnsOf = cell.flatMap((some, bin) => {
      const together = Math.max(rowsLeast, Math.ceil(some.length / Math.floor(widths[bin]! + 1e-9)));
      const pitch = widths[bin]! / Math.ceil(some.length / together);
      return some.map((at, nth) => {
        const column =
          some.length <= together
            ? columnOf(standing[at]!.timeMs)
            : begins[bin]! + (Math.floor(nth / together) + 0.5) * pitch;
        return { at, column: Math.min(Math.max(column, 0.5), columns - 0.5) };
      });
    });
    const found = rowsFor(columnsOf.map(({ column }) => column));
    for (const [nth, { at, column }] of columnsOf.entries()) places[at] = { lane, column, row: found[nth]! + 0.5 };
    return 1 + Math.max(...found);
  });
  return {
    lanes: lanes.map(({ host, hosts }, lane) => ({ host, hosts, rows: rows[lane]! })),
    places,
    ticks: ticksWithin({ firstMs: first * DAY_MS, lastMs: (last + 1) * DAY_MS - 1 }, columnOf, columns, ticksMost),
  };
}

interface Filled {
  readonly host: string | null;
  readonly hosts: number;
  readonly has: readonly number[];
}

/** The hosts that have most, then by name; the last lane has the others where there are too many. */
function lanesOf(standing: readonly Standing[], most: number): Filled[] {
  const byHost = Map.groupBy(standing.keys(), (at) => standing[at]!.host);
  const lanes = [...byHost].map(([host, has]): Filled => ({ host, hosts: 1, has }));
  lanes.sort((a, b) => b.has.length - a.has.length || (a.host! < b.host! ? -1 : 1));
  if (lanes.length <= most) return lanes;
  const others = lanes.splice(most - 1);
  return [...lanes, { host: null, hosts: others.length, has: others.flatMap(({ has }) => has) }];
}

/** Columns of each bin, together all there are: by the fewest rows with which the fullest lane of each has room. */
function widthsOf(needs: readonly number[], columns: number): number[] {
  for (let rows = 1; ; rows++) {
    const widths = needs.map((need) => Math.max(1, Math.ceil(need / rows)));
    const left = columns - widths.reduce((sum, width) => sum + width, 0);
    if (left >= 0) return widths.map((width) => width + left / widths.length);
  }
}

/** For each column the highest row in which nothing stands nearer than a column. @param columns ascending */
function rowsFor(columns: readonly number[]): number[] {
  const ends: number[] = [];
  return columns.map((column) => {
    const free = ends.findIndex((end) => end <= column - 1 + 1e-9);
    const row = free < 0 ? ends.length : free;
    ends[row] = column;
    return row;
  });
}

function beginningsOf(widths: readonly number[]): number[] {
  let begin = 0;
  return widths.map((width) => {
    begin += width;
    return begin - width;
  });
}

/** Those that have room beside each other. */
function ticksWithin(stretch: Stretch, columnOf: (timeMs: number) => number, columns: number, most: number) {
  const room = columns / (most + 1);
  const kept: { column: number; words: string }[] = [];
  for (const { atMs, words } of ticksOf(stretch, most)) {
    const column = columnOf(atMs);
    const isFree = column - (kept.at(-1)?.column ?? -room) >= room && column <= columns - room;
    if (isFree) kept.push({ column, words });
  }
  return kept;
}
