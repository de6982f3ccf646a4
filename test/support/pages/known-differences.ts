/** A reason why htmlparser2 may read a page differently from the standard, and so from us. */
export interface KnownDifference {
  readonly reason: string;
  /** Pages in which it may show. Those without are held to agree with htmlparser2. */
  readonly pages: RegExp;
  /** Where it shows in one of the two kinds of pages only. */
  readonly xhtml?: boolean;
}

/** Where htmlparser2 and the WHATWG HTML standard differ, of what can change words, title or language: all of it known. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  { reason: 'a page cut in the name of a start tag shows that name', pages: /<[a-z][^\s/>]*$/i },
  { reason: 'CDATA sections end at "]]>" in HTML too, not at ">"', pages: /<!\[CDATA\[/, xhtml: false },
  { reason: 'CDATA sections that never end are no text', pages: /<!\[CDATA\[(?![\s\S]*\]\]>)/ },
  { reason: 'end tags end at the first ">", also of an attribute', pages: /<\/[a-z][^>]*=\s*["']/i },
  { reason: '"/ >" closes an element where "/>" does', pages: /\/\s+>/, xhtml: true },
  { reason: '"/ >" closes an element where "/>" does', pages: /<(?:svg|math)[\s\S]*\/\s+>/i, xhtml: false },
  { reason: 'a script in a comment in a script ends it', pages: /<script[\s\S]*<!--[\s\S]*<script/i },
  {
    reason: 'a reference right behind what could be an end tag is none in a title',
    pages: /<(?:title|textarea)[\s\S]*<(?:\/[a-z]*)?&/i,
  },
];

/** What of them may show in a page. */
export function knownDifferences(page: string, xhtml: boolean): KnownDifference[] {
  return KNOWN_DIFFERENCES.filter((known) => (known.xhtml ?? xhtml) === xhtml && known.pages.test(page));
}
