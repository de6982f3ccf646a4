/* The exact truth of benchmarks that compare with other tools: sets of shingles as these have them, compared whole. */

/** The shingles of a text whose words are parted by single spaces. */
export function wordShingles(size: number, text: string): ReadonlySet<string> {
  const words = text.split(' ');
  return new Set(words.slice(size - 1).map((_, i) => words.slice(i, i + size).join(' ')));
}

/** |A ∩ B| / |A ∪ B|, 0..1. */
export function exactResemblance(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const shingle of a) shared += Number(b.has(shingle));
  return shared / (a.size + b.size - shared);
}
