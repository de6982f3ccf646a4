import { describe, expect, it } from 'vitest';
import { canonicalTokens } from '../../support/core/canonical-text.ts';
import { BLOCK, INLINE, read, readParts, words } from '../../support/pages/page.ts';

const wordsOf = (page: string, contentType = 'text/html') => words(read(page, contentType).text);
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
    // elsewhere it is a bogus comment, which ends at the first ">"
    expect(read(page).text).toBe('one &]]>three\nfour<\n');
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
    expect(read(`<p>${text}</p>`).text).toBe(`${text}\n\n`);
    expect(readParts(`<p>${text}</p>`, 'p').text).toBe(`${text}\n\n`);
  });

  it('a no-break space separates; what nobody sees stays, however it is written, for the canonical form to drop', () => {
    expect(wordsOf('one&nbsp;two\u00a0three')).toEqual(['one', 'two', 'three']);
    const tokensOf = (text: string) => canonicalTokens(Buffer.from(text));
    const page = 'in&shy;ter\u00adna&#173;ti&#8203;o\u200bnal&shy; &zwj;and&zwnj;or&#xfe0f;&NoBreak;';
    expect(tokensOf(read(page).text)).toEqual(['international', 'andor']);
    expect(tokensOf(readParts(page, null, 'i').text)).toEqual(['international', 'andor']);
    expect(tokensOf(read('in\u00adter\u200b', 'text/plain').text)).toEqual(['inter']);
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
