import type { FileKind } from '../features/file-types.ts';
import { checkDocumentBytes, type ExtractedText, type RawDocument } from './extract.ts';
import type { FileText } from './office/file-text.ts';
import { asUnreadable, type Reading } from './reading.ts';

/*
 * Files that are neither HTML nor text, each by its reader. Any of them can be made to cost what it likes, so this runs in a
 * process of its own (workers/parser-lane.ts). A reader is loaded when the first file of its kind comes.
 */

type ReadFile = (document: RawDocument, reading: Reading) => FileText | Promise<FileText>;

interface Reader {
  /** The subject of messages about a damaged file. */
  readonly file: string;
  readonly load: () => Promise<ReadFile>;
}

const READERS: Readonly<Record<FileKind, Reader>> = {
  pdf: {
    file: 'The PDF file',
    load: async () => {
      const { loadPdfReader, readPdf } = await import('./pdf/pdf.ts');
      // if the package is missing, reading each file says so
      await loadPdfReader().catch(() => {});
      return ({ bytes }, reading) => readPdf(bytes, reading);
    },
  },
  docx: {
    file: 'The .docx file',
    load: async () => {
      const { readDocx } = await import('./office/docx.ts');
      return ({ bytes }, reading) => readDocx(bytes, reading);
    },
  },
  odt: {
    file: 'The .odt file',
    load: async () => {
      const { readOdt } = await import('./office/odt.ts');
      return ({ bytes }, reading) => readOdt(bytes, reading);
    },
  },
  epub: {
    file: 'The .epub file',
    load: async () => {
      const { readEpub } = await import('./office/epub.ts');
      return ({ bytes }, reading) => readEpub(bytes, reading);
    },
  },
  rtf: {
    file: 'The .rtf file',
    load: async () => {
      const { readRtf } = await import('./office/rtf.ts');
      return ({ bytes }, reading) => readRtf(bytes, reading);
    },
  },
  mail: {
    file: 'The mail',
    load: async () => {
      const { readMail } = await import('./mail/mail.ts');
      return ({ bytes, contentType }, reading) => readMail(bytes, contentType, reading);
    },
  },
};

/** Makes a reader ready: that takes time, the first time, which is no fault of the file. */
export async function loadReader(kind: FileKind): Promise<void> {
  await READERS[kind].load();
}

/**
 * The text of a file.
 *
 * @throws OutOfTime; ShingledError `body-too-large`, `unsupported-media-type`, `unreadable-document`, `document-too-complex`,
 *   `unsupported-charset`
 */
export async function extractFile(kind: FileKind, document: RawDocument, reading: Reading): Promise<ExtractedText> {
  checkDocumentBytes(document.bytes, reading.limits);
  const { file, load } = READERS[kind];
  const read = await load();
  try {
    return { ...(await read(document, reading)), main: null, charset: 'utf-8', kind };
  } catch (error) {
    throw asUnreadable(file, error);
  }
}
