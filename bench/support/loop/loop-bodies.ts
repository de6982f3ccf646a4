import { randomFrom } from '../texts.ts';

/* The parts of which the bodies that are to hold the event loop are made. */

/** A body, made only when its turn comes, which statuses it may be answered by, and its path where that is its own. */
export type Made = readonly [name: string, statuses: readonly number[], body: () => Buffer | string, path?: string];

export const BODY = 8 * 2 ** 20;
export const LINES = 10_000;
export const [INLINE_TEXT, INLINE_HTML] = [256 * 1024, 64 * 1024];
export const WORDS = 'a b c d e f g h i';
export const OK = [200] as const;
export const REFUSED = [400] as const;

export const repeat = (text: string, bytes: number) => text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
export const list = <T>(length: number, make: (i: number) => T) => Array.from({ length }, (_, i) => make(i));

const random = randomFrom(5);

/** Words that no other text has. */
export const words = (bytes: number) => {
  let text = '';
  while (text.length < bytes) text += `w${Math.floor(random() * 2 ** 32).toString(36)} `;
  return text;
};

/** Words of one letter, as many shingles as a text can have. */
export const letters = (count: number) =>
  list(count, () => String.fromCharCode(97 + Math.floor(random() * 26))).join(' ');

export const keys = (count: number, key: (i: number) => string) => `{${list(count, (i) => `"${key(i)}":1`).join(',')}}`;
export const question = (document: object, options: object = {}) =>
  JSON.stringify({ document, deadlineMs: 20_000, ...options });
export const lines = (count: number, make: (i: number) => unknown) =>
  list(count, (i) => {
    const line = make(i);
    return typeof line === 'string' ? line : JSON.stringify(line);
  }).join('\n');
export const results = (make: (i: number) => object, options: object = {}) =>
  JSON.stringify({ results: list(1000, make), deadlineMs: 20_000, ...options });
