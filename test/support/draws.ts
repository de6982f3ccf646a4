/*
 * How often a property of src/core is tried. The suite draws few inputs, mostly the same; a campaign draws
 * a hundred times as many others:
 *
 *     DRAWS_SEED=7 npm run campaign:core
 */
const times = Number(process.env['DRAWS_TIMES'] ?? 1);
const more = Number(process.env['DRAWS_SEED'] ?? 0);

/** Parameters of a property that the suite tries `numRuns` times; without a seed with other inputs each time. */
export const draws = (numRuns: number, seed?: number): { readonly numRuns: number; readonly seed?: number } => ({
  numRuns: numRuns * times,
  ...(seed === undefined ? {} : { seed: seed + more }),
});
