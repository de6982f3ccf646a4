import { posix } from 'node:path';
import type { Sources } from './import-rules.ts';

/*
 * A folder as a house: each file and each folder right below it is a room, whatever is inside; an arrow goes from a room to
 * one that it imports from, types counted. A room stands on the layer above the highest that it imports from.
 */

export interface House {
  readonly rooms: number;
  readonly arrows: number;
  readonly layers: number;
  /** Rooms that import from one another, each circle once. */
  readonly circles: readonly string[];
}

/** @param folder relative to src */
export function houseOf(folder: string, sources: Sources): House {
  const arrows = new Map<string, Set<string>>();
  for (const [path, { imports }] of sources) {
    const from = roomOf(folder, path);
    if (from === null) continue;
    const targets = arrows.get(from) ?? new Set();
    arrows.set(from, targets);
    for (const { specifier } of imports) {
      const to = specifier.startsWith('.') ? roomOf(folder, posix.join(posix.dirname(path), specifier)) : null;
      if (to !== null && to !== from) targets.add(to);
    }
  }
  const layers = new Map<string, number>();
  const circles: string[] = [];
  const layerOf = (room: string, above: readonly string[]): number => {
    const known = layers.get(room);
    if (known !== undefined) return known;
    if (above.includes(room)) {
      circles.push([...above.slice(above.indexOf(room)), room].join(' -> '));
      return 0;
    }
    const below = Array.from(arrows.get(room) ?? [], (to) => layerOf(to, [...above, room]));
    const layer = Math.max(0, ...below) + 1;
    layers.set(room, layer);
    return layer;
  };
  for (const room of arrows.keys()) layerOf(room, []);
  return {
    rooms: arrows.size,
    arrows: [...arrows.values()].reduce((sum, targets) => sum + targets.size, 0),
    layers: Math.max(...layers.values()),
    circles,
  };
}

function roomOf(folder: string, path: string): string | null {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/')[0]! : null;
}
