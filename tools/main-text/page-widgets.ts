import type { Prng } from '../../test/support/prng.ts';

/*
 * What stands beside an article and is another one on each page: lines on who wrote it, teasers of other stories, comments. No
 * template of a host takes it off, so the marks have to tell it from the article. In the forms in which sites write it, with
 * classes that say what it is, that say nothing, and with none.
 */

/** Texts of other pages. */
export interface OtherTexts {
  /** Paragraphs of articles. */
  readonly stories: readonly string[];
  /** What people wrote in forums. */
  readonly posts: readonly string[];
}

const RELATED = [
  ...['related-posts widget', 'related', 'recommended-stories', 'more-stories', 'read-next', 'c-cards', 'post-grid'],
  ...['latest-news', 'trending', 'module', 'teaser-list', 'wp-block-group', 'jp-relatedposts', 'row', ''],
];
const COMMENTS = [
  ...['comments-area', 'comments', 'discussion', 'responses', 'comment-section', 'thread', 'wp-block-group', ''],
];
const AUTHORS = ['author-bio', 'author-box', 'about-author', 'bio', 'post-author', ''];
const BYLINES = ['meta', 'byline', 'post-meta', 'entry-meta', 'article-info', 'posted-on', ''];
const SHARED = ['share-buttons', 'social', 'post-tags', 'tags', 'newsletter-signup', 'cta', ''];
const NAMES = ['Ana Ruiz', 'Peter Holm', 'Li Wei', 'Sam Carter', 'Inês Costa', 'Jon Doe', 'Mara Klein', 'T. Reed'];

/** Before the first paragraph. */
export function bylineOf(prng: Prng): string {
  const date = `${prng.below(28) + 1} ${pick(['Jan', 'Mar', 'Juni', 'août', 'Oct'], prng)} 20${10 + prng.below(20)}`;
  const tag = pick(['p', 'div', 'span', 'div'], prng);
  const author = pick([`<a href="/a">${pick(NAMES, prng)}</a>`, pick(NAMES, prng)], prng);
  return `<${tag}${classOf(BYLINES, prng)}>${author} <time>${date}</time></${tag}>`;
}

/** Behind the article: some of what sites have there. */
export function widgetsOf(texts: OtherTexts, prng: Prng): string {
  const parts: string[] = [];
  if (prng.below(3) === 0)
    parts.push(`<div${classOf(SHARED, prng)}><a href="#">${pick(NAMES, prng)}</a> <a href="#">2</a></div>`);
  if (prng.below(4) === 0) parts.push(authorBox(texts, prng));
  if (prng.below(10) < 7) parts.push(related(texts, prng));
  if (prng.below(10) < 4) parts.push(comments(texts, prng));
  return parts.join('\n');
}

function authorBox({ stories }: OtherTexts, prng: Prng): string {
  const text = wordsAt(pick(stories, prng), 10 + prng.below(35));
  return `<div${classOf(AUTHORS, prng)}><h4>${pick(NAMES, prng)}</h4><p>${text}.</p></div>`;
}

function related({ stories }: OtherTexts, prng: Prng): string {
  const form = prng.below(5);
  const hasTeaser = prng.below(10) < 6;
  const heading = pick(['h2', 'h3', 'h4', 'div', 'span'], prng);
  const items = Array.from({ length: 3 + prng.below(6) }, () => {
    const story = pick(stories, prng);
    const title = wordsAt(pick(stories, prng), 5 + prng.below(9));
    const teaser = hasTeaser ? `<p>${wordsAt(story, 10 + prng.below(30))}${pick(['…', '...', '.'], prng)}</p>` : '';
    if (form === 0) return `<li><a href="/s"><${heading}>${title}</${heading}>${teaser}</a></li>`;
    if (form === 1)
      return `<div${classOf(RELATED, prng)}><a href="/s"><${heading}>${title}</${heading}></a>${teaser}</div>`;
    if (form === 2)
      return `<article><${heading}><a href="/s">${title}</a></${heading}>${teaser}<time>3 h</time></article>`;
    if (form === 3) return `<li><a href="/s">${title}</a>${teaser}</li>`;
    return `<div><${heading}>${title}</${heading}>${teaser}<a href="/s">${pick(NAMES, prng)}</a></div>`;
  });
  const list = form === 0 || form === 3 ? `<ul>${items.join('')}</ul>` : items.join('\n');
  return boxed(RELATED, `<h3>${wordsAt(pick(stories, prng), 2)}</h3>${list}`, prng);
}

function comments({ posts }: OtherTexts, prng: Prng): string {
  const form = prng.below(3);
  const items = Array.from({ length: prng.below(11) }, () => {
    const text = pick(posts, prng);
    const author = pick(NAMES, prng);
    if (form === 0)
      return `<li class="comment"><div class="comment-author">${author}</div><p>${text}</p><a href="#">Re</a></li>`;
    if (form === 1) return `<div><b>${author}</b><span>12:0${prng.below(10)}</span><p>${text}</p></div>`;
    return `<article><footer><a href="/u">${author}</a></footer><div><p>${text}</p></div><div><a href="#">Re</a></div></article>`;
  });
  const list = form === 0 ? `<ol class="comment-list">${items.join('')}</ol>` : items.join('\n');
  return boxed(COMMENTS, `<h3>${items.length} ${wordsAt(pick(posts, prng), 1)}</h3>${list}`, prng);
}

function boxed(classes: readonly string[], content: string, prng: Prng): string {
  const tag = pick(['div', 'section', 'div', 'aside'], prng);
  return `<${tag}${classOf(classes, prng)}>${content}</${tag}>`;
}

function classOf(classes: readonly string[], prng: Prng): string {
  const name = pick(classes, prng);
  return name === '' ? '' : ` ${pick(['class', 'class', 'id'], prng)}="${name}"`;
}

function wordsAt(text: string, count: number): string {
  return text.split(' ').slice(0, count).join(' ');
}

export function pick<T>(from: readonly T[], prng: Prng): T {
  return from[prng.below(from.length)]!;
}
