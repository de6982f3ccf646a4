/*
 * Documents that are files of a kind of their own, neither HTML nor text nor features. By its type, or by its bytes
 * (extract/charset/file-kind.ts), such a document goes wherever bytes with a type go.
 */

export type FileKind = 'pdf' | 'docx' | 'odt' | 'epub' | 'rtf' | 'mail';

/** As what a file is read. */
export const FILE_TYPES = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  odt: 'application/vnd.oasis.opendocument.text',
  epub: 'application/epub+zip',
  rtf: 'application/rtf',
  mail: 'message/rfc822',
} as const satisfies Record<FileKind, string>;

/** What they are called where it is said what is read. */
export const FILE_NAMES = 'PDF, .docx, .odt, .epub, .rtf, .eml and .mhtml';

const BY_TYPE: ReadonlyMap<string, FileKind> = new Map([
  ...Object.entries(FILE_TYPES).map(([kind, type]): [string, FileKind] => [type, kind as FileKind]),
  ['application/x-pdf', 'pdf'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.template', 'docx'],
  ['application/vnd.ms-word.document.macroenabled.12', 'docx'],
  ['application/vnd.ms-word.template.macroenabled.12', 'docx'],
  ['application/vnd.oasis.opendocument.text-template', 'odt'],
  ['text/rtf', 'rtf'],
  ['application/x-rtf', 'rtf'],
  ['multipart/related', 'mail'],
  ['application/x-mimearchive', 'mail'],
]);

/**
 * The kind of file that a media type names; null: none of these.
 *
 * @param essence `type/subtype`, in letters of either case; what stands behind a semicolon does not count
 */
export function fileKindOfType(essence: string): FileKind | null {
  return BY_TYPE.get(essence.split(';', 1)[0]!.trim().toLowerCase()) ?? null;
}
