import { GROUPS_FROM } from './element-kinds.ts';

/*
 * What authors call the parts of a page: the words of the attributes class and id, "post-body sideBar" -> post, body, side,
 * bar. Each word is a hash, and a table says in which groups it is. The names are a jargon of templates, in whatever language
 * the page is.
 */

const GROUPS: readonly string[] = [
  // ways around
  'nav navbar navigation navi menu menus menuitem menubar breadcrumb breadcrumbs crumb crumbs toc pagination pager paging megamenu dropdown drawer tab tabs skip toolbar sitemap',
  'footer foot copyright legal colophon bottom',
  'header masthead topbar top hero logo branding brand',
  'sidebar side aside widget widgets rail secondary right left',
  'related relatedposts recommend recommended recommendation recommendations more trending popular latest recent also next prev previous suggest suggested outbrain taboola card cards teaser teasers tease grid carousel slider swiper slide list posts articles featured loop promos',
  'comment comments commentlist disqus reply replies respond discussion review reviews',
  'share sharing sharedaddy social follow facebook twitter icon icons button buttons btn whatsapp pinterest linkedin',
  'cookie cookies consent gdpr popup pop modal overlay dialog banner notice onetrust paywall alert toast',
  'promo promotion advert advertisement advertising ad ads adv sponsor sponsored newsletter subscribe subscription signup sign cta form login search donate offer banner',
  'meta byline author authors bio date time tag tags category categories caption credit info details timestamp',
  'article articlebody entry post story hentry single prose rich richtext wysiwyg markdown copy',
  'body content text main page blog primary',
];
/** Words that are told apart once more: those around a text that is not main, and around one that is. */
const AGAINST =
  'nav navbar navigation menu footer foot sidebar side aside breadcrumb breadcrumbs share sharing social related recommend recommended comment comments disqus cookie cookies consent gdpr banner promo advert advertisement ad ads sponsor sponsored newsletter subscribe signup popup modal widget widgets tag tags toc pagination pager bio meta byline copyright legal login search skip trending popular outbrain taboola toolbar masthead header drawer dropdown megamenu cta more';
const FOR = 'article articlebody body content entry post story text main page blog hentry prose richtext wysiwyg copy';
export const [AGAINST_BIT, FOR_BIT] = [1 << (GROUPS_FROM + GROUPS.length), 1 << (GROUPS_FROM + GROUPS.length + 1)];

const SLOTS = 2048;
/** A hash table with open addressing, by the hashes of words: their groups. */
export const HASHES = new Int32Array(SLOTS);
export const GROUPS_OF_HASHES = new Uint32Array(SLOTS);

const SEED = 0x811c_9dc5 | 0;
/** For every byte: the letter in lower case, 0 where it is none. */
const LETTER = Uint8Array.from({ length: 256 }, (_, byte) => {
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? lower : 0;
});

/** FNV-1a, of letters in lower case. */
function withLetter(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 0x0100_0193);
}

function hashOf(word: string): number {
  return Array.from(word).reduce((hash, character) => withLetter(hash, character.charCodeAt(0)), SEED);
}

function slotOf(hash: number): number {
  let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  while (GROUPS_OF_HASHES[slot] !== 0 && HASHES[slot] !== hash) slot = (slot + 1) & (SLOTS - 1);
  return slot;
}

function enter(word: string, group: number): void {
  const hash = hashOf(word);
  const slot = slotOf(hash);
  HASHES[slot] = hash;
  GROUPS_OF_HASHES[slot]! |= 1 << (GROUPS_FROM + group);
}

for (const [i, words] of [...GROUPS, AGAINST, FOR].entries()) for (const word of words.split(' ')) enter(word, i);

/** So many bytes of a value are looked at: longer ones are lists of utilities. */
const CLASS_BYTES_READ = 160;

/** The groups of the words in bytes from..to-1, as bits. Where words are for and against, they say neither. */
export function groupsOf(bytes: Uint8Array, from: number, to: number): number {
  const end = Math.min(to, from + CLASS_BYTES_READ);
  let found = 0;
  for (let at = from; at < end; ) {
    const first = LETTER[bytes[at++]!]!;
    if (first === 0) continue;
    let hash = withLetter(SEED, first);
    // fooBar is two words
    let wasLower = bytes[at - 1] === first;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      const letter = LETTER[byte]!;
      if (letter === 0 || (wasLower && letter !== byte)) break;
      hash = withLetter(hash, letter);
      wasLower = letter === byte;
    }
    found |= GROUPS_OF_HASHES[slotOf(hash)]!;
  }
  const both = AGAINST_BIT | FOR_BIT;
  return (found & both) === both ? found & ~both : found;
}
