import type { Preference } from '../../cluster/result/removals.ts';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import { ShingledError } from '../../errors.ts';
import { type Given, UsageError } from '../command.ts';
import type { OptionName } from '../command-options.ts';

/* What is asked of a corpus. */

const PREFERENCES: readonly Preference[] = ['oldest', 'newest', 'longest', 'shortest-url', 'first'];

/** Which document stays. @param other what may be said, too */
export function preferenceOf(given: Given, option: OptionName, other = ''): Preference {
  const text = given.text(option) ?? 'oldest';
  const preference = PREFERENCES.find((known) => known === text);
  if (preference !== undefined) return preference;
  throw new UsageError(`--${option} is one of ${PREFERENCES.join(', ')}${other}: "${text}" is none`);
}

export function likenessOf(given: Given): Likeness {
  const by = given.text('by') ?? 'resemblance';
  if (by === 'resemblance' || by === 'containment') return by;
  throw new UsageError(`--by is resemblance or containment: "${by}" is none`);
}

/** What is wrong with what was asked for is wrong with the command line. */
export function misused(error: unknown): unknown {
  return error instanceof ShingledError && error.code === 'invalid-request' ? new UsageError(error.message) : error;
}
