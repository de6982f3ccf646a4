import { elementNamed, FLAGS, INLINE, NAME_BYTES, VOID } from '../elements.ts';

/* What the elements of a page say of the text in them, by their numbers. */

const ELEMENTS = NAME_BYTES.length;

/** What a block stands in: its own element, for the model. */
export const TAGS = [
  'other',
  'p',
  'li',
  'h1',
  'h2',
  'h3',
  'h4 h5 h6',
  'td th',
  'blockquote',
  'pre',
  'div',
  'figcaption',
  'dd dt',
  'button',
  'section',
  'article',
  'option',
  'label legend textarea select',
  'title',
] as const;

/** The place of each element in TAGS. */
export const TAG_OF = new Uint8Array(ELEMENTS);
for (const [tag, names] of TAGS.entries())
  for (const name of names.split(' ')) if (name !== 'other') TAG_OF[elementNamed(name)] = tag;

export const H1_TAG = TAGS.indexOf('h1');
const [TITLE_TAG, OPTION_TAG] = [TAGS.indexOf('title'), TAGS.indexOf('option')];

/** Elements that matter to all that is in them. */
const AROUND = ['nav', 'header', 'footer', 'aside', 'form', 'article', 'main', 'ul ol dl', 'table', 'figure', 'button'];
/** What attributes say: hidden by style, or a role that no main text has. Then come the groups of words (class-words.ts). */
export const [ROLE_BIT, HIDDEN_BIT] = [1 << 11, 1 << 12];
const [NAV_BIT, FOOTER_BIT] = [1 << 0, 1 << 2];
export const [ARTICLE_BIT, MAIN_BIT] = [1 << 5, 1 << 6];
export const GROUPS_FROM = 13;

/** Whether a block is never main: titles, options, and what is in a <nav> or a <footer>, a third of all blocks. */
export function isNever(tag: number, inside: number): boolean {
  return tag === TITLE_TAG || tag === OPTION_TAG || (inside & (NAV_BIT | FOOTER_BIT)) !== 0;
}

/** The bit of each element. */
export const BITS_OF = new Uint32Array(ELEMENTS);
for (const [bit, names] of AROUND.entries())
  for (const name of names.split(' ')) BITS_OF[elementNamed(name)] = 1 << bit;
BITS_OF[elementNamed('search')] = BITS_OF[elementNamed('form')]!;

/** Elements that are followed, from start to end. */
export const IS_FOLLOWED = new Uint8Array(ELEMENTS);
for (let element = 1; element < ELEMENTS; element++)
  IS_FOLLOWED[element] = (FLAGS[element]! & (INLINE | VOID)) === 0 ? 1 : 0;
for (const name of ['html', 'head', 'body', 'noscript']) IS_FOLLOWED[elementNamed(name)] = 0;

/** Elements whose end tags are left out, as bits; and of which of them a start tag is the end, where one is the innermost. */
const OMITTED = ['p', 'li', 'dd dt', 'td th', 'tr', 'option', 'tbody thead tfoot'];
export const OMITTED_BIT = new Uint8Array(ELEMENTS);
export const ENDS_BITS = new Uint8Array(ELEMENTS);
for (const [bit, names] of OMITTED.entries())
  for (const name of names.split(' ')) OMITTED_BIT[elementNamed(name)] = 1 << bit;
for (const [names, ends] of [
  [
    'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul',
    'p',
  ],
  ['li', 'p li'],
  ['dd dt', 'p dd dt'],
  ['td th', 'p td th'],
  ['tr', 'p td th tr'],
  ['tbody thead tfoot', 'p td th tr tbody'],
  ['option optgroup', 'option'],
] as const) {
  const bits = ends.split(' ').reduce((sum, name) => sum | OMITTED_BIT[elementNamed(name)]!, 0);
  for (const name of names.split(' ')) ENDS_BITS[elementNamed(name)] = bits;
}

export const [P, A] = [elementNamed('p'), elementNamed('a')];
