import type { Sketcher } from '../../../src/core/sketch/sketch.ts';

/** The canonical text that a sketcher hands out with a sketch, in one piece. */
export function canonicalTextBy(sketcher: Sketcher, text: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  sketcher.sketch(text, 4, (part) => parts.push(part.slice()));
  return Buffer.concat(parts);
}
