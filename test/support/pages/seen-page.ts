import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { INLINE, words } from './page.ts';

/*
 * The words of a page by the tree that the standard builds of it, tags left out and all, and by what style sheet browsers
 * come with ("Rendering", hidden elements): the witness for what src/extract/html/page-text.ts passes over. It knows no drawings.
 */

const UNSEEN = new Set('script style iframe noembed noframes datalist rp rt rtc audio video template'.split(' '));
const LEAVES_WORDS = new Set([...INLINE, 'rp', 'rt', 'rtc', 'wbr']);

/** The words that are seen of a page in HTML. */
export function seenWords(page: string): string[] {
  let text = '';
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (node.nodeName === '#text') text += (node as DefaultTreeAdapterTypes.TextNode).value;
    const separates = 'tagName' in node && !LEAVES_WORDS.has(node.tagName);
    if (separates) text += ' ';
    if ('childNodes' in node && !('tagName' in node && isUnseen(node))) node.childNodes.forEach(visit);
    if (separates) text += ' ';
  };
  visit(parse(page, { scriptingEnabled: false }));
  return words(text);
}

function isUnseen({ tagName, attrs }: DefaultTreeAdapterTypes.Element): boolean {
  if (UNSEEN.has(tagName)) return true;
  if (tagName === 'html' || tagName === 'body') return false;
  const value = (name: string) => attrs.find((attribute) => attribute.name === name)?.value;
  const hidden = value('hidden');
  if (hidden !== undefined && hidden.toLowerCase() !== 'until-found') return true;
  return tagName === 'dialog' ? value('open') === undefined : value('popover') !== undefined;
}
