/** Eight colours for the largest parts; the others, and what stands alone, are grey. */
export function partClass(part: number, isAlone: boolean): string {
  return isAlone || part > 7 ? 'part-other' : `part-${part}`;
}
