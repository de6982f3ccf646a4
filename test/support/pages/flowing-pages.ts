import type { Prng } from '../prng.ts';

/*
 * Pages that are valid HTML, with the end tags left out that may be, and with elements in them that nobody sees. Every word
 * stands once on a page, so that a list of words says which elements were seen.
 */

const HEAD = '<!doctype html><title>title</title><body>';

export class FlowingPages {
  readonly #prng: Prng;
  #words = 0;
  /** How likely an end tag is left out that should not be. */
  readonly #careless: number;

  constructor(prng: Prng, careless = 0) {
    this.#prng = prng;
    this.#careless = careless;
  }

  next(): string {
    this.#words = 0;
    return HEAD + this.#many(3, () => this.#block(3));
  }

  #chance(probability: number): boolean {
    return this.#prng.next() < probability;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#prng.below(values.length)]!;
  }

  #many(most: number, make: () => string): string {
    return Array.from({ length: 1 + this.#prng.below(most) }, make).join('');
  }

  #attributes(): string {
    const others = ['', '', ' class="a b"', " data-hidden='x > y'", ' aria-hidden=true', ' id=hidden'];
    if (!this.#chance(0.25)) return this.#pick(others);
    const hiding = [
      ' hidden',
      ' HIDDEN=""',
      '\nhidden=hidden',
      ' hidden="hidden" class=x',
      ' class="x"hidden',
      '/hidden ',
      ' hidden = "h&amp;"',
      ' popover',
      ' Popover="manual"',
      ' hidden=until-found',
      ' hidden="Until-Found"',
      ' hidden=until-found hidden',
    ];
    return this.#pick(others) + this.#pick(hiding);
  }

  /** An element; `optional`: its end tag may be left out where another one of its kind, or the end of its parent, follows. */
  #element(name: string, content: string, optional = false): string {
    const leftOut = this.#chance(optional ? 0.6 : this.#careless);
    return `<${name}${this.#attributes()}>${content}${leftOut ? '' : `</${name}>`}`;
  }

  #text(depth: number): string {
    return this.#many(3, () => {
      const kind = this.#prng.below(depth > 0 ? 10 : 6);
      if (kind < 5) return ` w${this.#words++} `;
      if (kind === 5)
        return this.#pick(['<br>', '<img hidden>', '<wbr>', '<input type=hidden>', '<!-- no -->', '<br/>']);
      if (kind === 6) return this.#element(this.#pick(['span', 'b', 'x-y', 'label', 'time']), this.#text(depth - 1));
      if (kind === 7) return this.#element('ruby', this.#ruby());
      if (kind === 8) return this.#pick([this.#select(), this.#element('datalist', this.#options())]);
      return this.#pick([
        this.#element('button', ` w${this.#words++} `),
        this.#element('noscript', this.#text(0)),
        this.#element('video', this.#text(0)),
        `<script>no</script>`,
      ]);
    });
  }

  #ruby(): string {
    return this.#many(2, () => {
      const base = `${this.#pick(['', '<rb>'])}w${this.#words++}`;
      const reading = (name: string) => this.#element(name, `w${this.#words++}`, true);
      return base + this.#pick([reading('rt'), `<rp>(${reading('rt')}<rp>)`, `<rtc>${reading('rt')}</rtc>`]);
    });
  }

  #options(): string {
    const option = () => this.#element('option', `w${this.#words++}`, true);
    return this.#many(3, option);
  }

  #select(): string {
    const group = () => this.#element('optgroup', this.#options(), true);
    return this.#element('select', this.#chance(0.5) ? this.#options() : this.#many(2, group));
  }

  #block(depth: number): string {
    const kind = this.#prng.below(depth > 0 ? 8 : 2);
    const inside = () => this.#many(2, () => this.#block(depth - 1));
    if (kind < 2) return this.#element('p', this.#text(1), true);
    if (kind === 2) {
      const name = this.#pick(['div', 'section', 'dialog', 'details', 'main', 'dialog open']);
      const end = name.split(' ')[0]!;
      const leftOut = this.#chance(this.#careless);
      return `<${name}${this.#attributes()}>${this.#text(1)}${inside()}${leftOut ? '' : `</${end}>`}`;
    }
    if (kind === 3)
      return this.#element(
        'ul',
        this.#many(3, () => this.#element('li', this.#item(depth), true)),
      );
    if (kind === 4) {
      return this.#element(
        'dl',
        this.#many(3, () => this.#element(this.#pick(['dt', 'dd']), this.#item(depth), true)),
      );
    }
    if (kind === 5) return this.#table(depth);
    if (kind === 6) return this.#element('h2', this.#text(1));
    return this.#element('object', this.#text(0)) + inside();
  }

  #item(depth: number): string {
    return this.#text(1) + (this.#chance(0.4) ? this.#block(depth - 1) : '');
  }

  #table(depth: number): string {
    const cell = () => this.#element(this.#pick(['td', 'th']), this.#item(depth), true);
    const row = () => this.#element('tr', this.#many(3, cell), true);
    const part = () => this.#element('tbody', this.#many(2, row), true);
    const caption = this.#chance(0.3) ? `<caption${this.#attributes()}>${this.#text(0)}</caption>` : '';
    return this.#element('table', caption + (this.#chance(0.5) ? this.#many(2, part) : this.#many(3, row)));
  }
}
