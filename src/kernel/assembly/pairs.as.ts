/*
 * Runs of letters of scripts without spaces, as pairs: core/text/stretch.ts.
 */

const SPACE: u8 = 0x20;

/** Ends the run of unspaced letters where there is one; returns the address after it. */
export function afterRun(letters: i32, out: usize): usize {
  store<u8>(out, SPACE);
  return out + <usize>(letters > 0);
}

/** A pair is complete at `out` and its second letter, at `start`, begins the next one; returns the address after it. */
export function repeatLetter(start: usize, out: usize): usize {
  const length = out - start;
  store<u8>(out, SPACE);
  // of the eight bytes that are read at once, only those behind the letter may have been written here
  for (let i: usize = 0; i < length; i += 8) store<u64>(out + 1 + i, load<u64>(start + i));
  return out + length + 1;
}
