import { decodeText } from '../charset/decode.ts';
import { pageContent } from '../html/html-scanner.ts';
import { languageOf } from '../html/tag-reader.ts';
import { checkTime, GrowingText, type Reading } from '../reading.ts';
import { shownTitle } from '../title.ts';
import type { FileText } from './file-text.ts';
import { metadataReader } from './metadata.ts';
import { Parts } from './parts.ts';
import { readXml, type XmlReader } from './xml.ts';

/*
 * The text of an .epub file: that of the pages of its spine, in their order, each read as pages are (html/page-text.ts). Its
 * table of contents is left out: it names chapters that are there anyway. Title and language are those of the package.
 */

const FILE = 'The .epub file';
const CONTAINER = 'META-INF/container.xml';

interface Book {
  readonly pages: readonly string[];
  readonly title: string | null;
  readonly language: string | null;
}

export async function readEpub(bytes: Uint8Array, reading: Reading): Promise<FileText> {
  const parts = await Parts.open(FILE, bytes, reading);
  const book = await bookOf(parts, reading);
  const encrypted = await encryptedParts(parts, reading);
  const text = new GrowingText(reading.limits);
  for (const page of book.pages) {
    checkTime(reading);
    if (encrypted.has(page)) throw parts.locked();
    const { utf8 } = decodeText(await parts.whole(page), 'xhtml', null);
    text.addUtf8(pageContent(utf8, true).text);
  }
  return { text: text.finish(), title: book.title, language: book.language };
}

async function bookOf(parts: Parts, { limits }: Reading): Promise<Book> {
  let place: string | null = null;
  await readXml(
    parts.pieces(CONTAINER),
    {
      open({ name, attribute }) {
        if (name === 'rootfile') place ??= attribute('full-path');
      },
    },
    limits,
  );
  if (place === null || !parts.has(place)) throw parts.lacking('package');
  const about = metadataReader();
  const items = new Map<string, string>();
  const spine: string[] = [];
  const folder = place;
  const reader: XmlReader = {
    ...about.reader,
    open({ name, attribute }) {
      if (name === 'item') {
        const [id, href] = [attribute('id'), attribute('href')];
        const isContents = attribute('properties')?.split(/\s+/).includes('nav') === true;
        const isPage = /html/i.test(attribute('media-type') ?? '');
        if (id !== null && href !== null && isPage && !isContents) items.set(id, placeOf(href, folder));
      } else if (name === 'itemref') spine.push(attribute('idref') ?? '');
    },
  };
  await readXml(parts.pieces(place), reader, limits);
  // a page that the spine names twice is one page
  const pages = [...new Set(spine.map((id) => items.get(id)).filter((page) => page !== undefined))];
  const there = pages.filter((page) => parts.has(page));
  if (there.length === 0) throw parts.lacking('pages');
  return { pages: there, title: shownTitle(about.said('title')), language: languageOf(about.said('language')) };
}

/** A reference in a part as the name of another part. */
function placeOf(href: string, from: string): string {
  try {
    const { pathname } = new URL(href, `http://book/${from.split('/').map(encodeURIComponent).join('/')}`);
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return href;
  }
}

/** Fonts are obfuscated, and nobody reads them; what else is encrypted nobody can read. */
async function encryptedParts(parts: Parts, { limits }: Reading): Promise<ReadonlySet<string>> {
  const places = new Set<string>();
  const reader: XmlReader = {
    open({ name, attribute }) {
      if (name === 'CipherReference') places.add(placeOf(attribute('URI') ?? '', ''));
    },
  };
  await readXml(parts.pieces('META-INF/encryption.xml'), reader, limits);
  return places;
}
