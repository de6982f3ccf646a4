import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILE_TYPES, type FileKind } from '../../src/extract/charset/file-kind.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import {
  docxParagraph,
  escaped,
  makeDocx,
  makeEpub,
  makeOdt,
  makeRtf,
  odtParagraph,
  rtfText,
} from '../support/office/make-office.ts';
import { makeZip } from '../support/office/make-zip.ts';
import { begin, input, settled } from '../support/workers/pipeline.ts';

let shared: ReturnType<typeof begin>;
let strict: ReturnType<typeof begin>;
beforeAll(() => {
  shared = begin();
  strict = begin({ limits: { ...DEFAULT_EXTRACT_LIMITS, unpackedBytesMax: 4_000_000 } });
});
afterAll(() => Promise.all([shared.close(), strict.close()]));

const read = (bytes: Uint8Array, contentType: string | null = null) => shared.process(input(bytes, { contentType }));
const textOf = async (bytes: Uint8Array) => Buffer.from((await read(bytes)).text!).toString();
const wordsOf = async (bytes: Uint8Array) =>
  (await textOf(bytes))
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');

const PARAGRAPHS = [
  'A rose is a rose & <no> tulip',
  'Dog roses smell of \u00e9t\u00e9 in \u6771\u4eac \u{1f339}',
  'The end of roses',
];
const MADE: Readonly<Record<Exclude<FileKind, 'pdf' | 'mail'>, (paragraphs: readonly string[]) => Buffer>> = {
  docx: (paragraphs) => makeDocx(paragraphs.map(docxParagraph).join('')),
  odt: (paragraphs) => makeOdt(paragraphs.map(odtParagraph).join('')),
  epub: (paragraphs) => makeEpub(paragraphs.map((text) => `<p>${escaped(text)}</p>`)),
  rtf: (paragraphs) => makeRtf(paragraphs.map((text) => `${rtfText(text)}\\par\n`).join('')),
};
const KINDS = Object.keys(MADE) as (keyof typeof MADE)[];

describe('an office document or a book', () => {
  it.each(KINDS)('as .%s has the words of its text sent as text and as HTML', async (kind) => {
    const file = MADE[kind](PARAGRAPHS);
    const [document, text, html] = await Promise.all([
      read(file),
      shared.process(input(PARAGRAPHS.join('\n'), { contentType: 'text/plain' })),
      shared.process(input(PARAGRAPHS.map((one) => `<p>${escaped(one)}</p>`).join(''))),
    ]);
    expect(document.mediaType).toBe(FILE_TYPES[kind]);
    expect([document.lexicalDigest, document.sketch]).toEqual([text.lexicalDigest, text.sketch]);
    expect(html.lexicalDigest).toBe(document.lexicalDigest);
    expect(document.bytesDigest).not.toBe(text.bytesDigest);
  });

  it.each(KINDS)(
    'as .%s is known by its bytes, whatever its type, and by its type where those are damaged',
    async (kind) => {
      for (const type of [
        'text/html; charset=utf-8',
        'application/zip',
        'application/octet-stream',
        FILE_TYPES[kind],
      ]) {
        expect((await read(MADE[kind](PARAGRAPHS), type)).mediaType).toBe(FILE_TYPES[kind]);
      }
      await expect(read(Buffer.from('<p>a page'), FILE_TYPES[kind])).rejects.toMatchObject({
        code: 'unsupported-media-type',
      });
    },
  );

  it('says its title and its language', async () => {
    const made = { title: 'Of  Roses & \u6771\u4eac', language: 'en-GB' };
    const said = { title: 'Of Roses & \u6771\u4eac', language: 'en-GB' };
    expect(await read(makeDocx(docxParagraph('words'), made))).toMatchObject(said);
    expect(await read(makeOdt(odtParagraph('words'), made))).toMatchObject(said);
    expect(await read(makeEpub(['<p>words'], made))).toMatchObject(said);
    expect(await read(makeRtf('words', made))).toMatchObject({ ...said, language: null });
  });

  it('says the language of its default style where it says no other', async () => {
    const docx = makeDocx(docxParagraph('words'), {
      parts: [
        {
          name: 'word/styles.xml',
          content:
            '<s:styles xmlns:s="s"><s:docDefaults><s:rPr><s:lang s:val="de-CH"/></s:rPr></s:docDefaults></s:styles>',
        },
      ],
    });
    const odt = makeOdt(odtParagraph('words'), {
      parts: [
        {
          name: 'styles.xml',
          content:
            '<a><style:default-style><style:text-properties fo:language="fr" fo:country="CA"/></style:default-style></a>',
        },
      ],
    });
    expect((await read(docx)).language).toBe('de-CH');
    expect((await read(odt)).language).toBe('fr-CA');
  });

  it('has no elements to select', async () => {
    for (const kind of KINDS) {
      const document = input(MADE[kind](PARAGRAPHS), { contentType: null, select: 'p' });
      expect(await settled(shared.process(document))).toBe('invalid-selector');
    }
  });
});

