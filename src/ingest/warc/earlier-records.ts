import { Buffer } from 'node:buffer';
import { hash } from 'node:crypto';
import type { RecordHead } from './record-head.ts';

/*
 * What the records of a run were, for revisits that name one by its id, or by the digest of its payload:
 *
 *   WARC-Record-ID         ─┐                 ┌ the URL and time of a document
 *   WARC-Payload-Digest    ─┴─ 48 bits each ──┴ or that it was none: a picture, a redirect
 *
 * The last ENTRIES_MAX ids and digests are known, in some 25 MB.
 */

const ENTRIES_MAX = 2 ** 17;

/** A document that was read. */
export interface Earlier {
  readonly url: string;
  /** WARC-Date as it is written; null where it is no time. */
  readonly date: string | null;
}

export class EarlierRecords {
  readonly #known = new Map<number, Earlier | null>();

  /** @param document null where the record is none. Records without an id and a digest are not known. */
  note({ fields }: RecordHead, document: Earlier | null): void {
    const known = document === null ? null : { url: copyOf(document.url), date: copyOf(document.date) };
    for (const name of NAMES) {
      const value = fields.get(name);
      if (value === undefined) continue;
      const number = numberOf(value);
      // a digest that a document has may be that of a redirect's body too
      if (known === null && this.#known.get(number)) continue;
      this.#known.delete(number);
      this.#known.set(number, known);
    }
    for (const [oldest] of this.#known) {
      if (this.#known.size <= ENTRIES_MAX) break;
      this.#known.delete(oldest);
    }
  }

  /** The record that a revisit is of; null: it is no document; undefined: nothing is known of it. */
  of({ fields }: RecordHead): Earlier | null | undefined {
    for (const name of ['warc-refers-to', 'warc-payload-digest']) {
      const value = fields.get(name);
      const known = value === undefined ? undefined : this.#known.get(numberOf(value));
      if (known !== undefined) return known;
    }
    return undefined;
  }
}

const NAMES = ['warc-record-id', 'warc-payload-digest'];
const HASH_BYTES = 6;

const numberOf = (value: string) => hash('sha1', value, 'buffer').readUIntBE(0, HASH_BYTES);

/** A text of its own: what was cut out of a head would keep all of it in memory. */
const copyOf = <T extends string | null>(text: T) => (text === null ? text : Buffer.from(text).toString()) as T;
