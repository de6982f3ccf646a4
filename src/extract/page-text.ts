import { TextWriter } from './text-writer.ts';

/*
 * What of a page is its text: what a browser with scripting off would show, whatever style sheets say.
 *
 *   is text        everything not named below; the title; <noscript>, <textarea>, <xmp>, <plaintext>, <option>; fallback
 *                  content of <object>, <video>, <audio>, <canvas>; text in <svg> and <math>; CDATA where it is one
 *                  (XHTML, <svg>, <math>); a <template> with shadowrootmode, which browsers show
 *   is no text     <script>, <style>, <iframe>, <noembed>, <noframes>, other <template>s; <title>, <desc> and <metadata>
 *                  of a drawing; <annotation> of a formula, which repeats it in TeX; attributes; comments,
 *                  doctypes, processing instructions
 *   separates      every tag, also of an unknown element, but those of INLINE, as words stand apart on the screen
 *   vanishes       tags of INLINE; comments (server-side React writes a<!-- -->b for "ab"); soft hyphens (soft-hyphens.ts)
 *
 * Elements are followed by counters, not by a stack: no depth is too deep, and a page that closes what it never opened, or
 * never closes what it opened, is still read in linear time. What differs from a browser's tree, on purpose: an element of
 * HTML inside <svg> or <math> ends the drawing even inside <foreignObject>, where only the text rules of a nested <title>
 * could tell.
 */

/** What an element does to the text; one that is not named separates words and its content counts. */
type Role = 'inline' | 'hidden' | 'foreign' | 'template' | 'title';

const INLINE =
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr';
const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ...INLINE.split(' ').map((name) => [name, 'inline'] as const),
  ...['script', 'style', 'iframe', 'noembed', 'noframes'].map((name) => [name, 'hidden'] as const),
  ['svg', 'foreign'],
  ['math', 'foreign'],
  ['template', 'template'],
  ['title', 'title'],
]);
const HIDDEN_IN_FOREIGN = new Set(['title', 'desc', 'metadata', 'annotation', 'annotation-xml']);
/** WHATWG HTML, "the rules for parsing tokens in foreign content": start tags that end it. */
const ENDS_FOREIGN = new Set(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var'.split(
    ' ',
  ),
);

/** Turns the elements and texts of one page, in their order, into its text. */
export class PageText {
  readonly writer: TextWriter;
  /** The element whose content is being passed over. */
  #hidden: string | null = null;
  #templates = 0;
  #foreign = 0;
  #titleStart = -1;
  #titleEnd = -1;

  constructor(bytesExpected: number) {
    this.writer = new TextWriter(bytesExpected);
  }

  /** Whether texts are to be written where we are. */
  get visible(): boolean {
    return this.#hidden === null && this.#templates === 0;
  }

  /** Whether we are inside <svg> or <math>. */
  get foreign(): boolean {
    return this.#foreign > 0;
  }

  /**
   * A start tag.
   *
   * @param name in lower case.
   * @param shadowRoot whether it is a template that browsers show.
   */
  open(name: string, shadowRoot: boolean): void {
    if (this.#hidden !== null) return;
    if (this.#foreign > 0 && ENDS_FOREIGN.has(name)) this.#foreign = 0;
    const role = ROLES.get(name);
    if (role === 'inline') return;
    this.writer.separate();
    if (role === 'hidden' || (this.#foreign > 0 && HIDDEN_IN_FOREIGN.has(name))) this.#hidden = name;
    else if (role === 'foreign') this.#foreign++;
    else if (role === 'template' && (!shadowRoot || this.#templates > 0)) this.#templates++;
    else if (role === 'title' && this.#titleStart < 0) this.#titleStart = this.writer.length;
  }

  /** An end tag, or the end of an element that closed itself. */
  close(name: string): void {
    const role = ROLES.get(name);
    if (this.#hidden !== null) {
      if (name !== this.#hidden && !(role === 'foreign' && this.#foreign > 0)) return;
      this.#hidden = null;
    }
    if (role === 'inline') return;
    if (role === 'foreign') this.#foreign = Math.max(0, this.#foreign - 1);
    else if (role === 'template') this.#templates = Math.max(0, this.#templates - 1);
    else if (role === 'title' && this.#titleStart >= 0 && this.#titleEnd < 0) this.#titleEnd = this.writer.length;
    this.writer.separate();
  }

  /** The text of the first title, as it stands on the page; empty where there is none. */
  titleText(): string {
    if (this.#titleStart < 0) return '';
    const end = this.#titleEnd < 0 ? this.writer.length : this.#titleEnd;
    return this.writer.toString(this.#titleStart, Math.min(end, this.#titleStart + TITLE_BYTES_READ));
  }
}

/** Of a title no more is looked at: 300 characters with their white space and markup-like noise. */
const TITLE_BYTES_READ = 4_096;
