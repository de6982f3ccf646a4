import { AttributeAction, isTraversal, parse, type Selector, SelectorType } from 'css-what';

/*
 * Which selectors are understood: those of CSS, by a list of what is allowed. cheerio knows more words, from jQuery.
 * Some of them (:gt, :eq, :first, also inside :not) compare all matches with all elements of the page.
 */

type Argument = 'none' | 'nth' | 'selectors';

/** The pseudo-classes of Selectors Level 4 that a page without a reader, styles or time can have, and what each is given. */
const PSEUDO_CLASSES: ReadonlyMap<string, Argument> = new Map([
  ...words('root empty first-child last-child only-child first-of-type last-of-type only-of-type', 'none'),
  ...words('any-link link visited hover active enabled disabled checked required optional', 'none'),
  ...words('nth-child nth-last-child nth-of-type nth-last-of-type', 'nth'),
  ...words('is where not has', 'selectors'),
]);

function words(names: string, argument: Argument): [string, Argument][] {
  return names.split(' ').map((name) => [name, argument]);
}

/** Where a list of selectors stands: in :has they are relative, and below it there is no other :has. */
interface Around {
  readonly isRelative: boolean;
  readonly isInHas: boolean;
}

/** @throws Error that says what is wrong with it, in words for whoever wrote it */
export function checkSelector(text: string): void {
  checkList(parse(text), { isRelative: false, isInHas: false });
}

function checkList(list: readonly Selector[][], around: Around): void {
  for (const compound of list) {
    if (isTraversal(compound[0]!) && !around.isRelative) throw new Error('it begins with a combinator');
    if (isTraversal(compound.at(-1)!)) throw new Error('it ends with a combinator');
    for (const part of compound) checkPart(part, around);
  }
}

function checkPart(part: Selector, around: Around): void {
  if ('namespace' in part && part.namespace !== null) throw new Error('namespaces are not understood');
  switch (part.type) {
    case SelectorType.Adjacent:
    case SelectorType.Child:
    case SelectorType.Descendant:
    case SelectorType.Sibling:
      return;
    case SelectorType.Tag:
    case SelectorType.Universal:
      return;
    case SelectorType.Attribute:
      if (part.action === AttributeAction.Not) throw new Error('[a!=b] is not of CSS; :not([a=b]) is');
      return;
    case SelectorType.Pseudo:
      checkPseudoClass(part.name, part.data, around);
      return;
    default:
      throw new Error(`a ${part.type} is not understood`);
  }
}

function checkPseudoClass(name: string, data: Selector[][] | string | null, { isInHas }: Around): void {
  const argument = PSEUDO_CLASSES.get(name);
  if (argument === undefined) {
    const known = [...PSEUDO_CLASSES.keys()].join(', ');
    throw new Error(`:${name.slice(0, 100)} is not understood; of pseudo-classes, these are: ${known}`);
  }
  const given = data === null ? 'none' : typeof data === 'string' ? 'nth' : 'selectors';
  if (given !== argument) throw new Error(`:${name} takes ${IN_PARENTHESES[argument]} in parentheses`);
  if (!Array.isArray(data)) return;
  if (name === 'has' && isInHas) throw new Error('there is a :has in another');
  checkList(data, { isRelative: name === 'has', isInHas: isInHas || name === 'has' });
}

const IN_PARENTHESES: Readonly<Record<Argument, string>> = {
  none: 'nothing',
  nth: 'a number, odd, even or one such as 2n + 1',
  selectors: 'selectors',
};
