import { Buffer } from 'node:buffer';
import type { RecordHead } from './record-head.ts';

/*
 * What the records of a run were, for revisits that name one by its id, or by the digest of its payload:
 *
 *   WARC-Record-ID         ─┐   ┌ the URL and time of a document
 *   WARC-Payload-Digest    ─┴───┴ or that it was none: a picture, a redirect
 *
 * What was noted longest ago is forgotten, where it is too much for memory.
 */

/** Some 100,000 records, whose ids, digests and URLs have 50, 40 and 100 bytes. */
export const MEMORY_BYTES_MAX = 32 * 2 ** 20;
/** Of an entry beside its texts. */
const ENTRY_BYTES = 100;
/** Ids and digests that are longer are not known. */
const NAME_CHARACTERS_MAX = 256;

/** A document that was read. */
export interface Earlier {
  readonly url: string;
  /** WARC-Date as it is written; null where it is no time. */
  readonly date: string | null;
}

export class EarlierRecords {
  readonly #known = new Map<string, Earlier | null>();
  #bytes = 0;

  /** @param document null where the record is none. Records without an id and a digest are not known. */
  note({ fields }: RecordHead, document: Earlier | null): void {
    const known =
      document === null ? null : { url: copyOf(document.url), date: document.date && copyOf(document.date) };
    for (const field of NAMES) {
      const told = fields.get(field);
      if (told === undefined || told.length > NAME_CHARACTERS_MAX) continue;
      const name = copyOf(told);
      // a digest that a document has may be that of a redirect's body too
      if (known === null && this.#known.get(name)) continue;
      this.#forget(name);
      this.#known.set(name, known);
      this.#bytes += bytesOf(name, known);
    }
    for (const [oldest] of this.#known) {
      if (this.#bytes <= MEMORY_BYTES_MAX) break;
      this.#forget(oldest);
    }
  }

  /** The record that a revisit refers to; null: it holds no document; undefined: it is unknown. */
  of({ fields }: RecordHead): Earlier | null | undefined {
    for (const field of ['warc-refers-to', 'warc-payload-digest']) {
      const name = fields.get(field);
      const known = name === undefined ? undefined : this.#known.get(name);
      if (known !== undefined) return known;
    }
    return undefined;
  }

  #forget(name: string): void {
    const known = this.#known.get(name);
    if (known === undefined) return;
    this.#known.delete(name);
    this.#bytes -= bytesOf(name, known);
  }
}

const NAMES = ['warc-record-id', 'warc-payload-digest'];

const bytesOf = (name: string, known: Earlier | null) => ENTRY_BYTES + name.length + (known?.url.length ?? 0);

/** A text of its own: what was cut out of a head would keep all of it in memory. */
const copyOf = (text: string) => Buffer.from(text).toString();
