import type { ServiceContext } from './context.ts';
import type { Deadline } from './deadline.ts';

/** How a place is waited for. */
export interface PlaceWish {
  /** How many things go on at a time in it, if more than one: so many places it takes. */
  readonly cost?: number;
  /** Whether to wait however many requests of the caller do: for callers that bound themselves. */
  readonly isPatient?: boolean;
  /** Ends the waiting. */
  readonly until?: Deadline;
}

/**
 * Works for a request in one of the places that there are. They are few, so that work that has begun is answered soon.
 * One caller has half of them at most. Waiting for the world (fetching) belongs before it, not in it.
 *
 * @throws ShingledError `overloaded`; the deadline's error where there is no place by then; and what `work` throws
 */
export async function inPlace<T>(
  { places, caller }: Pick<ServiceContext, 'places' | 'caller'>,
  work: () => Promise<T>,
  { cost = 1, isPatient = false, until }: PlaceWish = {},
): Promise<T> {
  until?.throwIfGivenUp();
  // a deadline makes its signal when it is asked for
  const wait = () => places.enter(caller, { cost, patient: isPatient, signal: until?.signal });
  const place = places.enterNow(caller, { cost }) ?? (await wait());
  try {
    return await work();
  } finally {
    places.leave(place);
  }
}
