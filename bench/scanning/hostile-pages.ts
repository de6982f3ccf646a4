const WORDS = 'lorem ipsum dolor, sit amet consectetur. ';
const K = 1000;

/** Pages that are slow for readers which build a tree or look back, in `size` times their size. */
export const HOSTILE_PAGES: Readonly<Record<string, (size: number) => string>> = {
  'div nested': (size) => '<div>'.repeat(100 * K * size) + WORDS,
  'p unclosed': (size) => '<p>a'.repeat(200 * K * size),
  'a unclosed': (size) => '<a href=x>a '.repeat(100 * K * size),
  'b p': (size) => '<b><p>x'.repeat(50 * K * size),
  br: (size) => `<div>${'a<br>'.repeat(200 * K * size)}`,
  'br br': (size) => `<div>${'text, text<br><br>'.repeat(100 * K * size)}`,
  'li links': (size) => `<ul>${'<li><a href=x>one two</a></li>'.repeat(60 * K * size)}</ul>`,
  'p comma': (size) => `<div>${`<p>${WORDS.repeat(3)}</p>`.repeat(40 * K * size)}</div>`,
  'one class': (size) => `<div class="${'side-bar '.repeat(220 * K * size)}"><p>${WORDS.repeat(50)}</p></div>`,
  classes: (size) =>
    `<div class="nav-menu side footer share comment article content"><p>${WORDS}</p></div>`.repeat(50 * K * size),
  attributes: (size) => `<p ${Array.from({ length: 200 * K * size }, (_, i) => `a${i}=1`).join(' ')}>${WORDS}`,
  'tables nested': (size) => '<table><tr><td>'.repeat(3 * K * size) + WORDS.repeat(100),
  'span deep': (size) => '<span>'.repeat(30 * K * size) + WORDS.repeat(1000),
  text: (size) => `<p>${WORDS.repeat(100 * K * size)}`,
  'div p': (size) => `<div><div><p>${WORDS}</p></div></div>`.repeat(30 * K * size),
};
