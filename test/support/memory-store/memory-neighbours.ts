import type { KeptSample } from '../../../src/core/sketch/narrow.ts';
import type { Content, ContentId, NeighbourQuery, NeighbourSet, Store } from '../../../src/store/port.ts';

/** What is near many contents: the candidates of each, one after the other. */
export async function oneByOne(
  { lookUps, thresholds, known, recordsMax, valuesMax }: NeighbourQuery,
  store: Pick<Store, 'candidates'>,
  withId: (id: ContentId) => Content<KeptSample>,
): Promise<NeighbourSet> {
  const wanted = new Map<ContentId, Content<KeptSample>>();
  const read: NeighbourSet['read'][number][] = [];
  const isKnown = new Set(known.map(({ id }) => id));
  for (const lookUp of lookUps) {
    const query = { ...lookUp, thresholds, undecidedAt: null, candidatesMax: Number.POSITIVE_INFINITY };
    const { candidates, shares, twinsCut } = await store.candidates(query);
    read.push({ shares, twinsCut });
    for (const { record } of candidates) if (!isKnown.has(record.id)) wanted.set(record.id, withId(record.id));
  }
  const contents: Content<KeptSample>[] = [];
  let values = 0;
  for (const content of wanted.values()) {
    if (contents.length === recordsMax || values >= valuesMax) break;
    contents.push(content);
    values += content.sample.values.length;
  }
  return { contents, leftOut: wanted.size - contents.length, read, unreadable: 0 };
}

/** How many of some contents it takes until they have so many values together; all of them, where they have not. */
export function firstWithin(numbers: Uint32Array, valuesMax: number | undefined, valuesOf: (number: number) => number) {
  let values = 0;
  const last = numbers.findIndex((number) => {
    values += valuesOf(number);
    return values >= (valuesMax ?? Number.POSITIVE_INFINITY);
  });
  return last < 0 ? numbers.length : last + 1;
}
