import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { read, readParts, words } from '../support/page.ts';

const wordsOf = (page: string, contentType = 'text/html') => words(read(page, contentType).text);
const INLINE =
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  );
const BLOCK =
  'p div h1 li td th tr table ul section article pre blockquote option button form figure noscript textarea my-element unheard-of o:p'.split(
    ' ',
  );

describe('tags', () => {
  it.each(INLINE)('<%s> vanishes inside a word', (name) => {
    expect(wordsOf(`wo<${name} class=x>rd</${name}>s`)).toEqual(['words']);
    expect(wordsOf(`wo<${name.toUpperCase()}>rds`)).toEqual(['words']);
    expect(wordsOf(`wo</${name}>rds`)).toEqual(['words']);
  });

  it.each(BLOCK)('<%s> separates words', (name) => {
    expect(wordsOf(`one<${name} class=x>two</${name}>three`)).toEqual(['one', 'two', 'three']);
    expect(wordsOf(`one<${name.toUpperCase()}/>two`)).toEqual(['one', 'two']);
    if (name !== 'textarea') expect(wordsOf(`one</${name}>two`)).toEqual(['one', 'two']);
  });

  it('a line break separates, a place where a line may break does not', () => {
    expect(wordsOf('one<br>two<BR/>three<hr>four<img alt="no text">five')).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
    ]);
    expect(wordsOf('wo<wbr>rd')).toEqual(['word']);
  });

  it('that never end, or end what never began, lose no text', () => {
    expect(wordsOf('<div><p>one<b>two</div></td></p></p>three<a href=x')).toEqual(['onetwo', 'three']);
  });

  it('have attributes that are no text, with ">" in them', () => {
    expect(wordsOf(`<p title="a > b" alt='c > d' data-e=f>one</p class="g">two`)).toEqual(['one', 'two']);
  });

  it('are only what begins with a letter', () => {
    expect(read('a < b, 1<2 <3').text).toBe('a < b, 1<2 <3');
  });
});

describe('comments and declarations', () => {
  it('vanish, even inside words', () => {
    expect(wordsOf('<!DOCTYPE html PUBLIC "x">a<!-- <p>no text</p> -->b<!---->c<!-->d<!-- x --!>e')).toEqual(['abcde']);
    expect(wordsOf('a<?php echo 1 ?>b<!ELEMENT x>c</ no>d')).toEqual(['abcd']);
  });

  it('that never end take the rest with them', () => {
    expect(wordsOf('one<!-- two')).toEqual(['one']);
  });

  it('CDATA is text in drawings, formulas and XHTML only', () => {
    const page = 'one<![CDATA[two <b> &amp;]]>three<svg><text><![CDATA[four<]]></text></svg>';
    expect(read(page).text).toBe('onethree\nfour<\n');
    expect(read(page, 'application/xhtml+xml').text).toBe('onetwo <b> &amp;three\nfour<\n');
  });
});

describe('elements whose content is no text', () => {
  it.each(['script', 'style', 'iframe', 'noembed', 'noframes'])(
    '<%s>, with all that looks like markup in it',
    (name) => {
      expect(wordsOf(`one<${name} a=b>if (a<b) "</p>" <!-- <p>no</p> & &amp; </other></${name} >two`)).toEqual([
        'one',
        'two',
      ]);
      expect(wordsOf(`one<${name}>no text`)).toEqual(['one']);
      expect(wordsOf(`one<${name}/>no text`)).toEqual(['one']);
      expect(wordsOf(`one<${name}/>two`, 'application/xhtml+xml')).toEqual(['one', 'two']);
    },
  );

  it('<template>, however deep, unless it is a shadow root', () => {
    expect(wordsOf('one<template>no<template>no</template><p>no</template>two')).toEqual(['one', 'two']);
    expect(wordsOf('one<template shadowrootmode=open>two</template>three')).toEqual(['one', 'two', 'three']);
    expect(wordsOf('<template><template shadowrootmode=open>no</template>no</template>one')).toEqual(['one']);
    expect(wordsOf('</template>one<template>no')).toEqual(['one']);
  });

  it('titles and descriptions of a drawing, TeX of a formula', () => {
    expect(wordsOf('<svg><title>no</title><desc>no</desc><style>no</style><text>one</text></svg>two')).toEqual([
      'one',
      'two',
    ]);
    expect(wordsOf('<svg><metadata><x>no</x></metadata><title/><script/>one</svg>two')).toEqual(['one', 'two']);
    expect(wordsOf('<math><mi>x</mi><annotation encoding=tex>no</annotation></math>two')).toEqual(['x', 'two']);
  });

  it('does not take the page with it where a drawing never ends', () => {
    expect(wordsOf('<svg><title>no</svg>one<svg><path><p>two<title>three</title>')).toEqual(['one', 'two', 'three']);
  });
});

