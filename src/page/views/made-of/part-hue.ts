/** Colour and pattern of a part: eight, then again from the first; its letter tells them apart. */
export function hueOf(part: number): number {
  return part % 8;
}
