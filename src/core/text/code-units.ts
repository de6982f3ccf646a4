/*
 * Places in a text: bytes of UTF-8 -> code units of UTF-16, as JavaScript, Java and C# count them.
 *
 *   byte       00..7F   80..BF   C0..EF   F0..FF
 *   units        1        0        1        2         what begins a character counts for all of it
 *
 * Cost: about 1 ns a byte.
 */

/** Bytes that are looked at in one step: some 3 ms. */
const STEP_BYTES = 2 ** 21;

/**
 * @param text valid UTF-8
 * @param places where characters of it begin, ascending, as far as its length
 * @returns the same places, and the length, in code units
 */
export function* codeUnitSteps(
  text: Uint8Array,
  places: ArrayLike<number>,
): Generator<undefined, { readonly places: Uint32Array; readonly length: number }> {
  const found = new Uint32Array(places.length);
  let units = 0;
  let next = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at % STEP_BYTES === STEP_BYTES - 1) yield;
    while (next < places.length && places[next] === at) found[next++] = units;
    const byte = text[at] ?? 0x80;
    units += byte < 0x80 ? 1 : byte < 0xc0 ? 0 : byte < 0xf0 ? 1 : 2;
  }
  return { places: found, length: units };
}

/** The greatest place up to `at` at which a character begins. */
export function characterStart(text: Uint8Array, at: number): number {
  let start = Math.min(at, text.length);
  while (start > 0 && start < text.length && (text[start]! & 0xc0) === 0x80) start--;
  return start;
}
