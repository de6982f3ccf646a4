import type { KeptSample } from '../core/sketch/narrow.ts';

/** Texts that are looked up together: what they touch stays in the cache, */
const TEXTS_MAX = 256;
/** … and what they hold is little. */
const VALUES_MAX = 2 ** 15;

/** Texts some at a time, as a sink takes them (port.ts). @param sampleOf the sample of one */
export function* textGroups<T>(texts: Iterable<T>, sampleOf: (text: T) => KeptSample): Generator<T[], void, undefined> {
  let group: T[] = [];
  let values = 0;
  for (const text of texts) {
    group.push(text);
    values += sampleOf(text).values.length;
    if (group.length < TEXTS_MAX && values < VALUES_MAX) continue;
    yield group;
    [group, values] = [[], 0];
  }
  if (group.length > 0) yield group;
}
