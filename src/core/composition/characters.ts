/*
 * Byte offsets of a text -> offsets in characters: code points, as Python, Java's codePoints and SQL count them; an invalid
 * sequence is one U+FFFD, the WHATWG way. Cost: the text is decoded once, up to the last offset, a block at a time.
 */

const BLOCK_BYTES = 2 ** 16;

/**
 * The characters before each offset, in steps of a block.
 *
 * @param offsets bytes, ascending, each where a character begins or the text ends
 */
export function* characterOffsets(text: Uint8Array, offsets: readonly number[]): Generator<undefined, number[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const counted: number[] = [];
  let at = 0;
  let characters = 0;
  for (const offset of offsets) {
    while (at < offset) {
      let end = Math.min(offset, at + BLOCK_BYTES);
      while (end < offset && (text[end]! & 0xc0) === 0x80) end++;
      characters += charactersOf(decoder.decode(text.subarray(at, end)));
      if (end - at >= BLOCK_BYTES) yield;
      at = end;
    }
    counted.push(characters);
  }
  return counted;
}

/** UTF-16 units but the second halves of pairs. */
function charactersOf(text: string): number {
  let pairs = 0;
  for (let i = 0; i < text.length; i++) pairs += Number((text.charCodeAt(i) & 0xfc00) === 0xdc00);
  return text.length - pairs;
}
