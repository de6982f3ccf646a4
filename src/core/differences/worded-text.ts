import type { Sketcher } from '../sketch/sketch.ts';
import type { WordedSequence } from './shared-windows.ts';

/** Bytes in which words are found in one step: some 3 ms. */
const STEP_BYTES = 2 ** 20;
const SPACE = 0x20;

/**
 * The windows and the words of a text.
 *
 * @param sketcher nothing else may be asked of it between the steps
 * @param text UTF-8
 */
export function* wordedTextSteps(
  sketcher: Pick<Sketcher, 'sequenceSteps'>,
  text: Uint8Array,
): Generator<undefined, WordedSequence> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const sequence = yield* sketcher.sequenceSteps(text, (part) => {
    length += part.length;
    parts.push(new Uint8Array(part));
  });
  yield;
  const canonical = new Uint8Array(length);
  const starts = new Uint32Array(sequence.tokenStarts.length + 1);
  let word = 0;
  let filled = 0;
  let looked = 0;
  for (const part of parts) {
    canonical.set(part, filled);
    for (let at = 0; at < part.length; at++) if (part[at] === SPACE) starts[++word] = filled + at + 1;
    filled += part.length;
    looked += part.length;
    if (looked < STEP_BYTES) continue;
    looked = 0;
    yield;
  }
  return { sequence, words: { canonical, starts } };
}
