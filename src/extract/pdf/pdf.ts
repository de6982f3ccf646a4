import { Buffer } from 'node:buffer';
import type * as PdfJs from 'unpdf/pdfjs';
import { ShingledError } from '../../errors.ts';
import { checkTextLength } from '../extract.ts';
import { languageOf } from '../html/tag-reader.ts';
import type { FileText } from '../office/file-text.ts';
import { asUnreadable, checkTime, type Reading, unreadable } from '../reading.ts';
import { shownTitle } from '../title.ts';
import { joinPartedWords } from './line-ends.ts';
import { type LinePiece, readLine } from './pieces-of-line.ts';

/*
 * The text of a PDF file, read by pdf.js (which the package unpdf bundles for servers).
 *
 *   is text        what pages show as text, in the order in which the file shows it, columns, head and foot lines too;
 *                  page after page; lines of Arabic and Hebrew from the right: pieces-of-line.ts
 *   separates      a line's end, a gap in a line, a page's end; a word that a line's end parts is made whole: line-ends.ts
 *   is no text     images, among them scanned pages; annotations, fields of forms, bookmarks, attachments
 *   title          of the document's information, else of its XMP metadata
 *   language       /Lang of the catalog
 *
 * A PDF file can be made to cost what it likes. So this runs in a process of its own with a deadline and a memory limit
 * (workers/parser-lane.ts). It has the bytes and nothing else. No script is run, nothing is drawn, fetched or read from
 * disk. A file that asks for what is not in it is refused where its text would be wrong without: character maps.
 */

/** As package.json pins it. */
const INSTALL = 'npm install unpdf@1.8.1';

/** Where readers look for "%PDF-", pdf.js too. */
const HEADER_BYTES = 1024;
/** So much of a title or a language is looked at: a file may give megabytes. */
const SHOWN_UNITS_READ = 4096;

/** Nothing is read but the file, nothing is drawn, and nothing is said on the console. */
const ALONE = {
  verbosity: 0,
  enableXfa: false,
  disableFontFace: true,
  useSystemFonts: false,
  useWorkerFetch: false,
  useWasm: false,
  isOffscreenCanvasSupported: false,
  isImageDecoderSupported: false,
} as const;

const FILE = 'The PDF file';

/**
 * The text of a document that is a PDF file by its type or its bytes.
 *
 * @throws OutOfTime; ShingledError `body-too-large`, `unsupported-media-type`, `unreadable-document` or `document-too-complex`
 */
export async function readPdf(bytes: Uint8Array, reading: Reading): Promise<FileText> {
  const { limits } = reading;
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER_BYTES)).includes('%PDF-')) {
    throw unsupported('The bytes are no PDF file: "%PDF-" is not among the first 1,024');
  }
  const pdfjs = await loadPdfReader();
  const asked = new AskedFor();
  const factory = asked.factory as unknown as object;
  // pdf.js takes the array for its own
  const task = pdfjs.getDocument({ data: new Uint8Array(bytes), ...ALONE, BinaryDataFactory: factory });
  try {
    const file = await task.promise;
    const text = await textOfPages(file, reading);
    if (asked.characterMap !== null)
      throw unreadable(FILE, `needs the character map ${asked.characterMap} and does not hold it`);
    if (isUnmapped(text)) throw unreadable(FILE, 'has text, but its fonts do not say which letters they show');
    const utf8 = Buffer.from(joinPartedWords(text));
    checkTextLength(utf8.length, limits);
    return { text: utf8, ...(await aboutOf(file)) };
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException';
    throw isLocked ? unreadable(FILE, 'is encrypted, and opens by a password only', error) : asUnreadable(FILE, error);
  } finally {
    await task.destroy();
  }
}

/** Takes 0.2 s of a core the first time. @throws ShingledError `unsupported-media-type` where it is not installed */
export async function loadPdfReader(): Promise<typeof PdfJs> {
  try {
    return await import('unpdf/pdfjs');
  } catch (cause) {
    throw unsupported(`PDF files are read where the optional package unpdf is installed: ${INSTALL}`, cause);
  }
}

async function textOfPages(file: PdfJs.PDFDocumentProxy, reading: Reading): Promise<string> {
  const { numPages } = file;
  const { limits } = reading;
  const { pdfPagesMax } = limits;
  // a page tree may give any number
  if (!(numPages > 0)) throw unreadable(FILE, 'has no pages');
  if (numPages > pdfPagesMax) throw tooManyPages(numPages, pdfPagesMax);
  const parts: string[] = [];
  let units = 0;
  for (let number = 1; number <= numPages; number++) {
    const page = await file.getPage(number);
    let line: LinePiece[] = [];
    for await (const { items } of page.streamTextContent() as ReadableStream<TextContent>) {
      checkTime(reading);
      for (const item of items) {
        if (!('str' in item)) continue;
        line.push({ text: item.str, x: item.transform[4] as number });
        units += item.str.length;
        if (!item.hasEOL) continue;
        parts.push(readLine(line), '\n');
        units++;
        line = [];
      }
      // a character of UTF-8 has at least as many bytes as units here
      checkTextLength(units, limits);
    }
    parts.push(readLine(line), '\n');
    page.cleanup();
  }
  return parts.join('');
}

/** Whether a text layer has fewer letters and numbers than characters that stand for nothing: fonts have their own codes. */
function isUnmapped(text: string): boolean {
  const unmapped = text.match(UNMAPPED)?.length ?? 0;
  return unmapped > 0 && unmapped > (text.match(LETTERS_AND_NUMBERS)?.length ?? 0);
}

const UNMAPPED = /[[\p{Co}\p{Cn}\p{Cc}\ufffd]--[\n\r\t]]/gv;
const LETTERS_AND_NUMBERS = /[\p{L}\p{N}]/gu;

type TextContent = Awaited<ReturnType<PdfJs.PDFPageProxy['getTextContent']>>;

/** What the file says of itself; a damaged description is none. */
async function aboutOf(file: PdfJs.PDFDocumentProxy): Promise<Pick<FileText, 'title' | 'language'>> {
  const { info, metadata } = await file.getMetadata().catch(() => ({ info: {}, metadata: null }));
  const { Title, Language } = info as Readonly<Record<string, unknown>>;
  return {
    title: shownTitle(shown(Title)) ?? shownTitle(shown(metadata?.get('dc:title'))),
    language: languageOf(shown(Language)),
  };
}

const shown = (value: unknown) => (typeof value === 'string' ? value.slice(0, SHOWN_UNITS_READ) : '');

/** Notes what pdf.js asks for beside the file, and gives it nothing. Standard fonts it can do without. */
class AskedFor {
  characterMap: string | null = null;

  readonly factory = (() => {
    const note = (filename: string) => {
      this.characterMap = filename
        .replace(/\.bcmap$/, '')
        .replace(/[^\w-]/g, '?')
        .slice(0, 100);
    };
    return class {
      fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<never> {
        if (kind === 'cMapUrl') note(filename);
        return Promise.reject(new Error('Nothing is read beside the file'));
      }
    };
  })();
}

function unsupported(message: string, cause?: unknown): ShingledError {
  return new ShingledError('unsupported-media-type', message, { cause });
}

function tooManyPages(pages: number, value: number): ShingledError {
  return new ShingledError('document-too-complex', `The PDF file has ${pages} pages, more than ${value}`, {
    limit: { name: 'pdfPagesMax', value },
  });
}
