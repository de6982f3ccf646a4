import { describe, expect, it } from 'vitest';
import { FlowingPages } from '../support/pages/flowing-pages.ts';
import { read, readParts, words } from '../support/pages/page.ts';
import { seenWords } from '../support/pages/seen-page.ts';
import { createPrng } from '../support/prng.ts';

/** What a page shows, read without a tree; with one it has to be the same. */
function shown(page: string, contentType = 'text/html'): string {
  const text = words(read(page, contentType).text).join(' ');
  if (contentType === 'text/html') expect(words(readParts(page, null, 'never').text).join(' ')).toBe(text);
  return text;
}

describe('what no browser shows without style sheets', () => {
  it.each([
    ['<p>a<div hidden>no</div>b', 'a b'],
    ['a<span hidden>no</span>b', 'ab'],
    ['<p HIDDEN=HIDDEN>no</p><p hidden="">no</p><p hidden=false>no</p><p class=x hidden>no</p>b', 'b'],
    ['<p class="x"hidden>no</p><p/hidden>no</p><p\thidden\n=\nx>no</p><p x=y hidden >no</p>b', 'b'],
    [
      '<p aria-hidden=true>a</p><p data-hidden>b</p><p hiddens>c</p><p class=hidden>d</p><p title=" hidden ">e',
      'a b c d e',
    ],
    ['<div popover>no</div><div popover=manual>no</div><p popovertarget=x>b', 'b'],
    ['<dialog>no</dialog><dialog open>b</dialog><dialog open hidden>no</dialog><dialog open popover>c</dialog>', 'b c'],
    ['<datalist><option>no<option>no</datalist>b', 'b'],
    ['<video src=x>no<p>no</p></video><audio>no</audio>b', 'b'],
    ['<div hidden id="S:">no</div><div hidden id="S:0x">no</div><div hidden id="news:0">no</div>b', 'b'],
    ['<x-menu hidden>no<x-item>no</x-item>no</x-menu>b', 'b'],
    ['<template hidden>no</template><template shadowrootmode=open>b</template>', 'b'],
    ['<textarea hidden>no <p></textarea><select hidden><option>no</select>b', 'b'],
  ])('%s', (page, text) => {
    expect(shown(page)).toBe(text);
  });
});

describe('what is shown, or found and then shown', () => {
  it.each([
    ['<details><summary>a</summary>b</details>', 'a b'],
    ['<p hidden=until-found>a</p><p hidden="UNTIL-FOUND">b', 'a b'],
    ['<div hidden id="S:0">a</div><div id=S:1f hidden>b</div><div hidden id="app-S:a0"><p>c</div>', 'a b c'],
    ['<noscript>a</noscript><canvas>b</canvas><object>c</object><select><option>d</select>', 'a b c d'],
    ['<html hidden><body hidden popover>a', 'a'],
    ['<title hidden>a</title>b', 'a b'],
    ['<img hidden>a<br hidden>b<input type=hidden hidden>c', 'a b c'],
    ['<svg hidden><text hidden>a</text></svg>', 'a'],
  ])('%s', (page, text) => {
    expect(shown(page)).toBe(text);
  });
});

describe('ruby', () => {
  it.each([
    ['<ruby>東京<rt>とうきょう</rt></ruby>は', '東京は'],
    ['<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rp>(</rp><rt>きょう</rt><rp>)</rp></ruby>は', '東京は'],
    ['<ruby>東<rt>とう<rb>京<rt>きょう</ruby>は', '東京は'],
    ['<ruby><rb>東<rb>京<rt>とう<rt>きょう<rtc><rt>Tōkyō</rtc></ruby>は', '東京は'],
    ['<ruby><ruby>東<rt>とう</rt></ruby><rt>no</rt></ruby>京', '東京'],
    ['<p><ruby>東<rt>とう<p>京<rtc>no<div>都', '東 京 都'],
  ])('has no readings in its words: %s', (page, text) => {
    expect(shown(page)).toBe(text);
  });
});

