/**
 * A sketch as an afternoon's code makes it: lower case, a regular expression, join, FNV-1a of 32 bits, those that are 0 mod 4,
 * sorted. Returns how many there are.
 */
export function naiveSketch(text: string, shingleSize: number): number {
  const tokens = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const all = new Set<number>();
  for (let i = 0; i + shingleSize <= tokens.length; i++) all.add(fnv1a(tokens.slice(i, i + shingleSize).join(' ')));
  return [...all].filter((hash) => hash % 4 === 0).sort((a, b) => a - b).length;
}

function fnv1a(text: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x0100_0193);
  return hash >>> 0;
}