const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`;

describe('the text of a .docx file', () => {
  it.each([
    [
      'tables, lists and content controls',
      `<w:tbl><w:tr><w:tc>${docxParagraph('one')}</w:tc><w:tc>${docxParagraph('two')}</w:tc></w:tr></w:tbl><w:sdt><w:sdtContent>${docxParagraph('three')}</w:sdtContent></w:sdt>`,
      'one two three',
    ],
    ['words that runs cut', `<w:p>${run('ro')}${run('ses')}</w:p>`, 'roses'],
    [
      'tabs and breaks',
      `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>`,
      'a b c',
    ],
    [
      'insertions, and not deletions',
      `<w:p><w:ins>${run('new')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:moveFrom>${run('moved')}</w:moveFrom><w:moveTo>${run(' here')}</w:moveTo></w:p>`,
      'new here',
    ],
    [
      'what is not hidden',
      `<w:p>${run('seen')}${run(' hidden', '<w:vanish/>')}${run(' shown', '<w:vanish w:val="0"/>')}</w:p>`,
      'seen shown',
    ],
    [
      'results of fields',
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGEREF x</w:instrText></w:r>${run('result')}</w:p>`,
      'result',
    ],
    [
      'text boxes once',
      `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${docxParagraph('box')}</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>${docxParagraph('box')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
      'box',
    ],
    ['names with any prefix', '<x:p><x:r><x:t>words</x:t></x:r></x:p>', 'words'],
    ['names that objects have', '<w:p><w:r><w:constructor/><w:t>words</w:t><w:toString/></w:r></w:p>', 'words'],
  ])('is that of %s', async (_, body, text) => {
    expect(await wordsOf(makeDocx(body))).toBe(text);
  });

  it('has footnotes at its end, and no heads, feet and comments', async () => {
    const part = (name: string, text: string) => ({
      name: `word/${name}.xml`,
      content: `<w:${name}>${docxParagraph(text)}</w:${name}>`,
    });
    const parts = [part('footnotes', 'a note'), part('header1', 'head'), part('comments', 'comment')];
    expect(
      await wordsOf(
        makeDocx(`<w:p>${run('be')}<w:r><w:footnoteReference w:id="1"/></w:r>${run('fore')}</w:p>`, { parts }),
      ),
    ).toBe('before a note');
  });
});

describe('the text of an .odt file', () => {
  it.each([
    [
      'headings, lists and tables',
      '<text:h>one</text:h><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>three</text:p></table:table-cell></table:table-row></table:table>',
      'one two three',
    ],
    [
      'words that spans cut, tabs, spaces and breaks',
      '<text:p>ro<text:span>ses</text:span><text:tab/>b<text:s text:c="999999999"/>c<text:line-break/>d</text:p>',
      'roses b c d',
    ],
    [
      'what is left by changes, without annotations',
      '<text:tracked-changes><text:changed-region><text:deletion><text:p>old</text:p></text:deletion></text:changed-region></text:tracked-changes><text:p>new<office:annotation><text:p>remark</text:p></office:annotation></text:p>',
      'new',
    ],
    [
      'notes, at the end',
      '<text:p>be<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note</text:p></text:note-body></text:note>fore</text:p>',
      'before a note',
    ],
    [
      'what is not hidden',
      '<text:p>seen<text:span text:style-name="T1"> hidden</text:span></text:p><text:section text:display="none"><text:p>hidden</text:p></text:section>',
      'seen',
    ],
  ])('is that of %s', async (_, body, text) => {
    const styles = '<style:style style:name="T1"><style:text-properties text:display="none"/></style:style>';
    expect(await wordsOf(makeOdt(body, { styles }))).toBe(text);
  });
});

describe('the text of an .epub file', () => {
  it('is that of its spine, in its order, each page once, without its contents', async () => {
    expect(await wordsOf(makeEpub(['<h1>One</h1>', '<p hidden="">no</p><p>two', '<script>x</script>three']))).toBe(
      'One two three',
    );
  });
});

describe('the text of an .rtf file', () => {
  it.each([
    [
      'any code page',
      "\\f0 \\'e9t\\'e9 \\f1 \\'ec\\'e8\\'f0 \\f2 \\'93\\'8c\\'8b\\'9e\\'5c\\u233\\'82\\u-10179?\\u-8391?",
      '\u00e9t\u00e9 \u043c\u0438\u0440 \u6771\u4eac\\\u00e9\u{1f339}',
    ],
    ['as many characters for older readers as it says', "{\\uc2 \\u233\\'65\\'20a}{\\uc0\\u233 b}", '\u00e9a\u00e9b'],
    ['results of fields', '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt result}}', 'result'],
    ['what is neither hidden nor deleted', 'seen{\\v hidden} and\\v  gone\\v0  here{\\deleted  old}', 'seen and here'],
    ['no pictures and numbers', '{\\pict\\wmetafile8 0102ff}{\\listtext 1.\\tab}words{\\*\\unknown more}', 'words'],
    ['words behind bytes', '{\\pict\\bin5 }}{{\\}words', 'words'],
    ['cells, rows and dashes', 'a\\cell b\\cell\\row c\\emdash d\\~e', 'a b c\u2014d\u00a0e'],
    ['notes, at the end', 'be{\\footnote \\pard a note}fore', 'before a note'],
    ['text boxes', '{\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv value}}{\\shptxt box}}}', 'box'],
    ['the Unicode of two', '{\\upr{ansi}{\\*\\ud{unicode}}}', 'unicode'],
    ['line ends of the file, which mean nothing', 'ro\r\nses\\\nare', 'roses are'],
    ['more braces than were opened', 'one}} two', 'one two'],
  ])('has %s', async (_, body, text) => {
    expect((await textOf(makeRtf(body))).replace(/[\t\n ]+/g, ' ').trim()).toBe(text);
  });
});

describe('an office document or a book that cannot be read', () => {
  const bomb = Buffer.alloc(5_000_000, '<w:p/>');
  const compound = (name: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(name, 'utf16le')]);
  const cipher = '<encryption><CipherReference URI="OPS/text/chapter%200.xhtml"/></encryption>';

  it.each([
    ['ends in the middle', makeDocx(docxParagraph('words')).subarray(0, 700), 'unreadable-document', 'damaged'],
    [
      'lacks its main part',
      makeZip(['[Content_Types].xml', 'word/other.xml'].map((name) => ({ name, content: '<a/>' }))),
      'unreadable-document',
      'no main part',
    ],
    ['has no words', makeDocx(''), 'empty-document', 'no words'],
    [
      'ends each size behind its part, as programs write that stream',
      makeZip(
        ['[Content_Types].xml', 'word/document.xml'].map((name) => ({
          ...{ name, content: '<w:p><w:r><w:t>words</w:t></w:r></w:p>', sizesBehind: true },
        })),
      ),
      null,
      '',
    ],
    [
      'unpacks to more than it may',
      makeDocx('', { parts: [{ name: 'word/document.xml', content: bomb }] }),
      'document-too-complex',
      'unpackedBytesMax',
    ],
    [
      'claims another size',
      makeOdt('', { parts: [{ name: 'content.xml', content: '<p>words</p>', claimedBytes: 5 }] }),
      'unreadable-document',
      'damaged',
    ],
    ['has elements too deep in one another', makeDocx('<w:p>'.repeat(600)), 'document-too-complex', 'depthMax'],
    ['has groups too deep in one another', makeRtf('{'.repeat(600)), 'document-too-complex', 'depthMax'],
    ['is an encrypted .docx', compound('EncryptedPackage'), 'unreadable-document', 'encrypted'],
    [
      'is an encrypted .odt',
      makeOdt('', { parts: [{ name: 'META-INF/manifest.xml', content: '<a><encryption-data/></a>' }] }),
      'unreadable-document',
      'encrypted',
    ],
    [
      'is an .epub under a licence',
      makeEpub(['<p>words'], { parts: [{ name: 'META-INF/encryption.xml', content: cipher }] }),
      'unreadable-document',
      'encrypted',
    ],
    [
      'has an encrypted part',
      makeDocx('', { parts: [{ name: 'word/document.xml', content: 'x', flags: 1 }] }),
      'unreadable-document',
      'encrypted',
    ],
    ['has no pages', makeEpub([]), 'unreadable-document', 'no pages'],
    [
      'has entities of its own, which mean nothing',
      makeDocx('', {
        parts: [
          {
            name: 'word/document.xml',
            content: '<!DOCTYPE d [<!ENTITY a "words"><!ENTITY b "&a;&a;">]><w:p><w:r><w:t>&b;</w:t></w:r></w:p>',
          },
        ],
      }),
      null,
      '',
    ],
  ])('where it %s', async (_, bytes, code, why) => {
    const isCompound = bytes[0] === 0xd0;
    const document = input(bytes, { contentType: isCompound ? FILE_TYPES.docx : null });
    const outcome = await strict.process(document).then(
      () => ({ code: null, told: '' }),
      (error) => ({ code: error.code, told: `${error.message} ${error.limit?.name}` }),
    );
    expect(outcome).toMatchObject({ code, told: expect.stringContaining(why) });
  });
});
