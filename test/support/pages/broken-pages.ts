import type { Prng } from '../prng.ts';

/*
 * Pages as nobody should write them: pieces of markup, well formed or nearly so, one after another and inside one another,
 * then cut, with bytes lost, doubled or put in. All that src/extract/html/html-scanner.ts tells apart is among the pieces.
 */

const NAMES =
  'p div b i a span td br html body title textarea style script xmp iframe noembed noframes noscript plaintext template svg math desc metadata annotation annotation-xml foreignObject h1 select option optgroup datalist dialog details ruby rb rt rp rtc ul li dl dt dd table tr td tbody button object video x-y o:p html:style x:script svg:svg unheard-of abcdefghijklmnopq'.split(
    ' ',
  );
/** Those after which a page goes on in another mode come more often. */
const SPECIAL = 'title textarea style script svg math template xmp iframe'.split(' ');
const WORDS = ['one', 'two', 'é', '日本', '😀', 'x', '9', 'a\u0301', 'in\u00adter', '\u00a0'];
/** Attributes that say what is seen, and some that begin like them. */
const SEEN = ['hidden', 'HIDDEN', 'popover', 'open', 'hide', 'popovers'];
const SPACES = [' ', '\n', '\t', '\f', '\r\n', '  '];
const NAMED =
  'amp amp; lt gt; notit; not notin; nbsp; nbsp eacute eacuteX ampamp; Afr; nLt; fjlig; CounterClockwiseContourIntegral; frac12 frac1 sup sup1; shy; shy unheardof; AMP Amp zwj zwnj; thetasym; ThickSpace; a aa lt;gt'.split(
    ' ',
  );
const NUMBERS =
  '0 65 65; x41 X41; x4g; 128; 129; 159; x80; xD800; xDFFF; x10FFFF; x110000; 99999999999999999999 38; 60; 173; 000000000000000000000000000000000000000000000000065; x x; ; a xfdd0; 13;'.split(
    ' ',
  );
const COMMENTS =
  '<!-- one --> <!----> <!--> <!---> <!--->> <!-----> <!--x--!> <!--!> <!---!> <!----!> <!--x--!-> <!--x--!--> <!--x---> <!--<!--> <!--<!-- --> <!-- > <!-- -- > <!--x-> <!- x> <!> <!x> <!-> <!--one<p>two--> <!-- </script> --> <!--é-->'.split(
    / (?=<)/,
  );
const DECLARATIONS =
  '<!doctype html>|<!DOCTYPE html PUBLIC "a>b">|<!doctype>|<!doc x>|<!d>|<!ELEMENT x "y>|<?xml version="1.0"?>|<?php a > b ?>|<?>|<?|</ x>|</>|</1 "x>|</é>|<![CDATA[one <b> two]]>|<![CDATA[]]]>|<![CDATA[a]]b]>]]>|<![cdata[x]]>|<![CDATA|<![CDATA[ x > y ]]>|<!DOCTYPE html [<!ENTITY x "y">]>'.split(
    '|',
  );
const FRAGMENTS =
  '< > & " \' = / ! - -- --> --!> <! <!-- </ <? ]]> ]] [CDATA[ &# &#x ; # <a </script> </SCRIPT\n> <script> <script </scrip </scriptx> </title> </title/ </style > </textarea> </textarea\t </xmp> /\t> </svg> <svg/> <svg> <title> <style> </ti&amp; <&amp; /> \0'.split(
    ' ',
  );

export class BrokenPages {
  readonly #prng: Prng;

  constructor(prng: Prng) {
    this.#prng = prng;
  }

