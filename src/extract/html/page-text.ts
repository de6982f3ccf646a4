import { shownTitle } from '../title.ts';
import {
  ENDS_FOREIGN,
  elementNamed,
  FLAGS,
  FOREIGN,
  HIDDEN,
  HIDDEN_IN_FOREIGN,
  INLINE,
  TEMPLATE,
  TITLE,
  VOID,
} from './elements.ts';
import { HiddenElement } from './hidden-element.ts';
import { A } from './main/element-kinds.ts';
import { END_TAG } from './main/page-blocks.ts';
import type { TextWriter } from './text-writer.ts';

/*
 * What of a page is its text: what a browser with scripting off would show, whatever style sheets say.
 *
 *   is text        everything not named below; the title; <noscript>, <textarea>, <xmp>, <plaintext>, <option>; fallback
 *                  content of <object> and <canvas>; text in <svg> and <math>; CDATA where it is one (XHTML, <svg>,
 *                  <math>); a <template> with shadowrootmode, which browsers show; what they open when they find something
 *                  in it: <details>, hidden=until-found; what React streams (STREAMED_SEGMENT)
 *   is no text     what has the attribute hidden or popover, but for <html> and <body>, which scripts then show; <dialog>
 *                  without open; <script>, <style>, <iframe>, <noembed>, <noframes>, <datalist>, other <template>s; what
 *                  <audio> and <video> say to browsers without them; <rt>, <rp> and <rtc>, which repeat words in other
 *                  letters; <title>, <desc> and <metadata> of a drawing; <annotation> of a formula, which repeats it in
 *                  TeX; attributes; comments, doctypes, processing instructions
 *   separates      every tag, also of an unknown element, but those of INLINE, as words stand apart on the screen
 *   vanishes       tags of INLINE; comments (server-side React writes a<!-- -->b for "ab")
 *
 * In XHTML the name of an element is what stands behind its prefix, whatever the prefix.
 *
 * Elements are followed by counters, and inside what nobody sees by hidden-element.ts. So no depth is too deep. A page
 * that closes what it never opened, or never closes what it opened, is still read in linear time. One thing differs
 * from a browser's tree, on purpose: an element of HTML inside <svg> or <math> ends the drawing even inside
 * <foreignObject>. Only the text rules of a nested <title> could tell.
 */

const DIALOG = elementNamed('dialog');
const HTML = elementNamed('html');
const BODY = elementNamed('body');

/** The value of an attribute of a start tag (hidden, id, open, popover, shadowrootmode); null where it has none so named. */
export type AttributeOf = (name: string) => string | null;

/** Who is told of tags: PageBlocks.note. */
export interface TagListener {
  note(textEnd: number, tag: number, nameEnd: number, end: number): void;
}

/** Turns the elements and texts of one page, in their order, into its text. Elements are numbers of elements.ts. */
export class PageText {
  readonly writer: TextWriter;
  readonly #xhtml: boolean;
  readonly #hidden = new HiddenElement();
  #templates = 0;
  #foreign = 0;
  #titleStart = -1;
  #titleEnd = -1;

  /** Told of all tags between which there may be text; null where nobody asks for the main text. */
  readonly #blocks: TagListener | null;

  constructor(writer: TextWriter, xhtml: boolean, blocks: TagListener | null = null) {
    this.writer = writer;
    this.#xhtml = xhtml;
    this.#blocks = blocks;
  }

  /** Whether texts are to be written where we are. */
  get visible(): boolean {
    return !this.#hidden.active && this.#templates === 0;
  }

  /** Whether we are inside <svg> or <math>. */
  get foreign(): boolean {
    return this.#foreign > 0;
  }

  /** A start tag. @param bits what its attributes say of its text: main/attribute-bits.ts */
  open(element: number, attributeOf: AttributeOf, bits = 0): void {
    if (this.#hidden.active && !this.#hidden.open(element)) return;
    const flags = FLAGS[element]!;
    if (this.#foreign > 0 && (flags & ENDS_FOREIGN) !== 0) this.#foreign = 0;
    const foreign = this.#foreign > 0;
    if ((flags & INLINE) === 0) this.writer.separate();
    if ((flags & (foreign ? HIDDEN | HIDDEN_IN_FOREIGN : HIDDEN)) !== 0 || (!foreign && isUnseen(element, attributeOf)))
      this.#hidden.begin(element, foreign, this.#xhtml);
    else if ((flags & FOREIGN) !== 0) this.#foreign++;
    else if ((flags & TEMPLATE) !== 0 && (attributeOf('shadowrootmode') === null || this.#templates > 0))
      this.#templates++;
    else if ((flags & TITLE) !== 0 && this.#titleStart < 0) this.#titleStart = this.writer.length;
    // what is hidden, and what is drawn, is no element of the text: words end there, and no more
    const isOfText = !foreign && !this.#hidden.active && (flags & FOREIGN) === 0;
    if ((flags & INLINE) === 0 || element === A)
      this.#blocks?.note(this.writer.length, isOfText ? element : 0, -1, bits);
  }

  /** An end tag, or the end of an element that closed itself. */
  close(element: number): void {
    if (this.#hidden.active && !this.#hidden.close(element)) return;
    const flags = FLAGS[element]!;
    if ((flags & INLINE) !== 0) {
      if (element === A) this.#blocks?.note(this.writer.length, A | END_TAG, -1, 0);
      return;
    }
    if ((flags & FOREIGN) !== 0) this.#foreign = Math.max(0, this.#foreign - 1);
    else if ((flags & TEMPLATE) !== 0) this.#templates = Math.max(0, this.#templates - 1);
    else if ((flags & TITLE) !== 0 && this.#titleStart >= 0 && this.#titleEnd < 0) this.#titleEnd = this.writer.length;
    this.writer.separate();
    this.#blocks?.note(this.writer.length, element | END_TAG, -1, 0);
  }

  /** The first title as it is shown; null where it shows nothing. */
  get title(): string | null {
    if (this.#titleStart < 0) return null;
    const end = this.#titleEnd < 0 ? this.writer.length : this.#titleEnd;
    return shownTitle(this.writer.toString(this.#titleStart, Math.min(end, this.#titleStart + TITLE_BYTES_READ)));
  }
}

/**
 * The id of a hidden element that React sends after the page around it: `<div hidden id="S:0">`, with a prefix where the site
 * gives one. A script puts its content in its place. Of 675 well-known pages 12 have one, some with all of their article.
 */
const STREAMED_SEGMENT = /S:[\da-f]+$/;

/** Whether an element of HTML is not seen for its attributes. */
function isUnseen(element: number, attributeOf: AttributeOf): boolean {
  if ((FLAGS[element]! & (VOID | FOREIGN | TITLE)) !== 0 || element === HTML || element === BODY) return false;
  // browsers open what is hidden until it is found
  if ((attributeOf('hidden') ?? 'until-found').toLowerCase() !== 'until-found')
    return !STREAMED_SEGMENT.test(attributeOf('id') ?? '');
  return element === DIALOG ? attributeOf('open') === null : attributeOf('popover') !== null;
}

/** Of a title no more is looked at: 300 characters with their white space and markup-like noise. */
const TITLE_BYTES_READ = 4_096;
