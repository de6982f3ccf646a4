import { rest } from '../sharing/waiting.ts';
import { bulkLineOf } from './as-json.ts';
import type { WantedLine } from './port.ts';

/** Lines that go in one request, in their order. */
export type Batch = readonly { readonly line: number; readonly json: string }[];

export interface BatchLimits {
  readonly linesMax: number;
  readonly charactersMax: number;
  /** Where lines come slowly, those that are here go after so long. */
  readonly patienceMs: number;
}

/**
 * Gathers lines to requests.
 *
 * @param lines read no further than to the end of the batch that is asked for
 */
export async function* batchesOf(
  lines: AsyncIterable<WantedLine>,
  { linesMax, charactersMax, patienceMs }: BatchLimits,
): AsyncGenerator<Batch, void, undefined> {
  const iterator = lines[Symbol.asyncIterator]();
  let gathered: { line: number; json: string }[] = [];
  let characters = 0;
  let next = iterator.next();
  /** Since the first line of those that are gathered; a timer for each batch, not for each line. */
  let patience: Promise<null> | null = null;
  const take = () => {
    const batch = gathered;
    [gathered, characters, patience] = [[], 0, null];
    return batch;
  };
  for (;;) {
    const come = await (patience === null ? next : Promise.race([next, patience]));
    if (come === null) {
      yield take();
      continue;
    }
    if (come.done === true) break;
    next = iterator.next();
    const { line, operation } = come.value;
    const json = bulkLineOf(operation);
    if (gathered.length > 0 && characters + json.length > charactersMax) yield take();
    patience ??= rest(patienceMs).then(() => null);
    gathered.push({ line, json });
    characters += json.length + 1;
    if (gathered.length >= linesMax) yield take();
  }
  if (gathered.length > 0) yield take();
}