describe('an element that nobody sees ends', () => {
  it.each([
    ['where its end tag may be left out', '<ul><li hidden>no<li>a<li hidden>no</ul>b', 'a b'],
    ['… behind a list in it', '<ul><li hidden>no<ul><li>no<li>no</ul>no</li><li>a</ul>', 'a'],
    ['… in tables', '<table><tr hidden><td>no<td>no<tr><td hidden>no<td>a<tr><td><p hidden>no<td>b</table>c', 'a b c'],
    [
      '… of paragraphs',
      '<p hidden>no<b>no<p>a<p hidden>no<div>b</div><p hidden>no<button><p>no</button>no<h1>c',
      'a b c',
    ],
    [
      '… of options',
      '<select><option hidden>no<option>a<optgroup hidden><option>no<optgroup><option>b</select>',
      'a b',
    ],
    ['where what holds it does', '<div><span hidden>no</div>a<section><b><label hidden>no</section>b', 'a b'],
    ['not at tags that belong inside', '<div hidden><p>no<div>no</div>no</p></b></x></div>a', 'a'],
    ['not at the end of what does not reach it', '<p><div hidden>no</p>no</i>no</body>no</div>a', 'a'],
    ['not at the end of what is outside of a table', '<div><table hidden><td>no</div>no</table>a</div>b', 'a b'],
    ['… but at the end of what holds its cell', '<table><tr><td hidden>no</tr><tr><td>a</table>b', 'a b'],
  ])('%s: %s', (_, page, text) => {
    expect(words(read(page).text).join(' ')).toBe(text);
    expect(seenWords(page).join(' ')).toBe(text);
  });

  it('in XHTML with its own end tag, and nowhere else', () => {
    const page =
      '<html xmlns="http://www.w3.org/1999/xhtml"><p hidden="">no<div>no</div><br/>no</p>a<p hidden="hidden"/>b</html>';
    expect(shown(page, 'application/xhtml+xml')).toBe('a b');
  });

  it.each([0, 1, 2, 3])('where the tree of the standard says so, in pages with tags left out: part %i', (part) => {
    const pages = new FlowingPages(createPrng(20_26 + part));
    for (let i = 0; i < 300; i++) {
      const page = pages.next();
      const seen = seenWords(page).join(' ');
      expect(words(read(page).text).join(' '), page).toBe(seen);
      expect(words(readParts(page, '*').text).join(' '), page).toBe(seen);
    }
  });

  it('nearly where the tree says so in pages whose other end tags are missing too', () => {
    const pages = new FlowingPages(createPrng(1997), 0.1);
    let shownWords = 0;
    let wrong = 0;
    for (let i = 0; i < 600; i++) {
      const page = pages.next();
      const ours = new Set(words(read(page).text));
      const seen = new Set(seenWords(page));
      shownWords += seen.size;
      wrong += ours.symmetricDifference(seen).size;
    }
    expect(shownWords).toBeGreaterThan(4_000);
    expect(wrong / shownWords).toBeLessThan(0.05);
  });

  it('in linear time, whatever was never closed in it', () => {
    const count = 60_000;
    const pages = [
      `<div hidden>${'<b>'.repeat(count)}${'</i>'.repeat(count)}</div>a`,
      `<div hidden>${'<b>'.repeat(count)}${'</b>'.repeat(count)}</div>a`,
      `<ul><li hidden>${'<ul><li>'.repeat(count)}</div>${'</ul>'.repeat(count)}<li>a`,
      `${'<p hidden>'.repeat(count)}<p>a`,
      `<div hidden>${'<x-y>'.repeat(count)}${'</x-z></b>'.repeat(count)}</div>a`,
    ];
    for (const page of pages) expect(words(read(page).text)).toEqual(['a']);
  });
});

describe('a prefix in XHTML', () => {
  const shownInXhtml = (page: string) => words(read(page, 'application/xhtml+xml').text).join(' ');

  it.each([
    ['<h:style>no</h:style><h:script>no &lt; no</h:script>a', 'a'],
    ['<html:script><![CDATA[ no </no> ]]></html:script>a', 'a'],
    ['<h:p>a</h:p><h:b>b</h:b>c<h:br/>d', 'a bc d'],
    ['<s:svg><s:title>no</s:title><s:desc>no</s:desc><s:text>a</s:text></s:svg>b', 'a b'],
    ['<h:title>a</h:title><abcdefghijklmnopqrst:style>b</abcdefghijklmnopqrst:style>', 'a b'],
    ['<h:div hidden="">no<h:div>no</h:div>no</h:div>a', 'a'],
    ['<h:style/>a<h:ruby>東<h:rt>no</h:rt></h:ruby>', 'a東'],
  ])('is not looked at: %s', (page, text) => {
    expect(shownInXhtml(page)).toBe(text);
  });

  it('means nothing in HTML', () => {
    expect(shown('<h:style>a</h:style><o:p>b</o:p>')).toBe('a b');
  });
});
