import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import type { DocumentInput } from '../../src/workers/port.ts';
import { CATALOG, FONT, INFO, makePdf, mappedFont, PAGES, pageObject, streamObject } from '../support/pdf/make-pdf.ts';
import { begin, input, start } from '../support/workers/pipeline.ts';

const LINES = [['The quick brown fox', 'jumps over the lazy exam-', 'ple dog'], ['and is never seen again']];
const TEXT = 'The quick brown fox\njumps over the lazy example dog\nand is never seen again\n';

const asPdf = (bytes: Uint8Array, rest: Partial<DocumentInput> = {}) =>
  input(bytes, { contentType: 'application/pdf', ...rest });
const pdf = (options: Parameters<typeof makePdf>[1] = {}) => makePdf(LINES, options);

/** Bytes that say that it is a PDF file. */
const HEADER = 9;

let shared: ReturnType<typeof begin>;
beforeAll(() => {
  shared = begin();
});
afterAll(() => shared.close());

const textOf = async (document: DocumentInput) => Buffer.from((await shared.process(document)).text!).toString();

describe('a PDF file', () => {
  it('is read page after page and line after line, with what it says of itself', async () => {
    const document = await shared.process(
      asPdf(pdf({ title: ' A\u00adros\u00e9 \n \u6771\u4eac', language: 'en-GB' })),
    );
    expect(document).toMatchObject({
      title: 'Aros\u00e9 \u6771\u4eac',
      language: 'en-GB',
      mediaType: 'application/pdf',
    });
    expect(Buffer.from(document.text!).toString()).toBe(TEXT);
  });

  it('has the words of its text sent as text', async () => {
    const [fromPdf, fromText] = await Promise.all([
      shared.process(asPdf(pdf())),
      shared.process(input(TEXT, { contentType: 'text/plain' })),
    ]);
    expect(fromPdf.lexicalDigest).toBe(fromText.lexicalDigest);
    expect(fromPdf.sketch).toEqual(fromText.sketch);
    expect(fromPdf.bytesDigest).not.toBe(fromText.bytesDigest);
  });

  it.each([
    ['deflated', asPdf(pdf({ deflate: true }))],
    ['behind other bytes', asPdf(Buffer.concat([Buffer.from('X-Junk: 1\r\n\r\n'), pdf()]))],
    ['by its bytes, without a type', asPdf(pdf(), { contentType: null })],
    ['by its bytes, whatever the type', asPdf(pdf(), { contentType: 'text/html; charset=utf-8' })],
    ['by the older type', asPdf(pdf(), { contentType: 'Application/X-PDF;a=b' })],
    [
      'with a cross-reference table that is wrong',
      asPdf(Buffer.from(String(pdf().toString('latin1')).replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')),
    ],
    [
      'with a count of pages that is wrong',
      asPdf(pdf({ objects: { [PAGES]: '<< /Type /Pages /Kids [5 0 R 7 0 R] /Count 1000000000 >>' } })),
    ],
  ])('is read %s', async (_how, document) => {
    expect(await textOf(document)).toBe(TEXT);
  });

  it('without a title or a language, or with others than texts and tags, has none', async () => {
    for (const file of [pdf(), pdf({ language: '(no tag)', objects: { [INFO]: '<< /Title [1 2] >>' } })]) {
      expect(await shared.process(asPdf(file))).toMatchObject({ title: null, language: null });
    }
  });

  it('goes by itself where many documents go together', async () => {
    const [page, file] = await Promise.all([
      shared.processInBulk(input('a page')),
      shared.processInBulk(asPdf(pdf(), { contentType: null })),
    ]);
    expect(page.mediaType).toBe('text/html');
    expect(file.mediaType).toBe('application/pdf');
  });
});

describe('a PDF file that cannot be read', () => {
  const two = (kids: string) => pdf({ objects: { [PAGES]: `<< /Type /Pages /Kids [${kids}] /Count 3 >>` } });
  const ENCRYPT = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'00'.repeat(32)}> /U <${'11'.repeat(32)}> /P -4 >> /ID [<00><00>]`;
  const CMAP = {
    [FONT]: '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /UniGB-UCS2-H /DescendantFonts [20 0 R] >>',
    20: '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /X /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 0 >> /FontDescriptor 21 0 R >>',
    21: '<< /Type /FontDescriptor /FontName /X /Flags 4 /FontBBox [0 0 1 1] /ItalicAngle 0 /Ascent 1 /Descent 0 /CapHeight 1 /StemV 1 >>',
  };

  it.each([
    ['is none', Buffer.from('<p>a page'), 'unsupported-media-type', 'no PDF file'],
    ['is only its header', Buffer.from('%PDF-1.7\n'), 'unreadable-document', 'damaged'],
    ['ends in the middle', pdf().subarray(0, 400), 'unreadable-document', 'damaged'],
    ['has a page tree that is its own branch', two('2 0 R'), 'unreadable-document', 'damaged'],
    ['has one that comes back after a page', two('5 0 R 2 0 R'), 'unreadable-document', 'damaged'],
    ['lacks a page', two('5 0 R 99 0 R'), 'unreadable-document', 'damaged'],
    ['has no catalog', pdf({ objects: { [CATALOG]: '<< >>' } }), 'unreadable-document', 'damaged'],
    [
      'has fewer pages than none',
      pdf({ objects: { [PAGES]: '<< /Type /Pages /Kids [5 0 R] /Count -1 >>' } }),
      'unreadable-document',
      'no pages',
    ],
    ['needs a password', pdf({ trailer: ENCRYPT }), 'unreadable-document', 'password'],
    ['needs a character map that is not in it', pdf({ objects: CMAP }), 'unreadable-document', 'UniGB-UCS2-H'],
    [
      'says of no letter which it shows',
      pdf({ objects: mappedFont('1 beginbfrange <61> <7a> <E000> endbfrange') }),
      'unreadable-document',
      'which letters',
    ],
    ['has no words', makePdf([[], []]), 'empty-document', 'scans'],
  ])('is refused: it %s', async (_what, bytes, code, words) => {
    await expect(shared.process(asPdf(bytes))).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });

  it.each(['select', 'remove'] as const)('for %s is refused: it has no elements', async (field) => {
    await expect(shared.process(asPdf(pdf(), { [field]: 'p' }))).rejects.toMatchObject({
      code: 'invalid-selector',
      field,
    });
  });

  it('never ends the process but by a typed error, whichever bytes of it are changed', {
    timeout: 240_000,
  }, async () => {
    const files = [pdf(), pdf({ deflate: true, title: 'A title' })];
    // whole numbers: fast-check takes most of its doubles from near 0, and would change little but the first byte
    const damage = fc.array(fc.tuple(fc.nat(9_999), fc.nat(255)), { minLength: 1, maxLength: 12 });
    const damaged = fc.tuple(fc.constantFrom(...files), damage, fc.integer({ min: 20, max: 200 }));
    const codes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(damaged, async ([file, changes, kept]) => {
        const bytes = Buffer.from(file.subarray(0, Math.ceil((file.length * kept) / 100)));
        for (const [at, value] of changes) bytes[HEADER + Math.floor((at / 10_000) * (bytes.length - HEADER))] = value;
        const code = await shared.process(asPdf(bytes)).then(
          () => 'done',
          (error: { code: string }) => error.code,
        );
        codes.add(code);
        expect(['done', 'unreadable-document', 'unsupported-media-type', 'empty-document']).toContain(code);
      }),
      { numRuns: 60 },
    );
    expect([...codes]).toEqual(expect.arrayContaining(['done', 'unreadable-document']));
    expect(await textOf(asPdf(pdf()))).toBe(TEXT);
  });
});

describe('a PDF file that costs too much', () => {
  const limited = (limits: Partial<typeof DEFAULT_EXTRACT_LIMITS>) =>
    start({ limits: { ...DEFAULT_EXTRACT_LIMITS, ...limits } });

  it.each([
    ['pages', { pdfPagesMax: 1 }, 'document-too-complex', 'pdfPagesMax'],
    ['text', { textBytesMax: 40 }, 'body-too-large', 'textBytesMax'],
    ['bytes', { documentBytesMax: 600 }, 'body-too-large', 'documentBytesMax'],
  ] as const)('by its %s is refused by the name of the limit', async (_what, limits, code, name) => {
    const pipeline = limited(limits);
    const value = Object.values(limits)[0];
    await expect(pipeline.process(asPdf(pdf()))).rejects.toMatchObject({ code, limit: { name, value } });
    await pipeline.close();
  });

  it('of time is ended, and the next one is read', async () => {
    const pages = Array.from({ length: 400 }, (_page, index) =>
      Array.from({ length: 50 }, (_line, line) => `page ${index} has a line ${line}`),
    );
    const pipeline = start({ pdfTimeoutMs: 300 });
    await expect(pipeline.process(asPdf(makePdf(pages)))).rejects.toMatchObject({
      code: 'document-too-complex',
      limit: { name: 'pdfTimeoutMs', value: 300 },
    });
    // it has no more time than that, which a busy machine may not give it at once
    const { sketch } = await vi.waitFor(() => pipeline.process(asPdf(makePdf([['short']]))), { timeout: 30_000 });
    expect(sketch.tokenCount).toBe(1);
  });

  it('of memory beside the heap ends its process and nothing else', { timeout: 120_000 }, async () => {
    const bomb = bombObject();
    const file = makePdf([['x']], { objects: { 6: bomb } });
    expect(file.length).toBeLessThan(100_000);
    // a busy machine takes longer to fill it than a file may take
    const pipeline = start({ pdfTimeoutMs: 100_000 });
    await expect(pipeline.process(asPdf(file))).rejects.toMatchObject({
      code: 'document-too-complex',
      limit: { name: 'memoryMb', value: 256 },
    });
    expect((await pipeline.process(asPdf(pdf()))).mediaType).toBe('application/pdf');
  });

  it.each([
    ['a tree of 20,000 levels', deepTree(20_000)],
    ['an array of 100,000 levels', makePdf([['deep down']], { objects: { 4: '['.repeat(100_000) } })],
    ['a form that draws itself twice', formLoop()],
  ])('by %s is read or refused soon', async (_what, file) => {
    const since = performance.now();
    const code = await shared.process(asPdf(file)).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
    expect(['done', 'unreadable-document', 'empty-document']).toContain(code);
    expect(performance.now() - since).toBeLessThan(30_000);
  });
});

/** A stream of a page that unfolds to 2 GiB of spaces, deflated twice over: the same 16 MiB again and again. */
function bombObject(): Buffer {
  const part = deflateRawSync(Buffer.alloc(2 ** 24, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const zlibHeader = Buffer.from([0x78, 0x9c]);
  const twice = deflateSync(Buffer.concat([zlibHeader, ...Array.from({ length: 128 }, () => part)]));
  const head = `<< /Length ${twice.length} /Filter [/FlateDecode /FlateDecode] >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), twice, Buffer.from('\nendstream')]);
}

function deepTree(levels: number): Buffer {
  const nodes = Array.from({ length: levels }, (_node, level) => [
    1000 + level,
    `<< /Type /Pages /Parent ${level === 0 ? 2 : 999 + level} 0 R /Kids [${1001 + level} 0 R] /Count 1 >>`,
  ]);
  const root = [PAGES, '<< /Type /Pages /Kids [1000 0 R] /Count 1 >>'];
  return makePdf([['deep down']], { objects: Object.fromEntries([root, ...nodes, [1000 + levels, pageObject(6)]]) });
}

function formLoop(): Buffer {
  const form =
    '<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /X 30 0 R >> >> /Length 12 >>\nstream\n/X Do /X Do \nendstream';
  const page = pageObject(6).replace('/Resources <<', '/Resources << /XObject << /X 30 0 R >>');
  return makePdf([['x']], { objects: { 5: page, 6: streamObject('/X Do', false), 30: form } });
}
