import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A folder of documents with their exact truth:
 *
 *   docs.tsv         url, kind (html | text), path below the folder; one `#` line of column names
 *   truth/docs.tsv   index, url, words, distinct shingles, representative (first document with the same shingle set)
 *   truth/pairs.tsv  a, b (representatives, a < b), shared, shingles a, shingles b, r, c_ab, c_ba
 */
export interface CorpusDocument {
  readonly url: string;
  readonly kind: 'html' | 'text';
  readonly path: string;
}

function tsvRows(path: string): string[][] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}

/** The documents of a folder in the order of its docs.tsv. */
export function corpusDocuments(folder: string): CorpusDocument[] {
  return tsvRows(join(folder, 'docs.tsv')).map(([url, kind, path]) => ({
    url: url!,
    kind: kind === 'html' ? 'html' : 'text',
    path: join(folder, path!),
  }));
}

/** Exact shares of an ordered pair of documents: r, how much of a is in b, how much of b is in a. */
export interface ExactPair {
  readonly r: number;
  readonly aInB: number;
  readonly bInA: number;
}

const UNRELATED: ExactPair = { r: 0, aInB: 0, bInA: 0 };
const EQUAL: ExactPair = { r: 1, aInB: 1, bInA: 1 };

/** Exact resemblance and containment of all document pairs of a folder; pairs below r .1 and c .5 count as unrelated. */
export class Truth {
  readonly urls: string[] = [];
  /** Documents too short for a shingle take no part. */
  readonly hasShingles: boolean[] = [];
  readonly #index = new Map<string, number>();
  readonly #representative: number[] = [];
  readonly #members = new Map<number, number[]>();
  readonly #neighbours = new Map<number, Map<number, ExactPair>>();

  constructor(folder: string) {
    for (const [index, url, , shingles, representative] of tsvRows(join(folder, 'truth', 'docs.tsv'))) {
      this.urls.push(url!);
      this.hasShingles.push(Number(shingles) > 0);
      this.#index.set(url!, Number(index));
      this.#representative.push(Number(representative));
      const members = this.#members.get(Number(representative)) ?? [];
      members.push(Number(index));
      this.#members.set(Number(representative), members);
    }
    for (const [a, b, , , , r, aInB, bInA] of tsvRows(join(folder, 'truth', 'pairs.tsv'))) {
      this.#link(Number(a), Number(b), { r: Number(r), aInB: Number(aInB), bInA: Number(bInA) });
      this.#link(Number(b), Number(a), { r: Number(r), aInB: Number(bInA), bInA: Number(aInB) });
    }
  }

  #link(a: number, b: number, pair: ExactPair): void {
    const neighbours = this.#neighbours.get(a) ?? new Map<number, ExactPair>();
    neighbours.set(b, pair);
    this.#neighbours.set(a, neighbours);
  }

  indexOf(url: string): number | undefined {
    return this.#index.get(url);
  }

  /** The exact shares of documents a and b, by index. */
  pair(a: number, b: number): ExactPair {
    const first = this.#representative[a]!;
    const second = this.#representative[b]!;
    if (first === second) return EQUAL;
    return this.#neighbours.get(first)?.get(second) ?? UNRELATED;
  }

  /** Every listed neighbour of document a with its exact shares, itself left out. */
  *neighbours(a: number): Generator<[number, ExactPair]> {
    if (!this.hasShingles[a]) return;
    const representative = this.#representative[a]!;
    for (const member of this.#members.get(representative)!) if (member !== a) yield [member, EQUAL];
    for (const [other, pair] of this.#neighbours.get(representative) ?? []) {
      for (const member of this.#members.get(other)!) yield [member, pair];
    }
  }
}
