import { deflateSync } from 'node:zlib';

/*
 * Small PDF files for tests: a header, objects, a cross-reference table, a trailer. Text is set in Helvetica, one line 14 points
 * below the other, in WinAnsi: what is beyond Latin-1 needs a font whose ToUnicode says what its codes mean.
 */

export interface PdfOptions {
  readonly title?: string;
  readonly language?: string;
  /** Whether page contents are deflated. */
  readonly deflate?: boolean;
  /** More entries of the trailer, such as /Encrypt. */
  readonly trailer?: string;
  /** Objects by their numbers, which come beside or instead of those that are made. */
  readonly objects?: Readonly<Record<number, string | Buffer>>;
}

/** Numbers of the first objects; pages and their contents follow, two numbers a page. */
export const CATALOG = 1;
export const PAGES = 2;
export const FONT = 3;
export const INFO = 4;
const FIRST_PAGE = 5;

/** A file of pages, each a list of lines. */
export function makePdf(pages: readonly (readonly string[])[], options: PdfOptions = {}): Buffer {
  const { title, language, deflate = false, trailer = '', objects: others = {} } = options;
  const kids = pages.map((_page, index) => `${FIRST_PAGE + 2 * index} 0 R`).join(' ');
  const lang = language === undefined ? '' : ` /Lang (${language})`;
  const objects = new Map<number, string | Buffer>([
    [CATALOG, `<< /Type /Catalog /Pages ${PAGES} 0 R${lang} >>`],
    [PAGES, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`],
    [FONT, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'],
    [INFO, title === undefined ? '<< >>' : `<< /Title <${utf16(title)}> >>`],
  ]);
  for (const [index, lines] of pages.entries()) {
    const number = FIRST_PAGE + 2 * index;
    objects.set(number, pageObject(number + 1));
    objects.set(number + 1, streamObject(showing(lines), deflate));
  }
  for (const [number, object] of Object.entries(others)) objects.set(Number(number), object);
  return fileOf(objects, trailer);
}

export const pageObject = (contents: number) =>
  `<< /Type /Page /Parent ${PAGES} 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 ${FONT} 0 R >> >> /Contents ${contents} 0 R >>`;

/** A font, instead of the one that is there, whose ToUnicode has these lines. */
export const mappedFont = (lines: string) => ({
  [FONT]: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding /ToUnicode 90 0 R >>',
  90: streamObject(`begincmap 1 begincodespacerange <00> <ff> endcodespacerange ${lines} endcmap`, false),
});

/** A stream with its dictionary. */
export function streamObject(content: string | Buffer, deflate: boolean): Buffer {
  const plain = Buffer.from(content as string, 'latin1');
  const bytes = deflate ? deflateSync(plain) : plain;
  const filter = deflate ? ' /Filter /FlateDecode' : '';
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length}${filter} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** The operators that show some lines, one below the other. */
function showing(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj 0 -14 Td`).join('\n');
  return `BT /F1 12 Tf 72 720 Td\n${shown}\nET`;
}

function fileOf(objects: ReadonlyMap<number, string | Buffer>, trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  let length = parts[0]!.length;
  const offsets = new Map<number, number>();
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [number, object] of [...objects].sort(([a], [b]) => a - b)) {
    offsets.set(number, length);
    add(Buffer.from(`${number} 0 obj\n`));
    add(Buffer.from(object as string, 'latin1'));
    add(Buffer.from('\nendobj\n'));
  }
  const size = Math.max(...objects.keys()) + 1;
  const rows = Array.from({ length: size }, (_row, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const start = length;
  add(Buffer.from(`xref\n0 ${size}\n${rows.join('')}`));
  add(Buffer.from(`trailer\n<< /Size ${size} /Root ${CATALOG} 0 R /Info ${INFO} 0 R ${trailer} >>\n`));
  add(Buffer.from(`startxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('hex');
