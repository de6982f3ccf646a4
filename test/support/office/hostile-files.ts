import { zipOf } from '../ingest/document-archives.ts';
import { createPrng, type Prng } from '../prng.ts';
import { docxParagraph, makeDocx, makeEpub, makeOdt, makeRtf, odtParagraph } from './make-office.ts';

/* Office documents, books and mail that are made to cost what they can, or are damaged: each by a seed. */

export interface HostileFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What a bomb unpacks to, in bytes, where its file is to stay small. */
const BOMB_BYTES = 300_000_000;

type Maker = (prng: Prng, size: number) => Buffer;

const docxOf = (xml: string | Buffer) => makeDocx('', { parts: [{ name: 'word/document.xml', content: xml }] });
const odtOf = (xml: string | Buffer) => makeOdt('', { parts: [{ name: 'content.xml', content: xml }] });
const around = (start: string, filling: string, size: number, end: string) =>
  Buffer.concat([Buffer.from(start), Buffer.alloc(size, filling), Buffer.from(end)]);

const LAUGHS = `<!DOCTYPE d [<!ENTITY a0 "ha">${Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "&a${i};&a${i};">`).join('')}]>`;

/** XML of any size that a parser may stumble over. */
const XML: Readonly<Record<string, (size: number) => Buffer>> = {
  'elements in elements': (size) => Buffer.alloc(size, '<w:p>'),
  'elements beside elements': (size) => around('<a>', '<w:p/>', size, '</a>'),
  'one text': (size) => around('<w:p><w:r><w:t>', 'ha ', size, '</w:t></w:r></w:p>'),
  'text that is no text': (size) => around('<w:del><w:t>', 'ha ', size, '</w:t></w:del>'),
  'one attribute': (size) => around('<w:p a="', 'x', size, '">'),
  attributes: (size) => {
    const count = Math.min(2_000_000, Math.floor(size / 8));
    return Buffer.from(`<w:p ${Array.from({ length: count }, (_, i) => `a${i}="" `).join('')}>`);
  },
  'one name': (size) => around('<', 'x', size, '>'),
  'a comment': (size) => around('<!--', '-', size, ''),
  'a CDATA section': (size) => around('<![CDATA[', ']', size, ''),
  'an instruction': (size) => around('<?x ', '?', size, ''),
  'a declaration': (size) => around('<!DOCTYPE x [', '<!ENTITY a "b">', size, ''),
  'entities in entities': () => Buffer.from(`${LAUGHS}<w:p><w:r><w:t>&a30;</w:t></w:r></w:p>`),
  'an external entity': () =>
    Buffer.from('<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><w:p><w:r><w:t>&a;</w:t></w:r></w:p>'),
  'closing tags': (size) => Buffer.alloc(size, '</w:p>'),
  references: (size) => around('<w:p><w:r><w:t>', '&#x1f339;', size, ''),
  'the wrong charset': (size) => around('<?xml version="1.0" encoding="utf-16"?>', '\xff\xfe', Math.min(size, 1e6), ''),
};

const RTF: Readonly<Record<string, (size: number) => string>> = {
  'groups in groups': (size) => '{'.repeat(size),
  'ends of groups': (size) => '}'.repeat(size),
  'bytes that are not there': () => '\\bin2147483647 words',
  'bytes below none': () => '\\bin-5 words',
  'one word': (size) => `\\${'x'.repeat(size)}`,
  'one number': (size) => `\\u${'9'.repeat(size)}`,
  'characters of Unicode': (size) => '\\u-1?'.repeat(size / 5),
  'characters to pass over': (size) => `\\uc2147483647 \\u1 ${'words '.repeat(size / 6)}`,
  fonts: (size) =>
    `{\\fonttbl${Array.from({ length: size / 20 }, (_, i) => `{\\f${i}\\fcharset204 x;}`).join('')}}words`,
  'code pages': (size) => Array.from({ length: size / 16 }, (_, i) => `\\ansicpg${i}\\'e9`).join(''),
  'bytes of two-byte characters': (size) => `\\f2 ${"\\'93".repeat(size / 4)}`,
  footnotes: (size) => '{\\footnote a}'.repeat(size / 13),
  'destinations of two kinds': (size) => '{\\upr{a}{\\*\\ud '.repeat(Math.min(200, size)),
};

