/*
 * Makes a set of natural pages: documentation as its generators wrote it, in the forms of framed-set.ts.
 *
 *     npm run -s accuracy:natural-set -- FOLDER > natural.jsonl
 *
 * FOLDER has a folder for each host, named PROJECT@FRAME: what a generator made of a project with a theme or in a version. Pages
 * with the same path in folders of one project have the same article, as it is in that version. The article is what the generator
 * puts into the element of its main text. natural-pages.sh gets such folders by package managers.
 */
import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheerioAPI, load } from 'cheerio';
import { wordsOf } from '../../tools/main-text/gold-pages.ts';

/** Where generators put the main text; the first that a page has is its. What is looked for later is more general. */
const MAIN = [
  'article.md-content__inner', // mkdocs with material
  'article[role=main]', // sphinx with furo
  'article.bd-article', // sphinx with pydata
  'div[role=main]', // sphinx with most themes, mkdocs
  'div.contentContainer', // javadoc up to 15
  'main[role=main]', // javadoc from 16
  'div.contents', // doxygen
  'div#page-content', // apache
  'article.mainContent, div.mainContent, article.article', // qdoc
  'div.refentry', // gtk-doc
  'body.manpage div#content', // asciidoc
  'main',
];
/** Newer javadoc has a folder for the module. */
const MODULE = /^\w+(\.\w+)+\//;
const NO_TEXT = 'script, style, a.headerlink, .viewcode-link, nav, form';
const BLOCKS = 'p, div, ul, ol, dl, li, dd, dt, table, td, th, h1, h2, h3, h4, h5, h6, pre, section, br';
/** Lists, indexes and listings of source code. */
const NO_ARTICLE =
  /(^|\/)(src-html|class-use|doc-files|_modules|legal)\/|(^|\/)(index|genindex|py-modindex|search|help|overview|all|annotated|classes|files|functions|package|deprecated|constant-values|serialized-form|404)[^/]*$|[-_]source\.html$|-members\.html$/;
const PAGES_OF_HOST = 40;
const ARTICLE_WORDS_LEAST = 60;
const PAGE_BYTES_MAX = 400_000;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: FOLDER > natural.jsonl');
const hosts = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => !entry.isFile() && entry.name.includes('@'))
  .map(({ name }) => name)
  .sort();
const articles = new Map<string, number>();
let n = 0;
for (const [host, name] of hosts.entries()) {
  const [project] = name.split('@') as [string];
  const others = hosts.filter((other) => other !== name && other.startsWith(`${project}@`));
  let count = 0;
  for (const path of ordered(name, others)) {
    const page = read(join(folder, name, path));
    if (page === null) continue;
    const key = `${project}/${path.replace(MODULE, '')}`;
    const article = articles.get(key) ?? articles.size;
    articles.set(key, article);
    const url = `https://${name.toLowerCase().replace('@', '.')}.example/${path}`;
    process.stdout.write(`${JSON.stringify({ n: n++, url, host, article, ...page })}\n`);
    if (++count === PAGES_OF_HOST) break;
  }
}

/** The pages of a host, those first that most of the others have, then in an order of their own. */
function ordered(name: string, others: readonly string[]): string[] {
  const pathsOf = (host: string) =>
    globSync('**/*.html', { cwd: join(folder!, host) }).filter((path) => !NO_ARTICLE.test(path));
  const elsewhere = others.map((other) => new Set(pathsOf(other).map((path) => path.replace(MODULE, ''))));
  const hash = (path: string) => createHash('sha1').update(path).digest('hex');
  return pathsOf(name)
    .map((path) => ({
      path,
      rank: elsewhere.filter((paths) => paths.has(path.replace(MODULE, ''))).length,
      hash: hash(path.replace(MODULE, '')),
    }))
    .sort((a, b) => b.rank - a.rank || (a.hash < b.hash ? -1 : 1))
    .map(({ path }) => path);
}

/** null where a page has no article, or too little of it. */
function read(file: string): { text: string; html: string } | null {
  const html = readFileSync(file, 'utf8');
  if (html.length > PAGE_BYTES_MAX) return null;
  const page = load(html);
  const selector = MAIN.find((one) => page(one).length > 0);
  if (selector === undefined) return null;
  const text = textOf(page, selector);
  return wordsOf(text).length < ARTICLE_WORDS_LEAST ? null : { text, html };
}

function textOf(page: CheerioAPI, selector: string): string {
  const main = page(selector).first();
  main.find(NO_TEXT).remove();
  main.find(BLOCKS).before('\n').after('\n');
  return main
    .text()
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim();
}
