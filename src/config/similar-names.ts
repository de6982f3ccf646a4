/**
 * Names in the environment that look like a misspelt setting: `SHINGLESIZE`, `API_KEY`, `LOG_LEVLE`.
 *
 * A name is close when it is equal but for case and underscores, or one edit away (two from 8 letters on).
 *
 * @returns pairs of what is there and what was probably meant, sorted.
 */
export function similarNames(present: readonly string[], known: readonly string[]): [found: string, meant: string][] {
  const isKnown = new Set(known);
  const pairs: [string, string][] = [];
  for (const found of present) {
    if (isKnown.has(found)) continue;
    const plain = plainName(found);
    const meant = known.find((name) => isClose(plain, plainName(name)));
    if (meant !== undefined) pairs.push([found, meant]);
  }
  return pairs.sort();
}

const plainName = (name: string) => name.toUpperCase().replaceAll(/[_-]/g, '');

function isClose(a: string, b: string): boolean {
  if (a === b) return true;
  const editsMax = b.length >= 8 ? 2 : b.length >= 6 ? 1 : 0;
  return editsMax > 0 && Math.abs(a.length - b.length) <= editsMax && editDistance(a, b) <= editsMax;
}

/** Damerau's distance with neighbours swapped as one edit (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
