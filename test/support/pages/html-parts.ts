import type { PageContent } from '../../../src/extract/html/html.ts';
import { HtmlScanner } from '../../../src/extract/html/html-scanner.ts';
import { titleOf } from '../../../src/extract/metadata.ts';
import type { Prng } from '../prng.ts';

/** What pageContent says of a page that comes in parts, cut anywhere; nearly all parts of a small page are tiny. */
export function pageInParts(utf8: Uint8Array, xhtml: boolean, prng: Prng): PageContent {
  const scanner = new HtmlScanner(16, xhtml);
  const longest = 1 + prng.below([1, 5, 50, 200, 1 + Math.floor(utf8.length / 4)][prng.below(5)]!);
  for (let at = 0; at < utf8.length; ) {
    const end = Math.min(utf8.length, at + prng.below(longest + 1));
    // its own copy, overwritten at once: nothing may be kept of it
    const part = new Uint8Array(utf8.subarray(at, end));
    scanner.write(part);
    part.fill(0x3c);
    at = end;
  }
  scanner.end();
  const { page, language } = scanner;
  return { text: page.writer.finish(), title: titleOf(page.titleText()), language };
}
