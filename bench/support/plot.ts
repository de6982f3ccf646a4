/* A picture of one quantity against another, both on logarithmic axes, as SVG that needs nothing else. */

export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly lines: readonly Line[];
}

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 80;
const RIGHT = 150;
const TOP = 40;
const BOTTOM = 50;
/** Told apart by dashes as well as by shade: it is read on paper too. */
const DASHES = ['none', '8 4', '2 4', '8 4 2 4'];

/** @returns the text of an SVG file; `lines` have points above 0 only */
export function plotSvg({ title, x, y, lines }: Plot): string {
  const all = lines.flatMap(({ points }) => points);
  const across = axis(
    all.map(([value]) => value),
    LEFT,
    WIDTH - RIGHT,
  );
  const up = axis(
    all.map(([, value]) => value),
    HEIGHT - BOTTOM,
    TOP,
  );
  const parts = [
    text(LEFT, TOP - 22, title, 'font-weight="bold"'),
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x, 'text-anchor="middle"'),
    text(LEFT, TOP - 6, y, 'font-size="11"'),
    ...across.ticks.flatMap((tick) => [
      rule(across.at(tick), HEIGHT - BOTTOM, across.at(tick), TOP),
      text(across.at(tick), HEIGHT - BOTTOM + 18, short(tick), 'text-anchor="middle"'),
    ]),
    ...up.ticks.flatMap((tick) => [
      rule(LEFT, up.at(tick), WIDTH - RIGHT, up.at(tick)),
      text(LEFT - 8, up.at(tick) + 4, short(tick), 'text-anchor="end"'),
    ]),
    ...lines.flatMap((line, index) => drawn(line, index, across.at, up.at)),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}

function drawn({ name, points }: Line, index: number, across: Place, up: Place): string[] {
  const [lastX, lastY] = points.at(-1)!;
  const path = points.map(([x, y]) => `${round(across(x))},${round(up(y))}`).join(' ');
  const dash = DASHES[index % DASHES.length];
  return [
    `<polyline points="${path}" fill="none" stroke="black" stroke-width="2" stroke-dasharray="${dash}"/>`,
    ...points.map(([x, y]) => `<circle cx="${round(across(x))}" cy="${round(up(y))}" r="3"/>`),
    text(across(lastX) + 8, up(lastY) + 4, name),
  ];
}

type Place = (value: number) => number;

/** From the 1, 2 or 5 below the least value to the one above the greatest. */
function axis(values: readonly number[], from: number, to: number): { at: Place; ticks: number[] } {
  const steps = [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((power) =>
    [1, 2, 5].map((lead) => lead * 10 ** power),
  );
  const first = steps.findLast((step) => step <= Math.min(...values)) ?? steps[0]!;
  const last = steps.find((step) => step >= Math.max(...values) && step > first) ?? steps.at(-1)!;
  const at = (value: number) => from + ((to - from) * Math.log(value / first)) / Math.log(last / first);
  const shown = steps.filter((step) => step >= first && step <= last);
  // of a long axis the powers of ten alone
  return { at, ticks: shown.length > 8 ? shown.filter((step) => Number.isInteger(Math.log10(step))) : shown };
}

function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`;
  return value >= 1e4 ? `${value / 1e3} k` : String(value);
}

const round = (value: number) => Math.round(value * 10) / 10;

const rule = (x1: number, y1: number, x2: number, y2: number) =>
  `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" stroke="#ccc"/>`;

const text = (x: number, y: number, words: string, more = '') =>
  `<text x="${round(x)}" y="${round(y)}" ${more}>${words}</text>`;
