import { load } from 'cheerio/slim';
import { DomHandler, Parser } from 'htmlparser2';
import { ShingledError } from '../../errors.ts';
import { isFeatures } from '../../features/feature-list.ts';
import { checkTextLength, decodeDocument, type ExtractedText, type RawDocument } from '../extract.ts';
import { elementNamed, elementNamedInXhtml } from '../html/elements.ts';
import { pageContent } from '../html/html-scanner.ts';
import { PageText } from '../html/page-text.ts';
import { TextWriter } from '../html/text-writer.ts';
import type { ExtractLimits } from '../limits.ts';
import { checkSelector } from './selector.ts';

/*
 * Parts of a page: only what matches `select` counts, and nothing that matches `remove`.
 *
 * CSS needs a tree, and a tree and a selector can be made to cost what they like. So this runs in a process of its own
 * with a deadline and a memory limit (workers/parser-lane.ts), never in the service's. The tree is bounded while it
 * is built. Texts are taken from it by the same rules as without a tree (page-text.ts), in the order of the page, each
 * once however many selected elements hold it.
 */

/** CSS selectors, null where there is none. */
export interface Selection {
  readonly select: string | null;
  readonly remove: string | null;
}

/** What an attribute (up to 90 bytes) or a part of a text (32) counts in nodes. */
const SHARE_OF_PARTS = 1 / 4;

type Tree = DomHandler['root'];
type TreeNode = Tree['children'][number];
type NodeSet = ReadonlySet<unknown> | null;

/**
 * The text of the chosen parts of a page; empty where nothing is chosen. Title and language are the whole page's.
 *
 * @throws `invalid-selector`, `document-too-complex`, or what {@link extract} throws.
 */
export function extractSelected(document: RawDocument, selection: Selection, limits: ExtractLimits): ExtractedText {
  for (const field of ['select', 'remove'] as const) check(field, selection[field], limits);
  if (isFeatures(document.contentType)) throw notHtml(selection, 'a set of features');
  const { kind, utf8, charset } = decodeDocument(document, limits);
  if (kind === 'plain') {
    throw notHtml(selection, 'plain text');
  }
  const xhtml = kind === 'xhtml';
  const tree = parseTree(new TextDecoder().decode(utf8), xhtml, limits);
  const matches = matcherOf(tree);
  const select = matches('select', selection.select);
  const remove = matches('remove', selection.remove);
  const text = textOfParts(tree, xhtml, utf8.length, select, remove);
  checkTextLength(text.length, limits);
  const { title, language } = pageContent(utf8, xhtml);
  // what is left is what somebody chose
  return { text, title, language, main: null, charset, kind };
}

/** @throws `invalid-selector`, before a tree is made for it */
function check(field: keyof Selection, selector: string | null, { selectorCharactersMax }: ExtractLimits): void {
  if (selector === null) return;
  if (selector.trim() === '') throw invalidSelector(field, 'it is empty');
  if (selector.length > selectorCharactersMax) throw tooLong(field, selectorCharactersMax);
  attempt(field, () => checkSelector(selector));
}

type Matcher = (field: keyof Selection, selector: string | null) => NodeSet;

/**
 * Finds the elements of a tree that match a selector, null for none. Every element is tested against the compiled selector:
 * cheerio's own search compares all elements of the uppermost level with one another (800 kB of <br> took 138 s).
 */
function matcherOf(tree: Tree): Matcher {
  // cheerio's types are of an older domhandler; the nodes have the same shape (test/extract/select/select.test.ts)
  const $ = load(tree as unknown as Parameters<typeof load>[0], { xml: { xmlMode: false } });
  const elements = $(elementsOf(tree) as unknown as Parameters<typeof $>[0]);
  return (field, selector) =>
    selector === null ? null : attempt(field, () => new Set<unknown>(elements.filter(selector).toArray()));
}

/** What `work` comes to; where it throws, the selector was none. */
function attempt<T>(field: keyof Selection, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw invalidSelector(field, cause instanceof Error ? cause.message : String(cause));
  }
}

function parseTree(page: string, xhtml: boolean, limits: ExtractLimits): Tree {
  const handler = new BoundedTreeBuilder(limits);
  const parser = new Parser(handler, { recognizeSelfClosing: xhtml, recognizeCDATA: xhtml });
  parser.end(page);
  return handler.root;
}

