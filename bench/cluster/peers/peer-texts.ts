import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { edited, randomFrom, textOf } from '../../support/texts.ts';
import { exactResemblance, wordShingles } from '../../support/word-shingles.ts';

/* Texts of 870 bytes, and their truth: sets of shingles compared whole, within families. Others share next to nothing. */

export const THRESHOLD = 0.8;
/** Words in a shingle, as these tools take them. */
export const WORDS = 5;
/** Texts in a row of which 39 % are copies of one. */
const FAMILY = 25;
const SHARE_OF_COPIES = 0.39;
/** Of the words of a copy, at the most. Two copies resemble one another by .4 to 1. */
const EDITED_MOST = 0.08;
const BYTES = 870;
const PARTS = 2;

export interface PeerTexts {
  /** For each text the first one of its cluster: single link, of all pairs at the threshold or above. */
  readonly roots: Uint32Array;
  /** Of two texts, exactly. */
  resemblance(a: number, b: number): number;
}

const urlOf = (number: number) => `https://host${number % 997}.example/page/${number}`;
export const numberOf = (url: string) => Number(url.slice(url.lastIndexOf('/') + 1));

export function peerText(number: number): string {
  const random = randomFrom(number * 7919 + 1);
  if (random() >= SHARE_OF_COPIES) return textOf(number + 1_000_000, BYTES);
  return edited(textOf(Math.floor(number / FAMILY) + 5_000_000, BYTES), number, EDITED_MOST * random());
}

/** Writes them as texts-0.ndjson and texts-1.ndjson, since some of these tools take a core for each file. */
export async function writePeerTexts(
  folder: string,
  count: number,
  textAt: (number: number) => string,
): Promise<string[]> {
  const files: string[] = [];
  for (let part = 0; part < PARTS; part++) {
    const path = join(folder, `texts-${part}.ndjson`);
    const file = createWriteStream(path);
    for (let i = Math.ceil((part * count) / PARTS); i < Math.ceil(((part + 1) * count) / PARTS); i++) {
      const line = JSON.stringify({ url: urlOf(i), text: textAt(i) });
      if (!file.write(`${line}\n`)) await once(file, 'drain');
    }
    file.end();
    await once(file, 'finish');
    files.push(path);
  }
  return files;
}

export function peerTruth(count: number): PeerTexts {
  const roots = Uint32Array.from({ length: count }, (_, i) => i);
  const rootOf = (one: number) => {
    let root = one;
    while (roots[root] !== root) root = roots[root]!;
    return root;
  };
  for (let from = 0; from < count; from += FAMILY) {
    const sets = Array.from({ length: Math.min(FAMILY, count - from) }, (_, i) =>
      wordShingles(WORDS, peerText(from + i)),
    );
    for (let b = 1; b < sets.length; b++) {
      for (let a = 0; a < b; a++) {
        if (exactResemblance(sets[a]!, sets[b]!) < THRESHOLD) continue;
        const [one, other] = [rootOf(from + a), rootOf(from + b)];
        roots[Math.max(one, other)] = Math.min(one, other);
      }
    }
  }
  for (let i = 0; i < count; i++) roots[i] = rootOf(i);
  return {
    roots,
    resemblance: (a, b) => exactResemblance(wordShingles(WORDS, peerText(a)), wordShingles(WORDS, peerText(b))),
  };
}
