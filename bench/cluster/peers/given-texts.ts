import { readFileSync } from 'node:fs';
import { UnionFind } from '../../../src/core/cluster/union-find.ts';
import { type PeerTexts, THRESHOLD, WORDS } from './peer-texts.ts';

/* Texts of a file, as words and spaces only, so that all tools see the same words; and their truth, of all pairs by counting. */

/** @param path of NDJSON with a `text` in each line @returns texts of at least one shingle */
export function givenTexts(path: string): string[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((words) => words.length >= WORDS)
    .map((words) => words.join(' '));
}

export function givenTruth(texts: readonly string[]): PeerTexts {
  const sets = numberedShingles(texts);
  const postings: number[][] = [];
  const clusters = new UnionFind(texts.length);
  const shared = new Uint32Array(texts.length);
  sets.forEach((set, b) => {
    const met: number[] = [];
    for (const shingle of set) {
      const posted = postings[shingle] ?? [];
      for (const a of posted) if (shared[a]!++ === 0) met.push(a);
      posted.push(b);
      postings[shingle] = posted;
    }
    for (const a of met) {
      if (shared[a]! >= THRESHOLD * (sets[a]!.size + set.size - shared[a]!)) joinTrees(clusters, a, b);
      shared[a] = 0;
    }
  });
  const resemblance = (a: number, b: number) => {
    let both = 0;
    for (const shingle of sets[a]!) both += Number(sets[b]!.has(shingle));
    return both / (sets[a]!.size + sets[b]!.size - both);
  };
  return { roots: Uint32Array.from(texts, (_, i) => clusters.find(i)), resemblance };
}

function joinTrees(clusters: UnionFind, a: number, b: number): void {
  const [one, other] = [clusters.find(a), clusters.find(b)];
  if (one !== other) clusters.join(one, other);
}

function numberedShingles(texts: readonly string[]): Set<number>[] {
  const numbers = new Map<string, number>();
  return texts.map((text) => {
    const words = text.split(' ');
    const set = new Set<number>();
    for (let at = 0; at + WORDS <= words.length; at++) {
      const shingle = words.slice(at, at + WORDS).join(' ');
      const number = numbers.get(shingle) ?? numbers.size;
      numbers.set(shingle, number);
      set.add(number);
    }
    return set;
  });
}
