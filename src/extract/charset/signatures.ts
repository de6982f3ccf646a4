/*
 * How files that are not text begin, so that a refusal can say what it saw. After the WHATWG MIME Sniffing Standard,
 * "matching a MIME type pattern", with the archives, programs and office files that users send by mistake.
 */

interface Signature {
  readonly name: string;
  /** Latin-1: one character a byte. */
  readonly bytes: string;
  readonly offset?: number;
  /** Its bytes could open a text ("BM", "ID3"): it counts only where control bytes follow. */
  readonly printable?: true;
}

const SIGNATURES: readonly Signature[] = [
  { name: 'a PDF file', bytes: '%PDF-' },
  { name: 'a PostScript file', bytes: '%!PS' },
  { name: 'an RTF file', bytes: '{\\rtf' },
  { name: 'a PNG image', bytes: '\x89PNG\r\n\x1a\n' },
  { name: 'a JPEG image', bytes: '\xff\xd8\xff' },
  { name: 'a GIF image', bytes: 'GIF8', printable: true },
  { name: 'a BMP image', bytes: 'BM', printable: true },
  { name: 'a TIFF image', bytes: 'II*\0' },
  { name: 'a TIFF image', bytes: 'MM\0*' },
  { name: 'an icon', bytes: '\0\0\x01\0' },
  { name: 'a WebP image', bytes: 'WEBP', offset: 8, printable: true },
  { name: 'a RIFF file (WAV or AVI)', bytes: 'RIFF', printable: true },
  { name: 'an MP4 or HEIF file', bytes: 'ftyp', offset: 4, printable: true },
  { name: 'a Matroska or WebM video', bytes: '\x1a\x45\xdf\xa3' },
  { name: 'an MP3 file', bytes: 'ID3', printable: true },
  { name: 'an Ogg file', bytes: 'OggS', printable: true },
  { name: 'a FLAC file', bytes: 'fLaC', printable: true },
  { name: 'a Parquet file that is encrypted', bytes: 'PARE', printable: true },
  { name: 'an Arrow file', bytes: 'ARROW1\0\0' },
  { name: 'a Feather file', bytes: 'FEA1', printable: true },
  { name: 'an Avro file', bytes: 'Obj\x01' },
  { name: 'an ORC file', bytes: 'ORC', printable: true },
  { name: 'an HDF5 file', bytes: '\x89HDF\r\n\x1a\n' },
  { name: 'a netCDF file', bytes: 'CDF\x01' },
  { name: 'a netCDF file', bytes: 'CDF\x02' },
  { name: 'a netCDF file', bytes: 'CDF\x05' },
  { name: 'an R data file', bytes: 'RDX2\nX\n' },
  { name: 'an R data file', bytes: 'RDX3\nX\n' },
  { name: 'an R data file', bytes: 'X\n\0\0\0\x02' },
  { name: 'an R data file', bytes: 'X\n\0\0\0\x03' },
  ...['\x02', '\x03', '\x04', '\x05'].map((version) => ({ name: 'a Python pickle', bytes: `\x80${version}` })),
  { name: 'a NumPy array', bytes: '\x93NUMPY' },
  { name: 'an SPSS file', bytes: '$FL2@(#)', printable: true },
  { name: 'a DuckDB database', bytes: 'DUCK', offset: 8, printable: true },
  { name: 'a ZIP archive', bytes: 'PK\x03\x04' },
  { name: 'an old office document, or an encrypted one', bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { name: 'gzip data', bytes: '\x1f\x8b' },
  { name: 'bzip2 data', bytes: 'BZh', printable: true },
  { name: 'xz data', bytes: '\xfd7zXZ\0' },
  { name: 'Zstandard data', bytes: '\x28\xb5\x2f\xfd' },
  { name: 'a 7z archive', bytes: '7z\xbc\xaf\x27\x1c' },
  { name: 'a RAR archive', bytes: 'Rar!\x1a\x07' },
  { name: 'an LZ4 file', bytes: '\x04\x22\x4d\x18' },
  { name: 'an LZ4 file', bytes: '\x02\x21\x4c\x18' },
  { name: 'an LZMA file', bytes: '\x5d\0\0' },
  { name: 'an lzip file', bytes: 'LZIP', printable: true },
  { name: 'an lzop file', bytes: '\x89LZO\0' },
  { name: 'a file of compress (.Z)', bytes: '\x1f\x9d' },
  { name: 'a Snappy file', bytes: '\xff\x06\0\0sNaPpY' },
  { name: 'a cabinet file', bytes: 'MSCF', printable: true },
  { name: 'a Debian package or a library', bytes: '!<arch>\n' },
  { name: 'an RPM package', bytes: '\xed\xab\xee\xdb' },
  { name: 'a tar archive', bytes: 'ustar', offset: 257, printable: true },
  { name: 'a program (ELF)', bytes: '\x7fELF' },
  { name: 'a program (Windows)', bytes: 'MZ', printable: true },
  { name: 'a Java class or a macOS program', bytes: '\xca\xfe\xba\xbe' },
  { name: 'a WebAssembly module', bytes: '\0asm' },
  { name: 'a SQLite database', bytes: 'SQLite format 3\0' },
  { name: 'a font', bytes: 'wOF', printable: true },
  { name: 'a font', bytes: '\0\x01\0\0' },
];

/** How many bytes are looked at: the "resource header" of the standard. */
export const HEAD_BYTES = 1445;

/** Text holds at most one control byte in so many: text taken from PDF files has some, compressed data one in ten. */
const CONTROL_SHARE = 20;
/** So few control bytes prove nothing, in however short a text. */
const CONTROLS_HARMLESS = 4;
/** The standard's "binary data bytes": controls other than tab, line feed, form feed, carriage return and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/g;

/**
 * What a document's first bytes look like where they are no text, such as "a PNG image"; null where they may be text.
 *
 * @param head the first {@link HEAD_BYTES} bytes as Latin-1.
 * @param expectControls the text may hold control bytes (UTF-16, or it begins like a page): only a signature counts.
 */
export function binaryKind(head: string, expectControls: () => boolean): string | null {
  const controls = head.match(CONTROLS)?.length ?? 0;
  for (const { name, bytes, offset = 0, printable } of SIGNATURES) {
    if (printable === true && controls === 0) continue;
    if (head.startsWith(bytes, offset)) return name;
  }
  if (controls <= CONTROLS_HARMLESS || expectControls()) return null;
  return controls * CONTROL_SHARE > head.length ? 'binary data' : null;
}

/**
 * What a file is by its first bytes, such as "an Arrow file", where no list of records begins so; null where one may.
 *
 * @param head the first {@link HEAD_BYTES} bytes as Latin-1. A signature that could open a text counts only if a zero is
 * among them
 */
export function binaryFormat(head: string): string | null {
  const hasZero = head.includes('\0');
  const found = SIGNATURES.find(
    ({ bytes, offset = 0, printable }) => (printable !== true || hasZero) && head.startsWith(bytes, offset),
  );
  return found?.name ?? null;
}

interface ByteOrderMark {
  readonly charset: 'utf-8' | 'utf-16le' | 'utf-16be';
  /** Bytes that the mark itself takes. */
  readonly bytes: number;
}

/** The byte order mark that a document begins with, null where there is none. It overrules every declaration. */
export function byteOrderMark(bytes: Uint8Array): ByteOrderMark | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return { charset: 'utf-8', bytes: 3 };
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { charset: 'utf-16le', bytes: 2 };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { charset: 'utf-16be', bytes: 2 };
  return null;
}
