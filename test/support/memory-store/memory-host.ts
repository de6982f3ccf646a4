import { HOST_LISTED_MAX, HOST_SOURCES_MAX, hasSampleRow, sourceHash } from '../../../src/store/host-sample.ts';
import type { HostContents } from '../../../src/store/port.ts';
import type { MemoryIndex } from './memory-index.ts';
import { inOrder, isListed, type StoredSource } from './memory-source.ts';

export function hostContentsOf(
  { sources, contents }: MemoryIndex,
  host: string,
  known: string | null,
  rankKey: readonly [number, number],
): HostContents {
  const numbers = numbersOfHost([...sources.values()], host, rankKey);
  const sample = numbers.join(' ');
  return { sample, contents: sample === known ? null : numbers.map((number) => contents.get(number)), unreadable: 0 };
}

/** The numbers of the contents that stand for a host, as store/host-sample.ts says it. */
function numbersOfHost(
  sources: readonly StoredSource[],
  host: string,
  rankKey: readonly [number, number],
): readonly number[] {
  const hashed = sources
    .filter(({ url }) => isListed(url, { host }))
    .sort((a, b) => inOrder(a.url, b.url))
    .map((source, i) => ({ source, hash: sourceHash(rankKey, source.url), isFirst: i < HOST_LISTED_MAX }))
    .filter(({ source, hash, isFirst }) => source.state === 'live' && (isFirst || hasSampleRow(hash)))
    .sort((a, b) => a.hash - b.hash || inOrder(a.source.url, b.source.url));
  return [...new Set(hashed.slice(0, HOST_SOURCES_MAX).map(({ source }) => source.present.number))];
}