describe('elements whose content is text although no tag in it counts', () => {
  it('<title>, <textarea>, <xmp> and <plaintext>', () => {
    expect(read('<title>a <b> &amp; b</title>').text).toBe('a <b> & b\n');
    expect(read('<textarea>a <b> &amp; b</textarea>').text).toBe('a <b> & b\n');
    expect(read('<xmp>a <b> &amp; b</xmp>').text).toBe('a <b> &amp; b\n');
    expect(read('<plaintext>a <b> &amp; b</plaintext>').text).toBe('a <b> &amp; b</plaintext>');
  });
});

describe('characters', () => {
  it('written as references are the characters', () => {
    expect(read('&eacute;&#233;&#xE9;&#XE9;&eacute &amp;amp; &lt;p&gt; &fjlig; &nGg; &#x1F600;').text).toBe(
      'éééé\u00e9 &amp; <p> fj ⋙̸ 😀'.replace('\u00e9 ', 'é '),
    );
  });

  it('written as wrong references are what browsers show', () => {
    expect(read('&#0;&#xD800;&#x110000;&#128;&#99999999999999999999;').text).toBe('\ufffd\ufffd\ufffd€\ufffd');
    expect(read('&; & &# &#x; &unheardof; &am').text).toBe('&; & &# &#x; &unheardof; &am');
    expect(read('&notit; &not').text).toBe('¬it; ¬');
  });

  it('of any script pass unchanged', () => {
    const text = 'Füße 日本語 русский ไทย 😀 e\u0301 \u{10ffff}';
    expect(read(`<p>${text}</p>`).text).toBe(`${text}\n`);
    expect(readParts(`<p>${text}</p>`, 'p').text).toBe(`${text}\n`);
  });

  it('a no-break space separates; a soft hyphen vanishes, however it is written, in plain text too', () => {
    expect(wordsOf('one&nbsp;two\u00a0three')).toEqual(['one', 'two', 'three']);
    expect(read('in&shy;ter\u00adna&#173;tional&shy;').text).toBe('international');
    expect(read('in\u00adter\u00ad', 'text/plain').text).toBe('inter');
    expect(readParts('<p>in&shy;ter\u00ad', 'p').text).toBe('inter\n');
  });

  it('a zero-width space stays, for the canonical form to separate at', () => {
    expect(wordsOf('one\u200btwo&#8203;three')).toEqual(['one', 'two', 'three']);
  });
});

describe('the title', () => {
  it('is the first one, its white space collapsed, and is text too', () => {
    const page = read('<title>\n A &amp;\u00a0B\t c&shy;d </title><body>x<title>second</title>');
    expect(page.title).toBe('A & B cd');
    expect(words(page.text)).toEqual(['A', 'B', 'cd', 'x', 'second']);
  });

  it.each([['no title'], ['<title></title>x'], ['<title>  \n</title>x'], ['<svg><title>drawing</title></svg>']])(
    'is null where there is none: %s',
    (page) => {
      expect(read(page).title).toBeNull();
    },
  );

  it('has at most 300 characters, none of them cut in two', () => {
    expect(read(`<title>${'😀'.repeat(400)}</title>`).title).toBe('😀'.repeat(300));
    expect(read(`<title>${'ab '.repeat(400)}</title>`).title).toBe('ab '.repeat(100).trimEnd());
    expect(Array.from(read(`<title>${'é'.repeat(5000)}`).title!)).toHaveLength(300);
  });
});

describe('the language', () => {
  it.each([
    ['<html lang=en>', 'en'],
    ["<HTML class=x LANG=' de-CH-1901 '>", 'de-CH-1901'],
    ['<html xml:lang="fr">', 'fr'],
    ['<html xml:lang="fr" lang="en">', 'en'],
    ['<html lang="en" xml:lang="fr">', 'en'],
    ['<html lang="&#x65;n">', 'en'],
    ['<html lang="en_US">', null],
    ['<html lang="">', null],
    ['<html lang>', null],
    [`<html lang="en-${'abcdefgh-'.repeat(9)}x">`, null],
    ['<html><html lang=en>', null],
    ['<p lang=en>', null],
  ])('of %s is %s', (page, language) => {
    expect(read(`${page}text`).language).toBe(language);
    expect(readParts(`${page}text`, 'html').language).toBe(language);
  });
});

describe('properties', () => {
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
