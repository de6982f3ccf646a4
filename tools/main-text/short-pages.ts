import { DomHandler, Parser } from 'htmlparser2';
import type { Prng } from '../../test/support/prng.ts';
import { type GoldPage, wordsOf } from './gold-pages.ts';
import { GoldText, MAIN_SHARE } from './gold-text.ts';

/*
 * Pages with less main text than they have: the frames of sites stay as they are, and paragraphs of the article go. Short
 * articles in large frames are what a model that has learnt from well-known articles gets wrong.
 */

const BLOCKS = new Set('p li h2 h3 h4 h5 h6 blockquote pre dd dt td figcaption'.split(' '));
const LENGTHS = [50, 80, 150, 300, 600];
/** Of fewer words no page is made. */
const WORDS_LEAST = 40;
/** So much of the main text has to be found in blocks: the rest stays where it is. */
const FOUND_LEAST = 0.9;

type Node = DomHandler['root']['children'][number];

interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly words: number;
}

/** A page with some 50 to 600 words of its main text; null where it has no more than that. */
export function shortPage(page: GoldPage, prng: Prng): GoldPage | null {
  const html = new TextDecoder().decode(page.html);
  const gold = goldStretches(html, new GoldText(page.main));
  const total = gold.reduce((sum, { words }) => sum + words, 0);
  const length = LENGTHS[prng.below(LENGTHS.length)]!;
  if (gold.length < 3 || total < 1.5 * length || total < FOUND_LEAST * wordsOf(page.main).length) return null;
  let first = prng.below(Math.max(1, gold.length >> 1));
  let words = 0;
  const kept = new Set<Stretch>();
  for (; first < gold.length && words < length; first++) {
    kept.add(gold[first]!);
    words += gold[first]!.words;
  }
  if (words < WORDS_LEAST) return null;
  let rest = html;
  for (const stretch of gold.toReversed())
    if (!kept.has(stretch)) rest = rest.slice(0, stretch.from) + rest.slice(stretch.to);
  const main = [...kept].map(({ text }) => text).join('\n');
  return { ...page, id: `${page.id}+${length}`, html: new TextEncoder().encode(rest), main, unsure: page.main };
}

/** The innermost blocks of a page that are main, in their order. */
function goldStretches(html: string, gold: GoldText): Stretch[] {
  const handler = new DomHandler(undefined, { withStartIndices: true, withEndIndices: true });
  new Parser(handler).end(html);
  const found: Stretch[] = [];
  const nodes: Node[] = handler.root.children.toReversed();
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!('children' in node)) continue;
    if ('name' in node && BLOCKS.has(node.name) && !node.children.some(holdsBlock)) {
      const text = textOf(node);
      if (gold.shareOf(text) < MAIN_SHARE) continue;
      found.push({ from: node.startIndex!, to: node.endIndex! + 1, text, words: wordsOf(text).length });
    } else if (!('name' in node) || !/^(script|style|svg|template)$/.test(node.name)) {
      nodes.push(...node.children.toReversed());
    }
  }
  return found;
}

function holdsBlock(node: Node): boolean {
  if (!('children' in node)) return false;
  return ('name' in node && BLOCKS.has(node.name)) || node.children.some(holdsBlock);
}

function textOf(node: Node): string {
  if (node.type === 'text') return node.data;
  return 'children' in node ? node.children.map(textOf).join('') : '';
}
