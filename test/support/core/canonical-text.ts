import type { Sketcher } from '../../../src/core/sketch/sketch.ts';
import { canonicalTextOf } from '../../../src/core/text/tokens.ts';

/** The canonical text that a sketcher hands out with a sketch, in one piece. */
export function canonicalTextBy(sketcher: Sketcher, text: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  sketcher.sketch(text, 4, (part) => parts.push(part.slice()));
  return Buffer.concat(parts);
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The canonical tokens of a text as strings. */
export function canonicalTokens(text: Uint8Array): string[] {
  return decoder.decode(canonicalTextOf(text)).split(' ').slice(0, -1);
}
