import { ENDS_FOREIGN, FLAGS, FOREIGN, HIDDEN, HIDDEN_IN_FOREIGN, INLINE, TEMPLATE, TITLE } from './elements.ts';
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
 *   vanishes       tags of INLINE; comments (server-side React writes a<!-- -->b for "ab")
 *
 * Elements are followed by counters, not by a stack: no depth is too deep, and a page that closes what it never opened, or
 * never closes what it opened, is still read in linear time. What differs from a browser's tree, on purpose: an element of
 * HTML inside <svg> or <math> ends the drawing even inside <foreignObject>, where only the text rules of a nested <title>
 * could tell.
 */

const OPENS = HIDDEN | HIDDEN_IN_FOREIGN | FOREIGN | TEMPLATE | TITLE;

/** Turns the elements and texts of one page, in their order, into its text. Elements are numbers of elements.ts. */
export class PageText {
  readonly writer: TextWriter;
  /** The element whose content is being passed over; 0 where none is. */
  #hidden = 0;
  #templates = 0;
  #foreign = 0;
  #titleStart = -1;
  #titleEnd = -1;

  constructor(bytesExpected: number) {
    this.writer = new TextWriter(bytesExpected);
  }

  /** Whether texts are to be written where we are. */
  get visible(): boolean {
    return this.#hidden === 0 && this.#templates === 0;
  }

  /** Whether we are inside <svg> or <math>. */
  get foreign(): boolean {
    return this.#foreign > 0;
  }

  /**
   * A start tag.
   *
   * @param shadowRoot whether it is a template that browsers show.
   */
  open(element: number, shadowRoot: boolean): void {
    if (this.#hidden !== 0) return;
    const flags = FLAGS[element]!;
    if (this.#foreign > 0 && (flags & ENDS_FOREIGN) !== 0) this.#foreign = 0;
    if ((flags & INLINE) !== 0) return;
    this.writer.separate();
    if ((flags & OPENS) === 0) return;
    if ((flags & HIDDEN) !== 0 || (this.#foreign > 0 && (flags & HIDDEN_IN_FOREIGN) !== 0)) this.#hidden = element;
    else if ((flags & FOREIGN) !== 0) this.#foreign++;
    else if ((flags & TEMPLATE) !== 0 && (!shadowRoot || this.#templates > 0)) this.#templates++;
    else if ((flags & TITLE) !== 0 && this.#titleStart < 0) this.#titleStart = this.writer.length;
  }

  /** An end tag, or the end of an element that closed itself. */
  close(element: number): void {
    const flags = FLAGS[element]!;
    if (this.#hidden !== 0) {
      if (element !== this.#hidden && !((flags & FOREIGN) !== 0 && this.#foreign > 0)) return;
      this.#hidden = 0;
    }
    if ((flags & INLINE) !== 0) return;
    if ((flags & FOREIGN) !== 0) this.#foreign = Math.max(0, this.#foreign - 1);
    else if ((flags & TEMPLATE) !== 0) this.#templates = Math.max(0, this.#templates - 1);
    else if ((flags & TITLE) !== 0 && this.#titleStart >= 0 && this.#titleEnd < 0) this.#titleEnd = this.writer.length;
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
