import type { Prng } from '../prng.ts';
import { hostileDocuments } from './hostile.ts';

/* Selectors by their grammar, those that are no CSS among them, and the pages that they hurt most. */

export interface SelectorCase {
  readonly selector: string;
  /** Whether it is CSS that must be understood, is known not to be, or nobody can tell. */
  readonly kind: 'css' | 'foreign' | 'garbage';
}

const TAGS = [
  'p',
  'i',
  'br',
  'div',
  'td',
  'tr',
  'b',
  'body',
  'ul',
  'li',
  'A',
  'my-element',
  'größe',
  '\\31 st',
  'x\\:y',
];
const NAMES = ['a', 'c1', 'x', 'größe', '中文', '-x', '_', '\\64 ash', 'e\\.f', '😀', 'very-long-name'.repeat(4)];
const VALUES = ['x', '"x y"', "'中'", '""', '"\\"\\5d"', 'größe', `"${'y'.repeat(60)}"`];
const ATTRIBUTES = ['class', 'id', 'href', 'data-kind', 'lang', 'xml\\:lang', 'CLASS'];
const OPERATORS = ['=', '~=', '|=', '^=', '$=', '*='];
const COMBINATORS = [' ', ' > ', ' + ', ' ~ ', '>', '~', '+', '\n', '/**/ > /* x */'];
const PLAIN =
  'root empty first-child last-child only-child first-of-type last-of-type only-of-type any-link link visited';
const PLAIN_PSEUDOS = `${PLAIN} hover active enabled disabled checked required optional FIRST-CHILD Root`.split(' ');
const NTH = ['nth-child', 'nth-last-child', 'nth-of-type', 'nth-last-of-type', 'NTH-CHILD'];
const NTH_ARGUMENTS = ['1', 'odd', 'even', '2n', '2n+1', '-n+3', 'n', '0', ' 3n - 2 ', '+5', '999999999', '-1'];
const LISTS = ['is', 'where', 'not', 'has'];
const FOREIGN_PSEUDOS =
  'first last even odd eq(0) nth(2) gt(-1) lt(9) eq(-1) gt(0) contains(x) icontains(x) parent header button checkbox file image input password radio reset selected submit text matches(p) host(p) not(:first) not(:eq(0))'.split(
    ' ',
  );
const FOREIGN_PARTS = ['[class!=x]', ':has(:has(i))', '::before', ':unheard-of', 'svg|p'];

export class SelectorCases {
  readonly #prng: Prng;

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  next(): SelectorCase {
    const wish = this.#prng.below(100);
    const css = () => this.#list(4, false);
    if (wish < 55) return { selector: within(css, 1000), kind: 'css' };
    if (wish < 85) return { selector: within(() => this.#foreign(), 1000), kind: 'foreign' };
    return { selector: this.#mangled(css()), kind: 'garbage' };
  }

  #one<T>(of: readonly T[]): T {
    return of[this.#prng.below(of.length)]!;
  }

  #times(most: number): undefined[] {
    return Array.from({ length: 1 + this.#prng.below(most) });
  }

  #list(depth: number, mayBeRelative: boolean, inHas = false): string {
    const length = this.#prng.below(60) === 0 ? 30 : 3;
    const selectors = this.#times(length).map(() => {
      const begin = mayBeRelative && this.#prng.below(2) === 0 ? this.#one(['> ', '~ ', '+ ']) : '';
      return begin + this.#complex(depth, inHas);
    });
    return selectors.join(this.#one([',', ', ', ' ,\t']));
  }

  #complex(depth: number, inHas: boolean): string {
    return this.#times(this.#prng.below(20) === 0 ? 12 : 3)
      .map(() => this.#compound(depth, inHas))
      .reduce((left, right) => left + this.#one(COMBINATORS) + right);
  }

  #compound(depth: number, inHas: boolean): string {
    const tag = this.#prng.below(3) === 0 ? '*' : this.#one(TAGS);
    const parts = this.#prng.below(3) === 0 ? [] : this.#times(3).map(() => this.#part(depth, inHas));
    return (parts.length > 0 && this.#prng.below(3) === 0 ? '' : tag) + parts.join('');
  }

  #part(depth: number, inHas: boolean): string {
    switch (this.#prng.below(depth > 0 ? 9 : 6)) {
      case 0:
        return `.${this.#one(NAMES)}`;
      case 1:
        return `#${this.#one(NAMES)}`;
      case 2:
        return `[${this.#one(ATTRIBUTES)}]`;
      case 3:
        return `[${this.#one(ATTRIBUTES)}${this.#one(OPERATORS)}${this.#one(VALUES)}${this.#one(['', ' i', ' s'])}]`;
      case 4:
        return `:${this.#one(PLAIN_PSEUDOS)}`;
      case 5:
        return `:${this.#one(NTH)}(${this.#one(NTH_ARGUMENTS)})`;
      default: {
        const name = this.#one(inHas ? LISTS.slice(0, 3) : LISTS);
        return `:${name}(${this.#list(depth - 2, name === 'has', inHas || name === 'has')})`;
      }
    }
  }

  /** CSS with one thing in it that is not. */
  #foreign(): string {
    const foreign = this.#prng.below(4) > 0 ? `:${this.#one(FOREIGN_PSEUDOS)}` : this.#one(FOREIGN_PARTS);
    const compound = `${this.#one(TAGS)}${foreign}`;
    const inner =
      this.#prng.below(2) === 0 ? compound : `${compound}${this.#one(COMBINATORS)}${this.#complex(1, false)}`;
    const around = [
      '$',
      'p:not($)',
      ':is(b, $)',
      ':where($, i)',
      'i:has(~ $)',
      ':not(:is(:not($)))',
      'p, b > $',
      '$ ~ br',
    ];
    if (this.#prng.below(12) === 0)
      return this.#one(['p < b', 'p || b', '> p', 'p >', 'b:is(> i)', '+ i, b', '', ' ,']);
    return this.#one(around).replace('$', () => inner);
  }

  #mangled(selector: string): string {
    let text = selector;
    for (const _ of this.#times(4)) {
      const at = this.#prng.below(text.length + 1);
      const junk = this.#one([
        '',
        '(',
        ')',
        '[',
        ']',
        ':',
        '\\',
        '"',
        ',',
        '\0',
        '\ud800',
        '>',
        '*|',
        '/*',
        'n',
        '::',
        '𝒳',
      ]);
      text = text.slice(0, at) + junk + text.slice(at + this.#prng.below(3));
    }
    // UTF-8 has no half of a surrogate pair
    return this.#prng.below(300) === 0 ? '('.repeat(900) : text.toWellFormed().slice(0, 1100);
  }
}

