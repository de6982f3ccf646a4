import type { TextMaker } from '../core/make-documents.ts';

/* Pages of sites: an article, and around it what all pages of its site have. */

/** Sentences of some 12 words. */
export function sentences({ text, prng }: TextMaker, words: number): string[] {
  const made: string[] = [];
  for (let left = words; left > 0; left -= 12) {
    const line = text(Math.max(6, Math.min(12, left)));
    made.push(`${line[0]!.toUpperCase()}${line.slice(1)}${prng.next() < 0.3 ? ', and so on' : ''}.`);
  }
  return made;
}

/** An article of paragraphs, as a text: a line for each. */
export function article(make: TextMaker, words: number): string {
  const lines = sentences(make, words);
  return Array.from({ length: Math.ceil(lines.length / 4) }, (_, i) => lines.slice(4 * i, 4 * i + 4).join(' ')).join(
    '\n\n',
  );
}

export interface Frame {
  readonly before: string;
  readonly after: string;
}

/** The frame of a site: links before its articles, and so many words behind, half of which look like an article. */
export function frame(make: TextMaker, words: number): Frame {
  const links = (count: number) =>
    Array.from({ length: count }, (_, i) => `<li><a href="/${i}">${make.text(3)}</a></li>`).join('');
  const notes = sentences(make, words / 2).map((line) => `<p>${line}</p>`);
  return {
    before: `<header><nav><ul>${links(words / 12)}</ul></nav></header>`,
    after: `<div class="about">${notes.join('')}</div><footer><ul>${links(words / 12)}</ul></footer>`,
  };
}

/** @param text paragraphs as {@link article} makes them */
export function framedPage({ before, after }: Frame, text: string): string {
  const paragraphs = text.split('\n\n').map((paragraph) => `<p>${paragraph}</p>`);
  return `<!doctype html><html><body>${before}<main><article>${paragraphs.join('')}</article></main>${after}</body></html>`;
}
