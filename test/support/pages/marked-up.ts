import type { Prng } from '../prng.ts';

const NAMES =
  'div p li h1 h2 td nav footer article section option button form aside main dd blockquote title b a'.split(' ');
const ATTRIBUTES = [
  ...[
    '',
    '',
    '',
    ' class="side-bar nav"',
    ' id=content',
    ' class="post-body"',
    ' role="main"',
    ' hidden',
    ' href="/?a=b"',
  ],
  ...[" CLASS='postBody share'", ' id="comments"', ' role=navigation', ' class = "footer"', ' data-class="footer"'],
  ...[' aria-hidden="true"', ' ARIA-HIDDEN="false"', ' style="color: red; Display : none"', ' style="display:block"'],
  ` title="${'x'.repeat(230)}" class="menu footer"`,
];
const TEXTS = [
  'The tide,',
  'Comes in. ',
  'twice a day; on 12 coasts.',
  '日本語の文。',
  'x',
  ' ',
  'word '.repeat(40),
  'É à!"',
];

/** Some markup, which closes what it never opened, with attributes that say what its text is, and texts of all lengths. */
export function markedUp(prng: Prng, pieces: number): string {
  const pick = <T>(values: readonly T[]) => values[prng.below(values.length)]!;
  return Array.from({ length: pieces }, () => {
    const kind = prng.below(10);
    if (kind < 4) return `<${pick(NAMES)}${pick(ATTRIBUTES)}>`;
    return kind < 7 ? `</${pick(NAMES)}>` : pick(TEXTS);
  }).join('');
}
