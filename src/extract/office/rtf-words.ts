/* Words of RTF that mean text, and numbers that name the character set of bytes. */

/** What a control word or symbol writes. */
export const CONTROL_TEXTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ par: '\n', line: '\n', sect: '\n', page: '\n', column: '\n', '\r': '\n', '\n': '\n' },
    ...{ row: '\n', cell: '\n', nestrow: '\n', nestcell: '\n', tab: '\t' },
    ...{ emspace: ' ', enspace: ' ', qmspace: ' ', '~': '\u00a0', _: '\u2011', '-': '\u00ad' },
    ...{ emdash: '\u2014', endash: '\u2013', bullet: '\u2022', zwj: '\u200d', zwnj: '\u200c' },
    ...{ lquote: '\u2018', rquote: '\u2019', ldblquote: '\u201c', rdblquote: '\u201d' },
    ...{ '\\': '\\', '{': '{', '}': '}' },
  }),
);

/** Those behind which something else begins. */
export const PARAGRAPH_ENDS = new Set(['par', 'sect', 'row', 'cell', 'nestrow', 'nestcell', '\r', '\n']);

type Decoder = InstanceType<typeof TextDecoder>;

/** What browsers call a code page of Windows; those that are not here are "windows-" and their number. */
const LABELS: Readonly<Record<number, string>> = {
  ...{ 874: 'windows-874', 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5', 866: 'ibm866' },
  ...{ 10000: 'macintosh', 10007: 'x-mac-cyrillic', 20127: 'windows-1252', 20866: 'koi8-r', 21866: 'koi8-u' },
  ...{ 28591: 'windows-1252', 28592: 'iso-8859-2', 28595: 'iso-8859-5', 54936: 'gb18030', 65001: 'utf-8' },
};

/** The code page of each character set of a font; what is left out is that of the document. */
const CODE_PAGES: Readonly<Record<number, number>> = {
  ...{ 0: 1252, 77: 10_000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255 },
  ...{ 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250 },
};

const decoders = new Map<number, Decoder>();

/** The decoder of a code page; that of Western Europe if the page is unknown. */
export function decoderOfCodePage(codePage: number): Decoder {
  const known = decoders.get(codePage);
  if (known !== undefined) return known;
  const decoder = decoderOf(LABELS[codePage] ?? `windows-${codePage}`);
  if (decoders.size < DECODERS_MAX) decoders.set(codePage, decoder);
  return decoder;
}

const DECODERS_MAX = 64;

function decoderOf(label: string): Decoder {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('windows-1252');
  }
}

/** The decoder of a font by its character set; null: that of the document. */
export function decoderOfCharset(charset: number): Decoder | null {
  const codePage = CODE_PAGES[charset];
  return codePage === undefined ? null : decoderOfCodePage(codePage);
}
