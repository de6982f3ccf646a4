import { crc32 } from 'node:zlib';
import type { HolderCounts } from '../../port.ts';
import { mixed } from '../mixed.ts';

const SENTENCES_MAX = 100;

/** What is wrong with an index, one sentence each; of very many the first are kept and the rest counted. */
export class Problems {
  private readonly found: string[] = [];
  private more = 0;

  add(sentence: string): void {
    if (this.found.length < SENTENCES_MAX) this.found.push(sentence);
    else this.more++;
  }

  /** The value of `work`, or undefined and a problem where it throws. */
  try<T>(what: string, work: () => T): T | undefined {
    try {
      return work();
    } catch {
      this.add(`${what} is damaged: its checksum does not fit.`);
      return undefined;
    }
  }

  expect(isSo: boolean, otherwise: string): void {
    if (!isSo) this.add(otherwise);
  }

  get sentences(): string[] {
    return this.more === 0 ? [...this.found] : [...this.found, `And ${this.more} more.`];
  }
}

/**
 * What two tables say of the contents must be the same: a number for every statement, added up by content, what the one says
 * minus what the other says. A sum that is not 0 betrays a statement that only one of them makes; a wrong one stays unseen
 * once in 2^32 times. Cost: 4 bytes a content, whatever is said of it.
 */
export class Sums {
  private readonly sums: Int32Array;

  constructor(contents: number) {
    this.sums = new Int32Array(contents);
  }

  add(content: number, statement: number): void {
    this.sums[content]! += statement;
  }

  subtract(content: number, statement: number): void {
    this.sums[content]! -= statement;
  }

  /** How many contents the two disagree on, and the first. */
  disagreements(): { count: number; first: number } {
    let count = 0;
    let first = -1;
    for (let content = 0; content < this.sums.length; content++) {
      if (this.sums[content] === 0) continue;
      count++;
      if (first < 0) first = content;
    }
    return { count, first };
  }
}

/** Statements as numbers: of a text, of a fingerprint. */
export const textStatement = (text: string) => crc32(text) | 1;

export function fingerprintStatement(fingerprint: number): number {
  const high = Math.floor(fingerprint / 0x1_0000_0000);
  return mixed(fingerprint ^ Math.imul(high + 1, 0x9e37_79b1)) | 1;
}

/** Of one holder, by its state. */
export const STATE = { live: textStatement('live'), gone: textStatement('gone'), past: textStatement('past') };
export const countsStatement = ({ live, gone, past }: HolderCounts) =>
  Math.imul(live, STATE.live) + Math.imul(gone, STATE.gone) + Math.imul(past, STATE.past);
