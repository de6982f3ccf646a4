import type { CompositionAnswer, CompositionOptions } from '../../src/service/composition/composition-shapes.ts';
import { bulk, call, type ServiceProcess } from '../support/service-process.ts';

export type Wishes = Partial<Pick<CompositionOptions, 'find' | 'minimumShare' | 'minimumWords' | 'limit' | 'passages'>>;

/** What a text is made of, with time enough to say it. */
export function composition(
  { client }: ServiceProcess,
  text: string,
  wishes: Wishes,
  url?: string,
): Promise<CompositionAnswer> {
  const document = url === undefined ? { text } : { text, url };
  const data = JSON.stringify({ document, deadlineMs: 60_000, ...wishes });
  return call<CompositionAnswer>(client, 'POST', '/composition', { type: 'application/json', data });
}

/** Texts of one request: a fraction of what it may have. */
const AT_ONCE = 50;

/** Indexes texts under a URL each. */
export async function fill(
  { client }: ServiceProcess,
  texts: readonly string[],
  urlOf: (index: number) => string,
): Promise<void> {
  const documents = texts.map((text, index) => ({ url: urlOf(index), text }));
  for (let from = 0; from < documents.length; from += AT_ONCE)
    await bulk(client, documents.slice(from, from + AT_ONCE));
}

/** So many words of a text from a random place, or all of it. */
export function wordsFrom(text: readonly string[], words: number, random: () => number): string[] {
  const from = Math.floor(random() * Math.max(1, text.length - words + 1));
  return text.slice(from, from + words);
}
