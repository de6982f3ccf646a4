import { ShingledError } from '../errors.ts';
import type { PutRequest } from '../service/api.ts';
import { rest } from '../sharing/waiting.ts';
import { bulkLineOf } from './as-json.ts';
import type { WantedLine } from './port.ts';

/** Lines that go in one request, in their order; or one document that no line can hold, which goes by itself. */
export type Batch =
  | { readonly lines: readonly { readonly line: number; readonly json: string; readonly url: string }[] }
  | { readonly line: number; readonly put: PutRequest }
  | { readonly line: number; readonly url: string; readonly error: ShingledError };

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
  let gathered: { line: number; json: string; url: string }[] = [];
  let characters = 0;
  let next = iterator.next();
  /** Since the first line of those that are gathered; a timer for each batch, not for each line. */
  let patience: Promise<null> | null = null;
  const take = () => {
    const batch = { lines: gathered };
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
    const read = readLine(come.value);
    if ('json' in read) {
      if (gathered.length > 0 && characters + read.json.length > charactersMax) yield take();
      patience ??= rest(patienceMs).then(() => null);
      gathered.push({ line, url: operation.url, ...read });
      characters += read.json.length + 1;
      if (gathered.length >= linesMax) yield take();
      continue;
    }
    if (gathered.length > 0) yield take();
    yield { line, url: operation.url, ...read };
  }
  if (gathered.length > 0) yield take();
}

function readLine({ operation }: WantedLine): { json: string } | { put: PutRequest } | { error: ShingledError } {
  try {
    return { json: bulkLineOf(operation) };
  } catch (error) {
    if (!(error instanceof ShingledError)) throw error;
    // neither text nor HTML: whether it is read all the same the service knows
    const isOther = error.code === 'unsupported-media-type' && operation.op === 'put';
    return isOther ? { put: operation } : { error };
  }
}
