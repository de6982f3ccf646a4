/** Eight colours for the largest parts, each with a shape; the others, and what stands alone, are grey rings. */
export function partClass(part: number, isAlone: boolean): string {
  return isAlone || part >= SHAPES.length ? 'part-other' : `part-${part}`;
}

const CIRCLE = 'M-1 0a1 1 0 1 0 2 0a1 1 0 1 0 -2 0z';
const RING = `${CIRCLE}M-.5 0a.5 .5 0 1 1 1 0a.5 .5 0 1 1 -1 0z`;
const SHAPES = [
  CIRCLE,
  'M-.9 -.9h1.8v1.8h-1.8z',
  'M0 -1.2L1.15 .85H-1.15z',
  'M0 -1.3L1.3 0L0 1.3L-1.3 0z',
  'M0 1.2L1.15 -.85H-1.15z',
  'M-.4 -1.15h.8v.75h.75v.8h-.75v.75h-.8v-.75h-.75v-.8h.75z',
  'M-1.05 -1.05H1.05L-1.05 1.05H1.05z',
  'M-1.1 -.6L-.6 -1.1L0 -.5L.6 -1.1L1.1 -.6L.5 0L1.1 .6L.6 1.1L0 .5L-.6 1.1L-1.1 .6L-.5 0z',
] as const;

/** The shape of a part as an SVG path around 0 0, with a radius of about 1. */
export function partShape(part: number, isAlone: boolean): string {
  return isAlone ? RING : (SHAPES[part] ?? RING);
}