  /** The next page, as a text of 0 to some thousand characters. */
  next(): string {
    let page = this.#content(2 + this.#prng.below(8), 3);
    if (this.#chance(0.2)) page = `<html lang=${this.#pick(['en', '"de-CH"', "'&#x65;n' lang=fr", 'en_US'])}>${page}`;
    for (let changes = this.#prng.below(4); changes > 0; changes--) page = this.#damaged(page);
    return page.toWellFormed();
  }

  #chance(probability: number): boolean {
    return this.#prng.next() < probability;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#prng.below(values.length)]!;
  }

  #content(pieces: number, depth: number): string {
    let text = '';
    for (let i = 0; i < pieces; i++) text += this.#piece(depth);
    return text;
  }

  #piece(depth: number): string {
    const kind = this.#prng.below(16);
    if (kind < 4) return this.#pick(WORDS);
    if (kind === 4) return this.#pick(SPACES);
    if (kind === 5) return `&${this.#pick(NAMED)}`;
    if (kind === 6) return `&#${this.#pick(NUMBERS)}`;
    if (kind === 7) return this.#pick(COMMENTS);
    if (kind === 8) return this.#pick(DECLARATIONS);
    if (kind === 9) return this.#pick(FRAGMENTS);
    if (kind === 10) return this.#startTag(this.#name());
    if (kind === 11) return this.#endTag(this.#name());
    const name = this.#name();
    const content = depth > 0 ? this.#content(this.#prng.below(4), depth - 1) : this.#pick(WORDS);
    if (name !== 'script') return this.#startTag(name) + content + this.#endTag(name);
    return this.#startTag(name) + this.#script() + this.#endTag(name);
  }

  #script(): string {
    if (!this.#chance(0.2)) return `if (a<b && c</d/) "${this.#pick(COMMENTS)}" ${this.#pick(WORDS)}`;
    const parts = [
      '<!--',
      '-->',
      '<script>',
      '<script ',
      '</script>',
      '</script/',
      '--',
      '>',
      '<scriptx',
      'x',
      '<!-',
      '<',
    ];
    return Array.from({ length: 1 + this.#prng.below(8) }, () => this.#pick(parts)).join('');
  }

  #name(): string {
    const name = this.#pick(this.#chance(0.5) ? NAMES : SPECIAL);
    if (this.#chance(0.1)) return name.toUpperCase();
    return this.#chance(0.05) ? name.slice(0, 1 + this.#prng.below(name.length)) : name;
  }

  #startTag(name: string): string {
    return `<${name}${this.#attributes()}${this.#pick(['>', '>', '>', '>', '/>', ' />', '\n>'])}`;
  }

  #endTag(name: string): string {
    return `</${name}${this.#chance(0.1) ? this.#attributes() : ''}${this.#pick(['>', '>', '>', ' >', '/>', '\n>'])}`;
  }

  #attributes(): string {
    let attributes = '';
    while (this.#chance(0.35)) {
      const name = this.#pick(['x', 'class', 'lang', 'xml:lang', 'shadowrootmode', '"', '=', "a'b", 'é', 'A', ...SEEN]);
      const value = this.#pick([
        '',
        'one',
        'until-found',
        'a > b',
        'a="b',
        "it's",
        '&amp;',
        '/',
        'fr',
        '</p>',
        '<b',
        '=',
      ]);
      const space = this.#pick(SPACES);
      const form = this.#pick([
        `="${value}"`,
        `='${value}'`,
        `=${value}`,
        ` = "${value}"`,
        '',
        '=',
        `="${value}"x`,
        `="${value}"/`,
      ]);
      attributes += (this.#chance(0.1) ? '/' : space) + name + form;
    }
    return attributes;
  }

  /** The page with one change: cut, something lost, doubled or put in. */
  #damaged(page: string): string {
    const at = this.#prng.below(page.length + 1);
    const end = Math.min(page.length, at + this.#prng.below(12));
    const kind = this.#prng.below(5);
    if (kind === 0) return page.slice(0, at);
    if (kind === 1) return page.slice(0, at) + page.slice(end);
    if (kind === 2) return page.slice(0, end) + page.slice(at);
    return page.slice(0, at) + this.#pick(FRAGMENTS) + page.slice(at);
  }
}
