import { askPlanted, type Family, type PlantedIndex } from './families.ts';

/** A family to be asked for, and what many answers made of it at one candidatesMax. */
export interface RecallCell extends RecallMeans {
  readonly planted: PlantedIndex;
  readonly candidatesMax: number;
}

export interface RecallMeans {
  /** The mean of the recalls that were stated. */
  readonly stated: number;
  /** The share of all planted documents that was found. */
  readonly found: number;
  /** The standard error of stated - found, over the answers. */
  readonly error: number;
  /** By how much the stated one may be above the other, since nothing shows a family of which the look-ups meet nothing. */
  readonly unseen: number;
  /** Answers that said that nothing was left out, and lacked a member with a posting among their keys. */
  readonly untrue: number;
}

/** LIST_POSTINGS_MAX of the store. */
const LIST_POSTINGS_MAX = 1000;
/** What of a family's shared shingles all its members share. */
const COMMON_SHARES = [0, 0.3, 0.7, 1];
const ASKED = [
  { direction: 'resemblance', shingleCount: 300, size: 300, shared: 100 },
  { direction: 'resemblance', shingleCount: 300, size: 300, shared: 200 },
  { direction: 'resemblance', shingleCount: 80, size: 90, shared: 34 },
  { direction: 'queryInMatch', shingleCount: 120, size: 1500, shared: 36 },
  { direction: 'queryInMatch', shingleCount: 120, size: 1500, shared: 100 },
  { direction: 'matchInQuery', shingleCount: 1200, size: 60, shared: 30 },
  { direction: 'matchInQuery', shingleCount: 1200, size: 44, shared: 40 },
  ...[8, 14, 24, 34].flatMap((size) =>
    [0.5, 0.8].map((share) => ({
      ...{ direction: 'matchInQuery' as const, shingleCount: 1200, size },
      shared: Math.ceil(share * size),
    })),
  ),
] as const;

/** Families of so many members, of every mixture, in every direction: alone, and with others in their way. */
export function familiesOf(members: number): PlantedIndex[] {
  return ASKED.flatMap(({ direction, shingleCount, size, shared }) =>
    COMMON_SHARES.flatMap((share) => {
      const common = Math.round(share * shared);
      const family: Family = { members, size, common, commonFrom: 0, own: shared - common };
      const closer = { ...family, members: 1500, common: Math.round(1.1 * common), own: Math.round(1.1 * family.own) };
      const footer = { members: 5000, size, common: Math.ceil(shared / 8), commonFrom: 0, own: 0 };
      return [[], [closer], [footer]].map(
        (others): PlantedIndex => ({
          ...{ shingleCount, direction, families: [family, ...others] },
          listPostingsMax: LIST_POSTINGS_MAX,
        }),
      );
    }),
  );
}

/** Asks for a family in so many indexes under keys of their own: a cell for each candidatesMax. */
export function recallOf(
  planted: PlantedIndex,
  queries: number,
  seed: number,
  candidatesMaxes: readonly number[],
): RecallCell[] {
  const sums = candidatesMaxes.map(() => ({
    stated: 0,
    found: 0,
    squares: 0,
    untrue: 0,
    isCut: false,
    common: 0,
    shared: 0,
  }));
  for (let query = 0; query < queries; query++) {
    for (const [i, outcome] of askPlanted(planted, seed * 1_000_003 + query, candidatesMaxes).entries()) {
      const sum = sums[i]!;
      sum.stated += outcome.stated;
      sum.found += outcome.found;
      sum.squares += (outcome.stated - outcome.found) ** 2;
      sum.untrue += Number(outcome.nothingLeftOut && outcome.found < outcome.met);
      sum.isCut ||= outcome.isCut;
      Object.assign(sum, outcome.missed);
    }
  }
  return sums.map(({ stated, found, squares, untrue, isCut, common, shared }, i) => {
    const difference = (stated - found) / queries;
    const drawn = Math.max(0, squares / queries - difference ** 2) / Math.max(1, queries - 1);
    // members share the fate of what they have in common, which a few answers may all meet or all miss
    const fate = (common * (1 - common)) / queries;
    const error = Math.sqrt(Math.max(drawn, fate));
    // where a limit bites if they are met, 1 - shared is stated all the same if they are not
    const unseen = isCut ? common * (1 - shared) : 0;
    const means = { stated: stated / queries, found: found / queries, error, unseen, untrue };
    return { planted, candidatesMax: candidatesMaxes[i]!, ...means };
  });
}

/** By how many standard errors the stated recall is above the measured one, and what no answer can see. */
export function excess({ stated, found, error, unseen }: RecallMeans): number {
  const difference = stated - found - unseen;
  return difference <= 0 ? difference / Math.max(error, Number.MIN_VALUE) : difference / error;
}

/** A cell in a line. */
export function describeCell({ planted, candidatesMax, stated, found, error }: RecallCell): string {
  const [{ members, size, common, own }, ...others] = planted.families;
  const beside = others.map((other) => `, beside ${other.members} with ${other.common} + ${other.own}`).join('');
  return (
    `${planted.direction}, ${planted.shingleCount} and ${size} shingles, ${members} members with ${common} common + ${own} own` +
    `${beside}, CANDIDATES_MAX ${candidatesMax}: stated ${stated.toFixed(4)}, found ${found.toFixed(4)} (± ${error.toFixed(4)})`
  );
}
