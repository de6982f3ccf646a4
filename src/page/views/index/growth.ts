/* How an index has grown while this tab looked at it: the first and the last of what was seen. */

export interface Sighting {
  readonly atMs: number;
  readonly sources: number;
  readonly contents: number;
}

const NAME = 'shingled.growth';

/** Notes what is seen now. @returns what was seen first in this tab, null where this is it */
export function noteGrowth(createdAt: string, now: Sighting): Sighting | null {
  const name = `${NAME} ${createdAt}`;
  const first = sightingFrom(sessionStorage.getItem(name));
  if (first === null) sessionStorage.setItem(name, JSON.stringify(now));
  return first;
}

function sightingFrom(text: string | null): Sighting | null {
  try {
    const { atMs, sources, contents } = JSON.parse(text ?? 'null') as Partial<Sighting>;
    const isWhole = [atMs, sources, contents].every((value) => typeof value === 'number');
    return isWhole ? { atMs: atMs!, sources: sources!, contents: contents! } : null;
  } catch {
    return null;
  }
}

/** `+12`, `-3`, `no more and no less` */
export function grown(before: number, now: number): string {
  if (now === before) return 'no change';
  return now > before ? `+${now - before}` : `-${before - now}`;
}
