import { type FingerprintIndex, fingerprintIndexSteps } from '../../core/compare/fingerprint-index.ts';
import { type NumberedFingerprints, numberSteps } from '../../core/composition/numbered.ts';
import type { ComparedSample, KeptSample } from '../../core/sketch/narrow.ts';
import { inTurns } from '../../sharing/turns.ts';
import type { Content } from '../../store/port.ts';
import type { ContentWish } from '../api.ts';
import { contentOfQuery, type DocumentContent } from '../content/document-content.ts';
import { type ContentReader, createContentReader } from '../content/match-contents.ts';
import type { QueryContext } from '../context.ts';
import type { Query } from '../document/query.ts';
import { comparedWith } from '../similar/match-passages.ts';

/*
 * What of a text is explained, and what of the index may explain it:
 *
 *   page        all of the text                  all of a content
 *   main        what the text says by itself     what a content says by itself; one of which nothing is known explains nothing
 *   auto        the same, or all of the text     the same, or all of a content of which nothing is known
 *
 * So words of a frame are copied from nobody, whichever of the two has the frame.
 */

/** What a content has that may explain some of the text. */
export interface Explainer {
  readonly sample: ComparedSample;
  /** The coarsest modulus at which it tells of the text: its own, or the text's. */
  readonly modulus: number;
}

/** A text, or what it says by itself. */
export interface ExplainedText {
  readonly by: 'page' | 'content';
  readonly shingleCount: number;
  readonly sample: KeptSample;
  /** The digest of all shingles of the text; null if only a part of them is explained. */
  readonly shingleDigest: string | null;
  readonly numbers: NumberedFingerprints;
  /** Finds the fingerprints of the text that are to be explained; null if all of them are. */
  readonly index: FingerprintIndex | null;
  /** What each of some contents has; null of those that explain nothing. @throws the error of the deadline */
  explainersOf(records: readonly Content[]): Promise<readonly (Explainer | null)[]>;
}

/** Contents whose hosts and templates are read at the same time. */
const AT_A_TIME = 16;

/** All of a text, and all of contents. */
export async function pageText(context: QueryContext, query: Query): Promise<ExplainedText> {
  const { shingleCount, sample, shingleDigest } = query;
  const numbers = await inTurns(numberSteps(sample), context.turns);
  return {
    ...{ by: 'page', shingleCount, sample, shingleDigest, numbers, index: null },
    explainersOf: async (records) => records.map((record) => explainerOf(query, record)),
  };
}

const explainerOf = (query: Query, record: Content): Explainer => {
  const { match: sample, modulus } = comparedWith(query, record);
  return { sample, modulus };
};

/** The contents of one answer, each read once. */
export class PartContents {
  readonly #context: QueryContext;
  readonly #query: Query;
  readonly #read: ContentReader;
  readonly #known = new Map<string, DocumentContent>();

  constructor(context: QueryContext, query: Query) {
    this.#context = context;
    this.#query = query;
    this.#read = createContentReader(context);
  }

  /** What the text says by itself. @throws the error of the deadline */
  ofText(): Promise<DocumentContent<KeptSample>> {
    return contentOfQuery(this.#context, this.#query);
  }

  /** @throws the error of the deadline */
  async of(record: Content): Promise<DocumentContent> {
    const known = this.#known.get(record.id) ?? (await this.#read(record));
    this.#known.set(record.id, known);
    return known;
  }

  /** What is explained of the text where contents are asked for; null where it has none. @throws the error of the deadline */
  async ownText(wish: ContentWish): Promise<ExplainedText | null> {
    const { turns } = this.#context;
    const { own, unknown } = await this.ofText();
    if (unknown !== null) return null;
    const { shingleCount, sample } = own;
    const numbers = await inTurns(numberSteps(sample), turns);
    const index = await inTurns(fingerprintIndexSteps(sample), turns);
    const one = async (record: Content): Promise<Explainer | null> => {
      if (record.id === this.#query.id) return { sample, modulus: sample.modulus };
      const content = await this.of(record);
      if (content.unknown !== null && wish === 'main') return null;
      const whole = content.unknown === null ? content.own.sample : record.sample;
      const shared = heldBy(index, whole);
      return { sample: shared, modulus: Math.max(sample.modulus, whole.modulus) };
    };
    const explainersOf = async (records: readonly Content[]) => {
      const found: (Explainer | null)[] = [];
      for (let from = 0; from < records.length; from += AT_A_TIME) {
        if (turns.spent()) await turns.next();
        found.push(...(await Promise.all(records.slice(from, from + AT_A_TIME).map(one))));
      }
      return found;
    };
    return { by: 'content', shingleCount, sample, shingleDigest: null, numbers, index, explainersOf };
  }
}

/** The values of a sample that another one holds. */
function heldBy(index: FingerprintIndex, { modulus, bits, values }: ComparedSample): ComparedSample {
  const isHeld = index.found(values, values.length, bits);
  return { modulus, bits, values: values.filter((_, i) => isHeld[i] === 1) };
}
