import { DomHandler, Parser } from 'htmlparser2';
import type { Prng } from '../../test/support/prng.ts';
import { type GoldPage, wordsOf } from './gold-pages.ts';
import { GoldText, MAIN_SHARE } from './gold-text.ts';
import { bylineOf, type OtherTexts, pick, widgetsOf } from './page-widgets.ts';

/*
 * Pages with less main text than they have: the frames of sites stay as they are, paragraphs of the article go, and beside it
 * there are teasers and comments (page-widgets.ts). Short articles in large frames are what a model that has learnt from
 * well-known articles gets wrong, and teasers are what no template of a host takes off.
 */

const BLOCKS = new Set('p li h2 h3 h4 h5 h6 blockquote pre dd dt td figcaption'.split(' '));
const LENGTHS = [50, 80, 150, 300, 600];
/** Of fewer words no page is made. */
const WORDS_LEAST = 40;
/** So much of the main text has to be found in blocks: the rest stays where it is. */
const FOUND_LEAST = 0.9;
/** A shorter line without an end is a heading. */
const HEADING_WORDS_MAX = 8;

type Node = DomHandler['root']['children'][number];

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Where the element ends that it is in. */
  readonly parentEnd: number;
  readonly text: string;
  readonly words: number;
}

/** Text to be put in at a place, instead of what is there. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly html: string;
}

/** What some pages say, to be put beside the articles of others. */
export function otherTexts(pages: readonly GoldPage[]): OtherTexts {
  const linesOf = (kind: string, least: number) =>
    pages
      .filter((page) => page.kind === kind)
      .flatMap(({ main }) =>
        main
          .split('\n')
          .filter((line) => wordsOf(line).length >= least)
          .slice(0, 12)
          .map(escaped),
      );
  const stories = linesOf('article', 12);
  const posts = linesOf('forum', 6);
  return { stories, posts: posts.length > 0 ? posts : stories };
}

/** A page with some 50 to 600 words of its main text; null where it has no more than that. */
export function shortPage(page: GoldPage, texts: OtherTexts, prng: Prng): GoldPage | null {
  const html = new TextDecoder().decode(page.html);
  const gold = goldStretches(html, new GoldText(page.main));
  const total = gold.reduce((sum, { words }) => sum + words, 0);
  const length = pick(LENGTHS, prng);
  if (gold.length < 3 || total < 1.5 * length || total < FOUND_LEAST * wordsOf(page.main).length) return null;
  let first = prng.below(Math.max(1, gold.length >> 1));
  let words = 0;
  const kept: Stretch[] = [];
  for (; first < gold.length && words < length; first++) {
    kept.push(gold[first]!);
    words += gold[first]!.words;
  }
  if (words < WORDS_LEAST) return null;
  const edits = prng.below(2) === 0 ? placed(gold, kept, prng) : thinned(gold, kept, prng);
  const last = kept.at(-1)!;
  edits.push(insertion(placeBehind(html, last, prng), widgetsOf(texts, prng)));
  const main = kept.map(({ text }) => text).join('\n');
  return {
    ...page,
    id: `${page.id}+${length}`,
    html: new TextEncoder().encode(edited(html, edits)),
    main,
    unsure: page.main,
  };
}

/** What is kept stays where it is. */
function thinned(gold: readonly Stretch[], kept: readonly Stretch[], prng: Prng): Edit[] {
  const edits = gold.filter((stretch) => !kept.includes(stretch)).map(({ from, to }) => ({ from, to, html: '' }));
  return prng.below(4) > 0 ? [...edits, insertion(kept[0]!.from, bylineOf(prng))] : edits;
}

/** What is kept stands in one place, as plain paragraphs. */
function placed(gold: readonly Stretch[], kept: readonly Stretch[], prng: Prng): Edit[] {
  const at = (gold.find(({ words }) => words >= 12) ?? gold[0]!).from;
  const paragraphs = kept.map(({ text, words }) => {
    const tag = words <= HEADING_WORDS_MAX && !text.trimEnd().endsWith('.') ? 'h2' : 'p';
    return `<${tag}>${escaped(text)}</${tag}>\n`;
  });
  const byline = prng.below(4) > 0 ? bylineOf(prng) : '';
  return [...gold.map(({ from, to }) => ({ from, to, html: '' })), insertion(at, byline + paragraphs.join(''))];
}

const insertion = (at: number, html: string): Edit => ({ from: at, to: at, html });

/** Behind the article: where its element ends, or where a page made by hand would have it. */
function placeBehind(html: string, { parentEnd, to }: Stretch, prng: Prng): number {
  if (prng.below(3) === 0) return parentEnd;
  const article = html.lastIndexOf('</article>');
  if (article > to) return article + '</article>'.length;
  for (const end of ['</main>', '</body>']) {
    const at = html.lastIndexOf(end);
    if (at > to) return at;
  }
  return html.length;
}

function edited(html: string, edits: readonly Edit[]): string {
  // what is put in at a place stands behind what was put in there before
  const ordered = edits.toSorted((a, b) => a.from - b.from);
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, html: put } of ordered) {
    if (from >= at) parts.push(html.slice(at, from));
    parts.push(put);
    at = Math.max(at, to);
  }
  return parts.join('') + html.slice(at);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
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
      const to = node.endIndex! + 1;
      const parentEnd = (node.parent?.endIndex ?? node.endIndex!) + 1;
      found.push({ from: node.startIndex!, to, parentEnd, text, words: wordsOf(text).length });
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
