import { titleOf } from '../metadata.ts';
import { HtmlScanner } from './html-scanner.ts';

export interface PageContent {
  readonly text: Uint8Array;
  readonly title: string | null;
  readonly language: string | null;
}

/** What becomes more bytes of text than it has of page is rare (&nLt; is one): so much room is nearly always enough. */
const BYTES_BESIDE = 64;

/**
 * The text, title and language of a page, in one pass over its bytes and without a tree (which elements count:
 * page-text.ts; what is markup: html-scanner.ts). Cost: linear, whatever the page; bench/sketch.ts measures it.
 *
 * @param utf8 valid UTF-8.
 * @param xhtml whether `<a/>` closes itself and CDATA sections are text.
 */
export function pageContent(utf8: Uint8Array, xhtml: boolean): PageContent {
  const scanner = new HtmlScanner(utf8.length + BYTES_BESIDE, xhtml);
  scanner.write(utf8);
  scanner.end();
  const { page, language } = scanner;
  return { text: page.writer.finish(), title: titleOf(page.titleText()), language };
}
