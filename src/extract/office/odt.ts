import { languageOf } from '../html/tag-reader.ts';
import { GrowingText, type Reading } from '../reading.ts';
import { shownTitle } from '../title.ts';
import type { FileText } from './file-text.ts';
import { metadataReader } from './metadata.ts';
import { Parts } from './parts.ts';
import { readXml, type XmlElement, type XmlReader } from './xml.ts';

/*
 * The text of an .odt file (OpenDocument text).
 *
 *   is text        paragraphs and headings in their order, those of tables, lists, frames and sections among them; fields as
 *                  they are shown; then notes, at the end
 *   is not text    what is deleted by tracked changes; hidden text, by its style or its section; annotations; marks of notes;
 *                  heads and feet of pages; names and descriptions of pictures; readings above words; scripts and forms
 *   separates      paragraphs, headings, tabs, line breaks
 *   title          dc:title of meta.xml
 *   language       dc:language of meta.xml, else that of the default paragraph
 */

const FILE = 'The .odt file';

const NO_TEXT = new Set([
  ...[
    'tracked-changes',
    'annotation',
    'note-citation',
    'ruby-text',
    'forms',
    'scripts',
    'title',
    'desc',
    'binary-data',
  ],
]);
const PARAGRAPHS = new Set(['p', 'h']);
/** Spaces in a row, of one element: what makes more asks for memory, and separates no better. */
const SPACES_MAX = 100;

export async function readOdt(bytes: Uint8Array, reading: Reading): Promise<FileText> {
  const parts = await Parts.open(FILE, bytes, reading);
  const { limits } = reading;
  if (await isEncrypted(parts, reading)) throw parts.locked();
  if (!parts.has('content.xml')) throw parts.lacking('content.xml');
  const [text, notes] = [new GrowingText(limits), new GrowingText(limits)];
  await readXml(parts.pieces('content.xml'), bodyReader(text, notes), limits);
  text.addUtf8(notes.finish());
  const about = metadataReader();
  await readXml(parts.pieces('meta.xml'), about.reader, limits);
  let language = languageOf(about.said('language'));
  if (language === null) {
    const defaults = defaultLanguageReader();
    await readXml(parts.pieces('styles.xml'), defaults.reader, limits);
    language = languageOf(defaults.found());
  }
  return { text: text.finish(), title: shownTitle(about.said('title')), language };
}

async function isEncrypted(parts: Parts, { limits }: Reading): Promise<boolean> {
  if (parts.has('encrypted-package')) return true;
  let encrypted = false;
  const reader: XmlReader = {
    open({ name }) {
      if (name === 'encryption-data') encrypted = true;
    },
  };
  await readXml(parts.pieces('META-INF/manifest.xml'), reader, limits);
  return encrypted;
}

/** Adds the body of a document to a text, and its notes to another one. */
function bodyReader(text: GrowingText, notes: GrowingText): XmlReader {
  /** Depth of the element whose content is not text; 0 outside of one. */
  let noTextDepth = 0;
  let paragraphs = 0;
  let noteDepth = 0;
  const hiddenStyles = new Set<string>();
  let style: string | null = null;
  const out = () => (noteDepth > 0 ? notes : text);

  function isNoText({ name, attribute }: XmlElement): boolean {
    if (NO_TEXT.has(name) || attribute('display') === 'none') return true;
    const ofStyle = attribute('style-name');
    return ofStyle !== null && hiddenStyles.has(ofStyle);
  }

  return {
    open(element, path) {
      if (noTextDepth > 0) return;
      const { name, attribute } = element;
      if (path[1] !== 'body') {
        // automatic styles stand before the body
        if (name === 'style') style = attribute('name');
        if (name === 'text-properties' && attribute('display') === 'none' && style !== null) hiddenStyles.add(style);
        return;
      }
      if (isNoText(element)) noTextDepth = path.length;
      else if (name === 'note-body') noteDepth = path.length;
      else if (PARAGRAPHS.has(name)) paragraphs++;
      else if (name === 'tab') out().add('\t');
      else if (name === 'line-break') out().add('\n');
      else if (name === 's') out().add(' '.repeat(Math.min(SPACES_MAX, Math.max(1, Number(attribute('c') ?? 1) || 1))));
    },
    text(part) {
      if (noTextDepth === 0 && paragraphs > 0) out().add(part);
    },
    close(name, path) {
      if (noTextDepth > 0) {
        if (path.length === noTextDepth) noTextDepth = 0;
        return;
      }
      if (path[1] !== 'body') return;
      if (PARAGRAPHS.has(name)) {
        paragraphs--;
        out().endParagraph();
      }
      if (path.length === noteDepth) noteDepth = 0;
    },
  };
}

function defaultLanguageReader() {
  let found = '';
  const reader: XmlReader = {
    open({ name, attribute }, path) {
      if (found !== '' || name !== 'text-properties' || !path.includes('default-style')) return;
      const [language, country] = [attribute('language'), attribute('country')];
      if (language !== null && language !== 'none') {
        found = country === null || country === 'none' ? language : `${language}-${country}`;
      }
    },
  };
  return { reader, found: () => found };
}