/** The first of those made that is no longer than that. */
function within(make: () => string, charactersMax: number): string {
  for (;;) {
    const made = make();
    if (made.length <= charactersMax) return made;
  }
}

/** Pages of all kinds, by their names: flat, deep, wide, full of attributes, hostile, and no page at all. */
export function selectorPages(): { readonly name: string; readonly html: string }[] {
  const row = `<tr>${'<td class="a c1" id=x>x</td>'.repeat(60)}</tr>`;
  const nest = (levels: number, inner: string) => `${'<div class=a><p>'.repeat(levels)}${inner}`;
  const flat = (count: number) => ({ name: `${count} siblings`, html: '<i class=x>x</i>'.repeat(count) });
  const written = [
    {
      name: 'an article',
      html: `<article id=a class="größe main" lang=de><h1>A</h1><p>one <b>two</b> three</article>`.repeat(9),
    },
    { name: 'line breaks', html: '<br>'.repeat(8000) },
    { name: 'a deep nest', html: nest(250, '<i>x</i>'.repeat(50)) },
    { name: 'too deep a nest', html: nest(600, 'x') },
    { name: 'a wide table', html: `<table>${row.repeat(40)}</table>` },
    { name: 'siblings at the end of a nest', html: nest(200, '<b></b><i>x</i>'.repeat(1500)) },
    { name: 'many attributes', html: `<p ${Array.from({ length: 3000 }, (_, i) => `a${i}="&lt;${i}"`).join(' ')}>x` },
    { name: 'a long class', html: `<p class="${'x y '.repeat(20_000)}">x</p>` },
    {
      name: 'other scripts',
      html: '<p class="größe 中文 😀" id="-x">größe 中文</p><größe>x</größe><中>y</中>'.repeat(200),
    },
    {
      name: 'a form',
      html: '<form><select><option selected>x<option>y</select><input type=radio checked required></form>'.repeat(300),
    },
    { name: 'links', html: '<ul><li><a href=/x>x</a><li><a>y</a></ul>'.repeat(400) },
    { name: 'nothing', html: '<p></p>' },
    { name: 'comments', html: '<p>x<!-- y -->z</p>'.repeat(1000) },
  ];
  const hostile = hostileDocuments(3000)
    .filter(({ contentType }) => contentType === 'text/html')
    .map(({ name, bytes }) => ({ name, html: Buffer.from(bytes).toString() }));
  return [...written, ...[10, 300, 3000, 20_000].map(flat), ...hostile];
}
