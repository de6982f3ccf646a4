import { describe, expect, it } from 'vitest';
import { fileKindOf } from '../../../src/extract/charset/file-kind.ts';
import { extractFile } from '../../../src/extract/extract-file.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../../src/extract/limits.ts';
import { docxParagraph, makeDocx, makeEpub, makeOdt, makeRtf } from '../../support/office/make-office.ts';

async function textOf(bytes: Uint8Array): Promise<string> {
  const reading = { limits: DEFAULT_EXTRACT_LIMITS, isLate: () => false };
  const { text } = await extractFile(fileKindOf(null, bytes)!, { bytes, contentType: null }, reading);
  return Buffer.from(text).toString();
}
const wordsOf = async (bytes: Uint8Array) =>
  (await textOf(bytes))
    .trim()
    .split(/[\t\n ]+/)
    .join(' ');

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
      "\\f0 \\'e9t\\'e9 \\f1 \\'ec\\'e8\\'f0 \\f2 \\'93\\'8c\\'8b\\'9e\\'5c\\u233\\'82\\u-10180?\\u-8391?",
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
    expect(await wordsOf(makeRtf(body))).toBe(text);
  });
});
