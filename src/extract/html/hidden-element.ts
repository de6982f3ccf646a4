import { elementNamed, FLAGS, FOREIGN, NAME_BYTES, SPECIAL, TEMPLATE, VOID } from './elements.ts';

/*
 * Where an element ends that nobody sees. HTML lets end tags be left out, and authors leave out more: none of it may hide
 * the rest of the page.
 *
 *   <li hidden> … <li>           a start tag that ends it: unless a list lies between the two
 *   <rt> … <p>                   a block ends a reading, which browsers show, whatever the tree: no page is all reading
 *   <div><p hidden> … </div>     an end tag whose partner is around it: where it is not inside, it is taken to be around
 *   <div hidden> … </b> … </div> … but an ordinary end tag does not reach out of a div (WHATWG HTML, "special")
 *
 * Elements inside are kept as a stack of their numbers: an end tag takes all from its partner on, so each is looked at once.
 */

const ELEMENTS = NAME_BYTES.length;
const numbersOf = (names: string) => names.split(' ').map(elementNamed);
const setOf = (names: string) => new Set(numbersOf(names));

/** Elements between which and those around there is no way for end tags that are not of tables ("has an element in scope"). */
const SCOPES = setOf('applet caption html marquee object table td template th');
/** Start tags before which a <p> ends. */
const ENDS_P = setOf(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp',
);
/** End tags that reach out of whatever is open, up to a scope; </p> only out of what may stand in a <p>. */
const REACHING = setOf(
  'address article aside blockquote button center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li listing main menu nav ol pre search section select summary ul',
);
const [P, LI, TABLE] = [elementNamed('p'), elementNamed('li'), elementNamed('table')];
const LISTS = setOf('ul ol');
const ROOTS = setOf('html head body');
/** How far out an element of a table is; 0 for all others. */
const TABLE_LEVEL = new Uint8Array(ELEMENTS);
for (const [i, names] of ['td th caption', 'tr colgroup', 'tbody thead tfoot', 'table'].entries())
  for (const element of numbersOf(names)) TABLE_LEVEL[element] = i + 1;

const specials = Array.from(FLAGS.keys()).filter((element) => (FLAGS[element]! & SPECIAL) !== 0);
const inPhrases = setOf('address div p');

/** Start tags that end an element, and the elements that prevent it where they are open inside. */
interface Ending {
  readonly by: ReadonlySet<number>;
  readonly unless: readonly number[];
}

/** Start tags that end all that is open in a cell of a table. */
const TABLE_PARTS: Ending = {
  by: setOf('td th tr tbody thead tfoot caption col colgroup'),
  unless: numbersOf('table template'),
};

const ENDINGS = new Map<number, Ending>();
for (const [names, by, unless] of [
  ['p', ENDS_P, numbersOf('applet button marquee object template')],
  ['li', setOf('li'), specials.filter((element) => !inPhrases.has(element) && element !== LI)],
  ['dd dt', setOf('dd dt'), specials.filter((element) => !inPhrases.has(element) && !setOf('dd dt').has(element))],
  ['option', setOf('option optgroup hr'), numbersOf('select')],
  ['optgroup', setOf('optgroup hr'), numbersOf('select')],
  ['tr', setOf('tr tbody thead tfoot caption col colgroup'), TABLE_PARTS.unless],
  ['tbody thead tfoot', setOf('tbody thead tfoot caption col colgroup'), TABLE_PARTS.unless],
  ['table', new Set<number>(), []],
  ['rt rp', new Set([...setOf('rb rt rp rtc'), ...ENDS_P]), numbersOf('ruby')],
  ['rb', setOf('rb rtc'), numbersOf('ruby')],
  ['rtc', new Set([...setOf('rb rtc'), ...ENDS_P]), numbersOf('ruby')],
  ['button', setOf('button'), TABLE_PARTS.unless],
  ['a', setOf('a'), TABLE_PARTS.unless],
] as const) {
  for (const element of numbersOf(names)) ENDINGS.set(element, { by, unless });
}

const NONE = -1;
const NO_BYTES = new Uint8Array(0);
const NO_NUMBERS = new Uint32Array(0);

/** The element whose content is being passed over, if one is. */
export class HiddenElement {
  /** Whether its end tag alone ends it, and whether it stands in a drawing or formula. */
  #strict = false;
  #foreign = false;
  #element = NONE;
  /** The elements open inside it, from the outermost on, and how many of each. */
  #inside = NO_BYTES;
  #depth = 0;
  /** Made when the first is hidden: many pages have none. */
  #counts = NO_NUMBERS;

  /** Whether there is one. */
  get active(): boolean {
    return this.#element !== NONE;
  }

  /**
   * Its start tag.
   *
   * @param foreign whether it stands in <svg> or <math>
   * @param strict whether no end tag can be left out: XHTML
   */
  begin(element: number, foreign: boolean, strict: boolean): void {
    this.#element = element;
    this.#foreign = foreign;
    this.#strict = strict || foreign;
    if (this.#counts === NO_NUMBERS) {
      this.#inside = new Uint8Array(64);
      this.#counts = new Uint32Array(ELEMENTS);
    } else this.#counts.fill(0);
    this.#depth = 0;
  }

  /** A start tag behind its own. Returns whether the element ended before it. */
  open(element: number): boolean {
    if (!this.#strict && this.#endsBefore(element)) {
      this.#element = NONE;
      return true;
    }
    if ((FLAGS[element]! & VOID) !== 0) return false;
    if (this.#depth === this.#inside.length) {
      const grown = new Uint8Array(2 * this.#depth);
      grown.set(this.#inside);
      this.#inside = grown;
    }
    this.#inside[this.#depth++] = element;
    this.#counts[element]!++;
    return false;
  }

  /** An end tag, or the end of an element that closed itself. Returns whether the element ended with it. */
  close(element: number): boolean {
    if (this.#counts[element]! > 0) {
      let last: number;
      do {
        last = this.#inside[--this.#depth]!;
        this.#counts[last]!--;
      } while (last !== element);
      return false;
    }
    if (element !== this.#element && !this.#endsWith(element)) return false;
    this.#element = NONE;
    return true;
  }

  #endsBefore(element: number): boolean {
    const own = ENDINGS.get(this.#element);
    const ending = own?.by.has(element) === true || TABLE_LEVEL[this.#element]! > 1 ? own : TABLE_PARTS;
    return ending?.by.has(element) === true && ending.unless.every((between) => this.#counts[between] === 0);
  }

  /** Whether the end tag of another element, which is not inside, ends it. */
  #endsWith(element: number): boolean {
    const hidden = this.#element;
    const flags = FLAGS[element]!;
    if (this.#strict) return this.#foreign && (flags & FOREIGN) !== 0;
    if ((flags & TEMPLATE) !== 0) return true;
    if ((flags & VOID) !== 0 || ROOTS.has(element)) return false;
    if (TABLE_LEVEL[element]! > 0) return hidden !== TABLE && TABLE_LEVEL[element]! > TABLE_LEVEL[hidden]!;
    if (element === P) return !ENDS_P.has(hidden) && !SCOPES.has(hidden);
    if (REACHING.has(element)) return !SCOPES.has(hidden) && !(element === LI && LISTS.has(hidden));
    return (FLAGS[hidden]! & SPECIAL) === 0;
  }
}
