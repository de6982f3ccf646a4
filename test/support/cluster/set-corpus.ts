import { createHash } from 'node:crypto';
import type { Corpus, CorpusContent } from '../../../src/cluster/port.ts';
import { modulusFor, RECORD_SHINGLES_LEAST } from '../../../src/core/sketch/modulus.ts';
import { narrow, narrowBits } from '../../../src/core/sketch/narrow.ts';
import { createPrng } from '../prng.ts';

/** What a record keeps of a text with just these fingerprints. */
export function setContent(set: ReadonlySet<number>): CorpusContent {
  const shingleCount = set.size;
  const modulus = modulusFor(shingleCount, 4, RECORD_SHINGLES_LEAST);
  const fingerprints = Float64Array.from([...set].filter((one) => one % modulus === 0)).sort();
  const exactModulus = Math.max(modulus, modulusFor(shingleCount, 8, 32));
  const sample = narrow({ modulus, fingerprints }, narrowBits(shingleCount), exactModulus);
  const digest = createHash('md5')
    .update([...set].sort((a, b) => a - b).join())
    .digest('hex');
  return { lexicalDigest: digest, shingleDigest: digest, shingleCount, sample };
}

/** Documents with these texts. @param dates of each, where they have any */
export function corpusOf(contents: readonly CorpusContent[], dates: readonly (number | null)[] = []): Corpus {
  return {
    ...{ names: ['made up'], fingerprint: 'made up', inputBytes: null, readingBytes: 0 },
    readInto: async (sink) => {
      for (let from = 0; from < contents.length; from += 100) {
        for (const [i, content] of sink.contents(contents.slice(from, from + 100)).entries()) {
          const record = from + i;
          sink.document({ content, url: `https://a.example/${record}`, date: dates[record] ?? null, record });
        }
        await sink.room();
      }
      return { records: contents.length, leftOut: {} };
    },
  };
}

/** Families of short documents, of which everything is posted: no pair can be missed. @param most shingles, and a few */
export function families(count: number, seed: number, most = 50): Set<number>[] {
  const prng = createPrng(seed);
  const bases = Array.from({ length: count / 6 }, () =>
    Array.from({ length: 4 + prng.below(most) }, () => prng.fingerprint()),
  );
  return Array.from({ length: count }, () => {
    const base = bases[prng.below(bases.length)]!;
    const changed = prng.next() ** 2;
    return new Set(base.map((one) => (prng.next() < changed ? prng.fingerprint() : one)));
  });
}
