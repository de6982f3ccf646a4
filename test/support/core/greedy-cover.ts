/* The greedy cover by its definition, on sets of strings: nothing is sampled, no gain is kept from step to step. */

export interface GreedyStep {
  readonly id: string;
  /** What it has of the text, and what of that none before it has. */
  readonly whole: number;
  readonly gain: number;
}

/** @param gainLeast what a step adds at the least. Of equals the smaller content comes first, then the smaller id. */
export function greedyCover(
  text: ReadonlySet<string>,
  contents: ReadonlyMap<string, ReadonlySet<string>>,
  gainLeast: number,
): { steps: GreedyStep[]; rest: number } {
  const steps: GreedyStep[] = [];
  const rest = new Set(text);
  const left = new Map(contents);
  for (;;) {
    let best: (GreedyStep & { readonly size: number }) | null = null;
    for (const [id, content] of left) {
      const gain = rest.intersection(content).size;
      const { size } = content;
      const isBetter =
        best === null ||
        gain > best.gain ||
        (gain === best.gain && (size < best.size || (size === best.size && id < best.id)));
      if (isBetter) best = { id, gain, size, whole: text.intersection(content).size };
    }
    if (best === null || best.gain < Math.max(1, gainLeast)) return { steps, rest: rest.size };
    const { id, gain, whole } = best;
    steps.push({ id, gain, whole });
    for (const shingle of contents.get(id)!) rest.delete(shingle);
    left.delete(id);
  }
}
