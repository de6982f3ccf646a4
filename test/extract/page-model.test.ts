import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK, INLINE, read, readParts, words } from '../support/pages/page.ts';

const wordsOf = (page: string) => words(read(page).text);

describe('any page', () => {
  const word = fc.stringMatching(/^[a-zé日0-9]{1,6}$/);
  const inlineMarkup = fc.oneof(
    fc.constantFrom(...INLINE).chain((name) => fc.constantFrom(`<${name}>`, `</${name}>`, `<${name} x="> y">`)),
    fc.constantFrom('<!-- x y -->', '<!---->', '<wbr>', '&shy;', '\u00ad', '<?x y?>'),
  );
  const blockMarkup = fc.oneof(
    fc.constantFrom(...BLOCK).map((name) => `<${name} x='> y'></${name}>`),
    fc.constantFrom('<br>', '</p>', '<script>x y</script>', '<style>x</style>', '&nbsp;', '<img>', '<td>', '\n'),
  );
  const parameters = { numRuns: 500, seed: 1997 };

  it('inline markup anywhere in a word leaves the word', () => {
    fc.assert(
      fc.property(word, fc.array(fc.tuple(fc.nat(), inlineMarkup), { maxLength: 5 }), (text, marks) => {
        const characters = Array.from(text);
        for (const [at, mark] of marks) characters.splice(at % (characters.length + 1), 0, mark);
        expect(wordsOf(characters.join(''))).toEqual([text]);
      }),
      parameters,
    );
  });

  it('block markup between words separates them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(word, blockMarkup), { maxLength: 8 }), (parts) => {
        expect(wordsOf(parts.flat().join(''))).toEqual(parts.map(([text]) => text));
      }),
      parameters,
    );
  });

  /** A well-formed page with the words it shows: ' ' stands for a separation. */
  interface Piece {
    readonly html: string;
    readonly shows: string;
  }
  const { piece } = fc.letrec<{ piece: Piece }>((tie) => ({
    piece: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      word.map((text) => ({ html: text, shows: text })),
      fc.constantFrom(
        { html: '&amp; &lt;', shows: ' ' },
        { html: '<!-- no -->', shows: '' },
        { html: '<br>', shows: ' ' },
      ),
      fc.constantFrom('script', 'style', 'template').map((name) => ({ html: `<${name}>no</${name}>`, shows: ' ' })),
      fc
        .record({ name: fc.constantFrom('b', 'span', 'em', 'code'), inside: fc.array(tie('piece'), { maxLength: 4 }) })
        .map(({ name, inside }) => ({
          html: `<${name} title="no">${inside.map(({ html }) => html).join('')}</${name}>`,
          shows: inside.map(({ shows }) => shows).join(''),
        })),
      fc
        .record({
          name: fc.constantFrom('div', 'section', 'ul', 'x-y'),
          inside: fc.array(tie('piece'), { maxLength: 4 }),
        })
        .map(({ name, inside }) => ({
          html: `<${name} title='no'>${inside.map(({ html }) => html).join('')}</${name}>`,
          shows: ` ${inside.map(({ shows }) => shows).join('')} `,
        })),
    ),
  }));

  it('a page shows what its model says, read with a tree or without one', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const html = `<html><body>${pieces.map((each) => each.html).join('')}</body></html>`;
        const shown = words(pieces.map((each) => each.shows).join(''));
        expect(wordsOf(html)).toEqual(shown);
        expect(words(readParts(html, '*').text)).toEqual(shown);
        expect(words(readParts(html, null, 'u').text)).toEqual(shown);
      }),
      { ...parameters, numRuns: 1000 },
    );
  });

  it('a page cut anywhere is read, and shows a beginning of what it showed', () => {
    const page = Buffer.from(
      '<!doctype html><html lang=en><title>T&eacute;</title><script>a<b</script><p class="x">one <b>tw&#111;</b>日本' +
        '<!-- c --><svg><text>four</text><desc>no</desc></svg><template>no</template><textarea>five</textarea>six',
    );
    const whole = words(read(page).text).join(' ');
    for (let length = 0; length < page.length; length++) {
      const cut = words(read(page.subarray(0, length)).text);
      // the last word, or markup that is text as long as it is no markup, may be cut in the middle
      expect(whole.startsWith(cut.slice(0, -2).join(' '))).toBe(true);
    }
  });

  it('any bytes at all are read or refused by a typed error', () => {
    const bits = fc.constantFrom(
      '<',
      '>',
      '/',
      '!',
      '-',
      '"',
      "'",
      '&',
      '#',
      ';',
      '=',
      ' ',
      'a',
      'svg',
      'title',
      '<p',
      '\0',
      'é',
      '[CDATA[',
      ']]>',
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), fc.boolean(), (parts, xhtml) => {
        const page = parts.join('');
        expect(() => read(page, xhtml ? 'application/xhtml+xml' : 'text/html')).not.toThrow();
        expect(() => readParts(page, 'p')).not.toThrow();
      }),
      { ...parameters, numRuns: 3000 },
    );
  });
});