/**
 * Builds a tree up to its limits.
 *
 * They are to bite before the heap of the process is full, so that the answer says which limit was met. An attribute, and a
 * part of a text between two references or stray "<", is no node but has its share of the memory of one: limits.ts.
 */
class BoundedTreeBuilder extends DomHandler {
  readonly #limits: ExtractLimits;
  #nodes = 0;

  constructor(limits: ExtractLimits) {
    super();
    this.#limits = limits;
  }

  override onopentag(name: string, attributes: Record<string, string>): void {
    const { depthMax } = this.#limits;
    if (this.tagStack.length > depthMax) throw tooComplex('levels of elements', 'depthMax', depthMax);
    super.onopentag(name, attributes);
  }

  onattribute(): void {
    this.#count(SHARE_OF_PARTS);
  }

  override ontext(part: string): void {
    this.#count(SHARE_OF_PARTS);
    super.ontext(part);
  }

  protected override addNode(node: TreeNode): void {
    this.#count(1);
    super.addNode(node);
  }

  #count(nodes: number): void {
    const { nodesMax } = this.#limits;
    this.#nodes += nodes;
    if (this.#nodes > nodesMax) throw tooComplex('nodes', 'nodesMax', nodesMax);
  }
}

function elementsOf(tree: Tree): TreeNode[] {
  const elements: TreeNode[] = [];
  walk(
    tree,
    (node) => {
      if ('attribs' in node) elements.push(node);
      return true;
    },
    () => {},
  );
  return elements;
}

function textOfParts(
  tree: Tree,
  xhtml: boolean,
  bytesExpected: number,
  selected: NodeSet,
  removed: NodeSet,
): Uint8Array {
  const page = new PageText(new TextWriter(bytesExpected + 64), xhtml);
  const elementOf = xhtml ? elementNamedInXhtml : elementNamed;
  let selectedAround = selected === null ? 1 : 0;
  const enter = (node: TreeNode): boolean => {
    if (node.type === 'text' && selectedAround > 0 && page.visible) page.writer.writeString(node.data);
    if ('attribs' in node) page.open(elementOf(node.name.toLowerCase()), (name) => node.attribs[name] ?? null);
    if (selected?.has(node) && selectedAround++ === 0) page.writer.separate();
    return removed?.has(node) !== true;
  };
  const leave = (node: TreeNode): void => {
    if (selected?.has(node) && --selectedAround === 0) page.writer.separate();
    if ('attribs' in node) page.close(elementOf(node.name.toLowerCase()));
  };
  walk(tree, enter, leave);
  return page.writer.finish();
}

/**
 * Goes through a tree in the order of the page, by its links: recursion would end at a few thousand levels.
 *
 * @param enter returns whether to go on into the node's children.
 */
function walk(tree: Tree, enter: (node: TreeNode) => boolean, leave: (node: TreeNode) => void): void {
  let node: TreeNode | null = tree.children[0] ?? null;
  while (node !== null) {
    const child = enter(node) && 'children' in node ? node.children[0] : undefined;
    if (child !== undefined) {
      node = child;
      continue;
    }
    leave(node);
    while (node.next === null && node.parent !== null && node.parent !== tree) {
      node = node.parent as TreeNode;
      leave(node);
    }
    node = node.next;
  }
}

/** Why nothing can be chosen of a document that is no page. */
export function notHtml({ select }: Selection, what: string): ShingledError {
  return invalidSelector(select === null ? 'remove' : 'select', `the document is ${what}, not HTML`);
}

function tooComplex(what: string, name: 'nodesMax' | 'depthMax', value: number): ShingledError {
  return new ShingledError('document-too-complex', `The page has more than ${value} ${what}`, {
    limit: { name, value },
  });
}

function invalidSelector(field: string, why: string): ShingledError {
  return new ShingledError('invalid-selector', `${field} is no CSS selector for this document: ${why.slice(0, 400)}`, {
    field,
  });
}

function tooLong(field: string, value: number): ShingledError {
  return new ShingledError('invalid-selector', `The selector has more than ${value} characters`, {
    field,
    limit: { name: 'selectorCharactersMax', value },
  });
}
