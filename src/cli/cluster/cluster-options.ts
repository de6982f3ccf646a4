import type { Preference } from '../../cluster/result/removals.ts';
import type { Likeness } from '../../core/cluster/pair-floor.ts';
import type { ContentChoice } from '../../core/content/told-content.ts';
import { ShingledError } from '../../errors.ts';
import { type Given, UsageError } from '../command.ts';
import type { OptionName } from '../command-options.ts';
import { choiceOf } from '../option-values.ts';

/* What is asked of a corpus. */

const PREFERENCES: readonly Preference[] = ['oldest', 'newest', 'longest', 'shortest-url', 'first'];
const CONTENTS: readonly ContentChoice[] = ['page', 'main', 'auto'];
const LIKENESSES: readonly Likeness[] = ['resemblance', 'containment'];

/** Which document stays. @param others what may be said, too */
export function preferenceOf(given: Given, option: OptionName, ...others: readonly string[]): Preference {
  return choiceOf(given, option, PREFERENCES, 'oldest', others);
}

export function likenessOf(given: Given): Likeness {
  return choiceOf(given, 'by', LIKENESSES, 'resemblance');
}

export function contentOf(given: Given): ContentChoice {
  return choiceOf(given, 'content', CONTENTS, 'page');
}

/** What is wrong with what was asked for is wrong with the command line. */
export function misused(error: unknown): unknown {
  return error instanceof ShingledError && error.code === 'invalid-request' ? new UsageError(error.message) : error;
}
