/* Where times stand on a line from the first to the last, and which dates are written below it. */

const DAY_MS = 86_400_000;

export interface Stretch {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** From the earliest of some times to the latest, at least a day; a little room at both ends. */
export function stretchOf(timesMs: readonly number[]): Stretch {
  const first = timesMs.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = timesMs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (!Number.isFinite(first)) return { firstMs: 0, lastMs: DAY_MS };
  const room = Math.max((last - first) * 0.03, DAY_MS / 2);
  return { firstMs: first - room, lastMs: last + room };
}

/** 0 at the beginning of a stretch, 1 at its end. */
export function placeOn({ firstMs, lastMs }: Stretch, timeMs: number): number {
  return (timeMs - firstMs) / (lastMs - firstMs);
}

const MONTHS = [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200];
const DAYS = [1, 2, 7, 14];

/**
 * Dates to write below a line: beginnings of days, months or years, evenly spread.
 *
 * @param most so many at the most, from 1
 * @returns ascending, with the words for each
 */
export function ticksOf(
  { firstMs, lastMs }: Stretch,
  most: number,
): { readonly atMs: number; readonly words: string }[] {
  const days = (lastMs - firstMs) / DAY_MS;
  const step = DAYS.find((each) => days / each <= most);
  if (step !== undefined) {
    const times = rangeOf(Math.ceil(firstMs / (step * DAY_MS)), lastMs, (at) => at * step * DAY_MS);
    return times.map((atMs) => ({ atMs, words: new Date(atMs).toISOString().slice(0, 10) }));
  }
  const months = MONTHS.find((each) => days / (each * 30.4) <= most) ?? 1200;
  const first = new Date(firstMs);
  const from = Math.floor((first.getUTCFullYear() * 12 + first.getUTCMonth()) / months);
  const times = rangeOf(from, lastMs, (at) => monthMs(at * months));
  return times
    .filter((atMs) => atMs >= firstMs)
    .map((atMs) => ({ atMs, words: new Date(atMs).toISOString().slice(0, months < 12 ? 7 : 4) }));
}

/** The beginning of a month, counted from the year 0. */
function monthMs(month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1);
  return date.getTime();
}

function rangeOf(from: number, lastMs: number, timeOf: (at: number) => number): number[] {
  const times: number[] = [];
  for (let at = from; timeOf(at) <= lastMs; at++) times.push(timeOf(at));
  return times;
}
