import { languageOf } from '../html/tag-reader.ts';
import { GrowingText, type Reading } from '../reading.ts';
import { shownTitle } from '../title.ts';
import type { FileText } from './file-text.ts';
import { metadataReader } from './metadata.ts';
import { Parts } from './parts.ts';
import { readXml, type XmlReader } from './xml.ts';

/*
 * The text of a .docx file (Office Open XML, WordprocessingML).
 *
 *   is text        runs of paragraphs in their order, those of tables, lists, text boxes and content controls among them;
 *                  results of fields; formulas; then footnotes and endnotes
 *   is not text    what is deleted or moved away by tracked changes; hidden text; instructions of fields; heads and feet of
 *                  pages, comments; pictures; numbers of lists, which no file holds; readings above words
 *   separates      paragraphs, tabs, breaks
 *   title          dc:title of the core properties
 *   language       dc:language of the core properties, else that of the default style
 */

const FILE = 'The .docx file';

const NO_TEXT = new Set(['del', 'moveFrom', 'Fallback', 'rPrChange', 'pPrChange', 'rt', 'binData']);
const BREAKS: ReadonlyMap<string, string> = new Map(
  Object.entries({ tab: '\t', ptab: '\t', br: '\n', cr: '\n', noBreakHyphen: '\u2011', softHyphen: '\u00ad' }),
);
/** Values of a property that switch it off. */
const OFF = new Set(['0', 'false', 'off', 'none']);

/** The ends of content types, by what is looked for in the part. */
const ROLES = {
  main: /\.main\+xml$/,
  footnotes: /\.footnotes\+xml$/,
  endnotes: /\.endnotes\+xml$/,
  styles: /wordprocessingml\.styles\+xml$/,
  core: /core-properties\+xml$/,
} as const;
type Role = keyof typeof ROLES;

export async function readDocx(bytes: Uint8Array, reading: Reading): Promise<FileText> {
  const parts = await Parts.open(FILE, bytes, reading);
  const { limits } = reading;
  const places = await placesOf(parts, reading);
  const main = places.main ?? 'word/document.xml';
  if (!parts.has(main)) throw parts.lacking('main part');
  const text = new GrowingText(limits);
  for (const place of [main, places.footnotes, places.endnotes]) {
    if (place !== undefined) await readXml(parts.pieces(place), paragraphReader(text), limits);
  }
  const about = metadataReader();
  await readXml(parts.pieces(places.core ?? 'docProps/core.xml'), about.reader, limits);
  let language = languageOf(about.said('language'));
  if (language === null) {
    const defaults = defaultLanguageReader();
    await readXml(parts.pieces(places.styles ?? 'word/styles.xml'), defaults.reader, limits);
    language = languageOf(defaults.found());
  }
  return { text: text.finish(), title: shownTitle(about.said('title')), language };
}

/** Where each part lies, by its content type: names are the writer's choice. */
async function placesOf(parts: Parts, { limits }: Reading): Promise<Partial<Record<Role, string>>> {
  const places: Partial<Record<Role, string>> = {};
  const reader: XmlReader = {
    open({ name, attribute }) {
      if (name !== 'Override') return;
      const type = attribute('ContentType') ?? '';
      const place = (attribute('PartName') ?? '').replace(/^\/+/, '');
      for (const role of Object.keys(ROLES) as Role[]) if (ROLES[role].test(type)) places[role] ??= place;
    },
  };
  await readXml(parts.pieces('[Content_Types].xml'), reader, limits);
  return places;
}

/** Adds the paragraphs of a part to a text. */
function paragraphReader(text: GrowingText): XmlReader {
  /** Depth of the element whose content is not text; 0 outside of one. */
  let noTextDepth = 0;
  /** Of each open run, whether it is hidden. */
  const hidden: boolean[] = [];
  return {
    open({ name, attribute }, path) {
      if (noTextDepth > 0) return;
      const parent = path.at(-2);
      if (NO_TEXT.has(name)) noTextDepth = path.length;
      else if (name === 'r') hidden.push(false);
      else if (name === 'vanish' && parent === 'rPr' && path.at(-3) === 'r') {
        if (!OFF.has(attribute('val') ?? '')) hidden[hidden.length - 1] = true;
      } else if (parent === 'r' && hidden.at(-1) !== true) {
        const written = BREAKS.get(name);
        if (written !== undefined) text.add(written);
      }
    },
    text(part, path) {
      if (noTextDepth === 0 && path.at(-1) === 't' && hidden.at(-1) !== true) text.add(part);
    },
    close(name, path) {
      if (noTextDepth > 0) {
        if (path.length === noTextDepth) noTextDepth = 0;
        return;
      }
      if (name === 'r') hidden.pop();
      else if (name === 'p') text.endParagraph();
    },
  };
}

function defaultLanguageReader() {
  let found = '';
  const reader: XmlReader = {
    open({ name, attribute }, path) {
      if (found === '' && name === 'lang' && path.includes('docDefaults')) found = attribute('val') ?? '';
    },
  };
  return { reader, found: () => found };
}
