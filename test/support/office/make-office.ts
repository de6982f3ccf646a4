import { type ZipMember, zipOf } from '../ingest/document-archives.ts';

/* Small office documents and books, as the programs write them that make them. */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const W = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const PACKAGE = 'application/vnd.openxmlformats';
const WORD = `${PACKAGE}-officedocument.wordprocessingml`;

export const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export interface Made {
  readonly title?: string;
  readonly language?: string;
  /** Further parts; one of a name that is there already takes its place. */
  readonly parts?: readonly ZipMember[];
}

function zipped(parts: readonly ZipMember[], { parts: others = [] }: Made): Buffer {
  const names = new Set(others.map(({ name }) => name));
  return zipOf([...parts.filter(({ name }) => !names.has(name)), ...others]);
}

const dublinCore = ({ title, language }: Made) =>
  `${title === undefined ? '' : `<dc:title>${escaped(title)}</dc:title>`}${language === undefined ? '' : `<dc:language>${language}</dc:language>`}`;

/** @param body what is in `w:body`: paragraphs */
export function makeDocx(body: string, made: Made = {}): Buffer {
  const types = [
    ['document', `${WORD}.document.main+xml`],
    ['footnotes', `${WORD}.footnotes+xml`],
    ['styles', `${WORD}.styles+xml`],
  ].map(([name, type]) => `<Override PartName="/word/${name}.xml" ContentType="${type}"/>`);
  return zipped(
    [
      {
        name: '[Content_Types].xml',
        content: `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types.join('')}<Override PartName="/docProps/core.xml" ContentType="${PACKAGE}-package.core-properties+xml"/></Types>`,
      },
      { name: '_rels/.rels', content: `${XML}<Relationships/>` },
      { name: 'word/document.xml', content: `${XML}<w:document xmlns:w="${W}"><w:body>${body}</w:body></w:document>` },
      {
        name: 'docProps/core.xml',
        content: `${XML}<cp:coreProperties xmlns:cp="c" xmlns:dc="d">${dublinCore(made)}</cp:coreProperties>`,
      },
    ],
    made,
  );
}

export const docxParagraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`;

/** @param body what is in `office:text` */
export function makeOdt(body: string, made: Made & { readonly styles?: string } = {}): Buffer {
  const { styles = '' } = made;
  return zipped(
    [
      { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', isStored: true },
      {
        name: 'content.xml',
        content: `${XML}<office:document-content xmlns:office="o" xmlns:text="t" xmlns:style="s"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
      },
      {
        name: 'meta.xml',
        content: `${XML}<office:document-meta xmlns:office="o" xmlns:dc="d"><office:meta>${dublinCore(made)}</office:meta></office:document-meta>`,
      },
      { name: 'META-INF/manifest.xml', content: `${XML}<manifest:manifest xmlns:manifest="m"/>` },
    ],
    made,
  );
}

export const odtParagraph = (text: string) => `<text:p>${escaped(text)}</text:p>`;

/** @param chapters what is in the `body` of each page, in the order of the spine */
export function makeEpub(chapters: readonly string[], made: Made = {}): Buffer {
  const items = chapters.map(
    (_, i) => `<item id="c${i}" href="text/chapter%20${i}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  const nav = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>';
  const spine = chapters.map((_, i) => `<itemref idref="c${i}"/>`);
  const page = (body: string) =>
    `${XML}<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body>${body}</body></html>`;
  return zipped(
    [
      { name: 'mimetype', content: 'application/epub+zip', isStored: true },
      {
        name: 'META-INF/container.xml',
        content: `${XML}<container><rootfiles><rootfile full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
      },
      // not in the order of the spine
      ...chapters.map((body, i) => ({ name: `OPS/text/chapter ${i}.xhtml`, content: page(body) })).toReversed(),
      { name: 'OPS/nav.xhtml', content: page('<nav><ol><li>Contents of the whole book</li></ol></nav>') },
      {
        name: 'OPS/book.opf',
        content: `${XML}<package xmlns:dc="d"><metadata>${dublinCore(made)}</metadata><manifest>${nav}${items.join('')}</manifest><spine><itemref idref="nav"/>${spine.join('')}</spine></package>`,
      },
    ],
    made,
  );
}

/** @param body RTF behind its head */
export function makeRtf(body: string, { title }: Pick<Made, 'title'> = {}): Buffer {
  const info = title === undefined ? '' : `{\\info{\\title ${rtfText(title)}}{\\author Nobody}}`;
  return Buffer.from(
    `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\froman\\fcharset0 Times New Roman;}{\\f1\\fnil\\fcharset204 Cyrillic;}{\\f2\\fnil\\fcharset128 Mincho;}}{\\colortbl;\\red1\\green2\\blue3;}{\\stylesheet{\\s1 heading 1;}}{\\*\\generator Some Program;}${info}\\pard\\plain ${body}}`,
    'latin1',
  );
}

/** A text as RTF. */
export const rtfText = (text: string) =>
  text
    .replace(/[\\{}]/g, (sign) => `\\${sign}`)
    .replace(/[^\0-\x7f]/g, (sign) =>
      [...sign]
        .flatMap((one) => one.split(''))
        .map((unit) => `\\u${(unit.charCodeAt(0) << 16) >> 16}?`)
        .join(''),
    )
    .replaceAll('\n', '\\par\n');