const mime = (head: string, body: string) => Buffer.from(`MIME-Version: 1.0\r\n${head}\r\n\r\n${body}`, 'latin1');
const MAIL: Readonly<Record<string, (size: number) => Buffer>> = {
  parts: (size) => mime('Content-Type: multipart/mixed; boundary=b', '--b\r\n\r\nwords\r\n'.repeat(size / 14)),
  'parts of nothing': (size) => mime('Content-Type: multipart/mixed; boundary=b', '--b\r\n'.repeat(size / 5)),
  'parts in parts': (size) => {
    const levels = Array.from(
      { length: Math.min(5000, size / 60) },
      (_, i) => `--b${i}\r\nContent-Type: multipart/mixed; boundary=b${i + 1}\r\n\r\n`,
    );
    return mime('Content-Type: multipart/mixed; boundary=b0', levels.join(''));
  },
  'no boundary': (size) => mime('Content-Type: multipart/related; boundary=""', '--\r\n'.repeat(size / 4)),
  'almost boundaries': (size) => mime('Content-Type: multipart/related; boundary=b', '--bb'.repeat(size / 4)),
  'one header': (size) => mime(`Content-Type: multipart/mixed; boundary=b\r\nSubject: ${'x'.repeat(size)}`, 'words'),
  'folded headers': (size) =>
    mime(`Content-Type: multipart/mixed; boundary=b\r\nSubject: x${'\r\n x'.repeat(size / 4)}`, 'words'),
  'encoded words': (size) =>
    mime(
      `Content-Type: multipart/mixed; boundary=b\r\nSubject: ${'=?utf-8?B?4oKs?= '.repeat(size / 17)}`,
      '--b\r\n\r\nwords',
    ),
  parameters: (size) =>
    mime(`Content-Type: multipart/mixed; boundary=b${'; a*0="b"'.repeat(size / 9)}`, '--b\r\n\r\nwords'),
  'quoted-printable without an end': (size) =>
    mime(
      'Content-Type: multipart/mixed; boundary=b',
      `--b\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${'='.repeat(size)}`,
    ),
  'base64 of nothing': (size) =>
    mime(
      'Content-Type: multipart/mixed; boundary=b',
      `--b\r\nContent-Transfer-Encoding: base64\r\n\r\n${'!'.repeat(size)}`,
    ),
  'messages in messages': (size) =>
    mime(
      'Content-Type: multipart/mixed; boundary=b',
      `--b\r\n${'Content-Type: message/rfc822\r\n\r\n'.repeat(size / 32)}words`,
    ),
};

/** As many as a ZIP archive has without its later extension. */
const ENTRIES_MAX = 65_000;

const ZIP: Readonly<Record<string, Maker>> = {
  entries: (_, size) =>
    zipOf(
      [
        '[Content_Types].xml',
        'word/document.xml',
        ...Array.from({ length: Math.min(ENTRIES_MAX, size / 100) }, (__, i) => `${i}`),
      ].map((name) => ({ name, content: '' })),
    ),
  'entries of one name': (_, size) =>
    zipOf(
      [
        '[Content_Types].xml',
        ...Array.from({ length: Math.min(ENTRIES_MAX, size / 100) }, () => 'word/document.xml'),
      ].map((name) => ({
        name,
        content: '<a/>',
      })),
    ),
  'pages that unpack to much': (_, size) => {
    const page = ' words'.repeat(size / 6);
    return makeEpub(Array.from({ length: Math.min(40, size / 100) }, () => page));
  },
  'a spine of one page': (_, size) => {
    const itemrefs = '<itemref idref="c0"/>'.repeat(size / 21);
    const content = `<package><manifest><item id="c0" href="text/chapter%200.xhtml" media-type="application/xhtml+xml"/></manifest><spine>${itemrefs}</spine></package>`;
    return makeEpub(['<p>words'], { parts: [{ name: 'OPS/book.opf', content }] });
  },
  'a page of any size': (_, size) => makeEpub([`<p>${'<i>'.repeat(size / 3)}`]),
  'pages that lead out': () => {
    const content =
      '<package><manifest><item id="c0" href="../../../../etc/passwd" media-type="text/html"/></manifest><spine><itemref idref="c0"/></spine></package>';
    return makeEpub(['<p>words'], { parts: [{ name: 'OPS/book.opf', content }] });
  },
};

/** A sound file with some of its bytes changed, cut out or doubled. */
function damaged(prng: Prng): Buffer {
  const paragraphs = Array.from({ length: 20 }, (_, i) => `paragraph ${i} of a document`);
  const sound = [
    () => makeDocx(paragraphs.map(docxParagraph).join(''), { title: 'A title' }),
    () => makeOdt(paragraphs.map(odtParagraph).join(''), { title: 'A title' }),
    () =>
      makeEpub(
        paragraphs.map((text) => `<p>${text}</p>`),
        { title: 'A title' },
      ),
    () => makeRtf(paragraphs.join('\\par '), { title: 'A title' }),
    () => MAIL['parts']!(400),
  ][prng.below(5)]!();
  const bytes = Buffer.from(sound);
  const times = 1 + prng.below(8);
  for (let i = 0; i < times; i++) bytes[4 + prng.below(bytes.length - 4)] = prng.below(256);
  const at = 4 + prng.below(bytes.length - 4);
  const to = at + prng.below(bytes.length - at);
  const parts = [
    [bytes],
    [bytes.subarray(0, at)],
    [bytes.subarray(0, at), bytes.subarray(to)],
    [bytes.subarray(0, to), bytes.subarray(at)],
  ][prng.below(4)]!;
  return Buffer.concat(parts);
}

/**
 * @param size of what is made large, in bytes; what is packed unpacks to as much, or to a bomb
 * @returns the first files are one of each kind, the others damaged ones
 */
export function hostileFile(seed: number, size: number): HostileFile {
  const prng = createPrng(seed);
  const isBomb = size >= 1_000_000;
  const packed = isBomb ? BOMB_BYTES : size;
  const makers: (readonly [string, () => Buffer])[] = [
    ...Object.entries(XML).map(([name, make]) => [`.docx: ${name}`, () => docxOf(make(packed))] as const),
    ...Object.entries(XML).map(([name, make]) => [`.odt: ${name}`, () => odtOf(make(packed))] as const),
    ...Object.entries(RTF).map(([name, make]) => [`.rtf: ${name}`, () => makeRtf(make(size))] as const),
    ...Object.entries(MAIL).map(([name, make]) => [`mail: ${name}`, () => make(size)] as const),
    ...Object.entries(ZIP).map(([name, make]) => [`ZIP: ${name}`, () => make(prng, size)] as const),
  ];
  const [name, make] = makers[seed] ?? ['damaged', () => damaged(prng)];
  return { name, bytes: make() };
}
