import { startService } from '../support/service-process.ts';
import type { Row } from '../support/table.ts';
import { randomFrom, textOf } from '../support/texts.ts';
import { composition, fill, wordsFrom } from './ask.ts';

/* Texts of k sources with random shares of nine tenths of them: which sources are named, and which of two comes first. */

const SOURCES = 4000;
/** Bytes of sources, some 40 to 8,000 words. */
const BYTES = [2000, 4000, 8000, 16_000, 50_000];
/** A source of so much of a text is to be named. */
const NAMED_FROM = 0.05;
/** Of two sources so far apart the larger is to come first. */
const APART = 0.05;

export async function mosaicRows(runs: number): Promise<Row[]> {
  const random = randomFrom(160_3);
  const texts = Array.from({ length: SOURCES }, (_, i) => textOf(9_000_000 + i, BYTES[i % BYTES.length]!));
  const words = texts.map((text) => text.split(' '));
  const service = await startService();
  const rows: Row[] = [];
  try {
    await fill(service, texts, (index) => `https://source.example/${index}`);
    for (const size of [1000, 3000]) {
      for (const count of [3, 10, 20]) {
        let [planted, named, pairs, inOrder] = [0, 0, 0, 0];
        for (let run = 0; run < runs; run++) {
          const mosaic = plant(words, size, count, random);
          const { parts } = await composition(service, mosaic.text, { limit: 100, passages: false });
          const places = new Map(parts.map(({ sources }, place) => [sources[0]!.url, place]));
          const large = mosaic.planted.filter(({ share }) => share >= NAMED_FROM);
          const placeOf = ({ source }: Planted) =>
            places.get(`https://source.example/${source}`) ?? Number.POSITIVE_INFINITY;
          planted += large.length;
          named += large.filter((one) => placeOf(one) < Number.POSITIVE_INFINITY).length;
          for (const a of large) {
            for (const b of large) {
              if (a.share - b.share < APART) continue;
              pairs++;
              if (placeOf(a) < placeOf(b)) inOrder++;
            }
          }
        }
        const what = `${count} sources in ${size} words`;
        rows.push(
          { row: `${what}: those of 5 % named`, value: named / planted, unit: `of ${planted}`, target: '>= 0.99' },
          {
            row: `${what}: larger first, 5 points apart`,
            value: pairs === 0 ? 1 : inOrder / pairs,
            unit: `of ${pairs}`,
            target: '>= 0.99',
          },
        );
      }
    }
  } finally {
    await service.stop();
  }
  return rows;
}

interface Planted {
  readonly source: number;
  /** Of the words of the text. */
  readonly share: number;
}

function plant(words: readonly (readonly string[])[], size: number, count: number, random: () => number) {
  const weights = Array.from({ length: count }, () => -Math.log(1 - random()));
  const sum = weights.reduce((a, b) => a + b, 0) / 0.9;
  const planted: Planted[] = [];
  const pieces: string[] = [];
  const used = new Set<number>();
  let taken = 0;
  for (const weight of weights) {
    const wanted = Math.round((size * weight) / sum);
    let source = Math.floor(random() * words.length);
    while (used.has(source) || words[source]!.length < wanted) source = (source + 1) % words.length;
    used.add(source);
    pieces.push(wordsFrom(words[source]!, wanted, random).join(' '));
    planted.push({ source, share: wanted / size });
    taken += wanted;
  }
  const own = textOf(Math.floor(random() * 2 ** 30), (size - taken) * 7).split(' ');
  return { text: [...pieces, ...own.slice(0, size - taken)].join(' '), planted };
}
