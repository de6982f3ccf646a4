import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { FILE_TYPES, type FileKind } from '../../src/features/file-types.ts';
import { zipOf } from '../support/ingest/document-archives.ts';
import { hostileFile } from '../support/office/hostile-files.ts';
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
import { begin, input, settled } from '../support/workers/pipeline.ts';

let shared: ReturnType<typeof begin>;
let strict: ReturnType<typeof begin>;
beforeAll(() => {
  shared = begin();
  strict = begin({ limits: { ...DEFAULT_EXTRACT_LIMITS, unpackedBytesMax: 4_000_000 } });
});
afterAll(() => Promise.all([shared.close(), strict.close()]));

const read = (bytes: Uint8Array, contentType: string | null = null) => shared.process(input(bytes, { contentType }));
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

describe('an office document or a book that cannot be read', () => {
  const bomb = Buffer.alloc(5_000_000, '<w:p/>');
  const compound = (name: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(name, 'utf16le')]);
  const cipher = '<encryption><CipherReference URI="OPS/text/chapter%200.xhtml"/></encryption>';

  it.each([
    ['ends in the middle', makeDocx(docxParagraph('words')).subarray(0, 700), 'unreadable-document', 'damaged'],
    [
      'lacks its main part',
      zipOf(['[Content_Types].xml', 'word/other.xml'].map((name) => ({ name, content: '<a/>' }))),
      'unreadable-document',
      'no main part',
    ],
    ['has no words', makeDocx(''), 'empty-document', 'no words'],
    [
      'ends each size behind its part, as programs write that stream',
      zipOf(
        ['[Content_Types].xml', 'word/document.xml'].map((name) => ({
          ...{ name, content: '<w:p><w:r><w:t>words</w:t></w:r></w:p>', hasDescriptor: true },
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

describe('a hostile file', () => {
  /** One of each kind, then damaged ones; test/campaigns/inputs/documents.ts makes thousands, and large ones. */
  const FILES = 100;
  const TOLD = ['empty-document', 'unreadable-document', 'document-too-complex', 'body-too-large'];

  it('is read, or refused by what is wrong with it, and the next file is read', async () => {
    for (let seed = 0; seed < FILES; seed++) {
      const { name, bytes } = hostileFile(seed, 5000);
      const outcome = await settled(shared.process(input(bytes, { contentType: null })));
      expect([name, seed, outcome]).toEqual([
        name,
        seed,
        expect.toBeOneOf(['done', 'unsupported-media-type', ...TOLD]),
      ]);
    }
    expect((await read(MADE.docx(PARAGRAPHS))).mediaType).toBe(FILE_TYPES.docx);
  });
});
