import type { ResultSummary } from '../../cluster/result/result-folder.ts';
import { type Given, UsageError } from '../command.ts';
import type { OptionName } from '../command-options.ts';
import { INPUT_OPTIONS } from '../ingest/input-options.ts';

/* Options that would have no effect. They are refused: a user who gives one believes that it did something. */

/** They say how a result is made. One that is there was made already. */
const OF_MAKING = [...(Object.keys(INPUT_OPTIONS) as OptionName[]), 'memory', 'sketches'] as const;

/** Whether an option is given, with or without a value. */
const isGiven = (given: Given, name: OptionName) =>
  given.has(name) || given.text(name) !== null || given.texts(name).length > 0;

/** @throws UsageError for an option that a result cannot honour any more */
export function refuseMaking(
  given: Given,
  folder: string,
  { inputs, by, content = 'page', floor }: ResultSummary,
): void {
  const [input, ...others] = inputs;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const made = `${folder} was made of ${input}${more} by ${by}, with --content ${content} and a floor of ${floor}`;
  const another = 'For anything else, make another result with --out';
  const option = OF_MAKING.find((name) => isGiven(given, name));
  if (option !== undefined) throw new UsageError(`--${option} says how a result is made: ${made}. ${another}`);
  const [askedBy, askedContent, askedFloor] = [given.text('by'), given.text('content'), given.text('floor')];
  if (askedBy !== null && askedBy !== by)
    throw new UsageError(`--by ${askedBy} cannot be answered: ${made}. ${another}`);
  if (askedContent !== null && askedContent !== content)
    throw new UsageError(`--content ${askedContent} cannot be answered: ${made}. ${another}`);
  if (askedFloor !== null && Number(askedFloor) !== floor) {
    throw new UsageError(
      `--floor ${askedFloor} cannot be answered: ${made}. For a higher threshold, use --at. ${another}`,
    );
  }
}

/** @throws UsageError for an option that needs another one, or does not go with it */
export function refuseAlone(given: Given, thresholds: readonly number[]): void {
  if (given.text('removals') !== null && thresholds.length !== 1) {
    throw new UsageError('--removals needs --at with exactly one threshold');
  }
  if (given.text('prefer') !== null && given.text('removals') === null) {
    throw new UsageError('--prefer needs --removals: it says which documents stay');
  }
  if (given.has('tsv') && thresholds.length === 0) throw new UsageError('--tsv needs --at: it prints clusters');
  if (given.has('tsv') && given.json) throw new UsageError('--tsv does not go with --json: clusters are printed once');
}
