import type { IngestItem, ItemRuns } from '../port.ts';

/** At a time: with more there is nothing left to save, and as many are held. */
const RUN_ITEMS_MAX = 64;

/** Items that are at hand, in runs; each item is made when its run is asked for. */
export function* inRuns(items: Iterable<IngestItem>): Generator<readonly IngestItem[], void, undefined> {
  let run: IngestItem[] = [];
  for (const item of items) {
    run.push(item);
    if (run.length < RUN_ITEMS_MAX) continue;
    yield run;
    run = [];
  }
  if (run.length > 0) yield run;
}

/** Items that come one after the other, each a run by itself. */
export async function* oneByOne(items: AsyncIterable<IngestItem>): ItemRuns {
  for await (const item of items) yield [item];
}
