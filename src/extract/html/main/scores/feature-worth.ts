import { BITS_AT, TEXT_AT } from './feature-places.ts';

/** What the first numbers of a block are worth to one beside it, without those of its words. */
export function besideWorth(
  model: Float64Array,
  at: number,
  share: number,
  closed: number,
  outer: number,
  third: number,
  against: number,
): number {
  return (
    share * model[at + 1]! +
    closed * model[at + 2]! +
    outer * model[at + 3]! +
    third * model[at + 4]! +
    against * model[at + 5]!
  );
}

/** What it is worth that a share of the words of a block is links. */
export function linkWorth(model: Float64Array, share: number): number {
  const sum = share * model[TEXT_AT + 5]!;
  if (share <= 0.5) return sum;
  return sum + model[TEXT_AT + 6]! + (share > 0.95 ? model[TEXT_AT + 7]! : 0);
}

export function sumOfBits(inside: number, model: Float64Array): number {
  let sum = 0;
  for (let bits = inside; bits !== 0; bits &= bits - 1) sum += model[BITS_AT + 31 - Math.clz32(bits & -bits)]!;
  return sum;
}

/** The logistic function. */
export function likelihood(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}
