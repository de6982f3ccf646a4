import type { IngestItem, OpenedBytes, Position, UnpackedChunk } from '../port.ts';

/*
 * Where a reader may go on after each of its records.
 *
 *   plain    ……│record│record│record│……      the next record begins at a byte: go there, pass over none
 *   packed   [ member ][ member ][ member ]   the last member or frame that began with a record: go there, and pass over
 *                │r│r│r    r│r│r │r│           as many records as had ended since (here 3, where the second cuts one)
 */

export class Spots {
  /** Records before the next one, of the whole file. */
  record: number;
  readonly #file: string;
  readonly #isFixed: boolean;
  readonly #placeOf: ((byte: number) => number) | undefined;
  /** null: not known before the first chunk. */
  #isPacked: boolean | null;
  #byte: number;
  #skip = 0;
  #passOver: number;

  /** @param always whether positions are as those of packed files, whatever the file is: there is one place to begin at */
  constructor(
    { file, placeOf }: Pick<OpenedBytes, 'file' | 'placeOf'>,
    from: Position | null,
    always?: 'from the beginning',
  ) {
    this.#file = file;
    this.#isFixed = always !== undefined;
    this.#placeOf = placeOf;
    this.#isPacked = this.#isFixed ? true : null;
    this.#byte = from?.byte ?? 0;
    this.#passOver = from?.skip ?? 0;
    this.record = (from?.record ?? 0) - this.#passOver;
  }

  get isPacked(): boolean {
    return this.#isPacked === true;
  }

  /** @param isClean whether nothing of a record is held from chunks before this one */
  enter(chunk: UnpackedChunk, isClean: boolean): void {
    this.#isPacked ??= chunk.begins;
    if (this.#isFixed || !this.#isPacked || !chunk.begins || !isClean) return;
    this.#byte = chunk.byte;
    this.#skip = 0;
  }

  /**
   * A record has ended.
   *
   * @param end the byte behind it, of a plain file
   * @returns whether it is to be told: not where the position was behind it
   */
  pass(end: number): boolean {
    if (this.#isPacked === true) return this.passHere();
    this.#byte = end;
    this.#skip = 0;
    return this.#count();
  }

  /** The same of one that is met again at the place before it, in a plain file, too. */
  passHere(): boolean {
    this.#skip++;
    return this.#count();
  }

  /** So many records have ended that are never told. */
  passUntold(count: number): void {
    this.#skip += count;
    this.record += count;
    this.#passOver = Math.max(0, this.#passOver - count);
  }

  #count(): boolean {
    this.record++;
    if (this.#passOver === 0) return true;
    this.#passOver--;
    return false;
  }

  /**
   * Something before a chunk was damaged; what had begun there is given up. It counts as a record, since it is met again.
   *
   * @returns null where the position was behind it
   */
  damage({ byte, damage }: UnpackedChunk, at: string): IngestItem | null {
    if (damage === null) return null;
    this.#isPacked = true;
    if (!this.pass(byte)) return null;
    return { at, next: this.next(), bytes: 0, refused: 'damaged', detail: damage, url: null };
  }

  /** Behind the last record that ended. */
  next(): Position {
    return { file: this.#file, byte: this.#place(), skip: this.#skip, record: this.record };
  }

  /** Of a packed file it is a place in the file already. */
  #place(): number {
    return this.#placeOf === undefined || this.#isPacked === true ? this.#byte : this.#placeOf(this.#byte);
  }
}
