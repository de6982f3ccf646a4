import { describe, expect, it } from 'vitest';
import { makeRecord } from '../../src/core/coding/made-record.ts';
import { createSketcher } from '../../src/core/sketch/sketch.ts';
import { extract } from '../../src/extract/extract.ts';
import { pageContent } from '../../src/extract/html/html-scanner.ts';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { extractSelected } from '../../src/extract/select/select.ts';
import { FEATURES_TYPE } from '../../src/features/feature-list.ts';
import { deriveIdentity } from '../../src/identity/index-key.ts';
import type { DocumentInput } from '../../src/workers/port.ts';
import { createDocumentProcessor } from '../../src/workers/process-document.ts';
import { hostileDocuments } from '../support/pages/hostile.ts';
import { IDENTITY, input } from '../support/workers/pipeline.ts';

const read = (document: DocumentInput) =>
  document.select === null && document.remove === null
    ? extract(document, DEFAULT_EXTRACT_LIMITS)
    : extractSelected(document, document, DEFAULT_EXTRACT_LIMITS);
const processDocument = createDocumentProcessor(IDENTITY, createSketcher(IDENTITY.fingerprint), read);
const PAGE = '<html lang=en><title>A rose</title><p>is a <b>rose</b> is a flower which is a r&shy;ose';

describe('a processed document', () => {
  it('is the sketch of its text, with what the page says of itself', async () => {
    const document = await processDocument(input(PAGE));
    expect(document).toMatchObject({ mediaType: 'text/html', charset: 'utf-8', title: 'A rose', language: 'en' });
    expect(Buffer.from(document.text!).toString()).toBe('A rose\nis a rose is a flower which is a r\u00adose');
    const { main } = pageContent(Buffer.from(PAGE), false);
    const sketch = createSketcher(IDENTITY.fingerprint).sketch(document.text!, 4, undefined, 0, main);
    expect(document.sketch).toEqual(sketch);
    expect(document.sketch.tokenCount).toBe(12);
    expect(document.sketch.shingleCount).toBe(6);
  });

  it('keeps its text only where that was asked for', async () => {
    expect((await processDocument(input(PAGE, { keepText: false }))).text).toBeNull();
  });

  it('has the record that an index writes of it only where that was asked for', async () => {
    const { record, sketch } = await processDocument(input(PAGE, { recordFor: 8 }));
    expect(record).toEqual(makeRecord(sketch, 8));
    expect((await processDocument(input(PAGE))).record).toBeNull();
    const features = { contentType: FEATURES_TYPE, recordFor: 8 };
    const set = await processDocument(input(JSON.stringify(['a', 'b']), features));
    expect(set.record).toEqual(makeRecord(set.sketch, 8));
  });

  it('owns its memory: changing the input afterwards changes nothing', async () => {
    const bytes = Buffer.from('a rose is a rose');
    const document = await processDocument(input(bytes, { contentType: 'text/plain' }));
    bytes.fill('x');
    expect(Buffer.from(document.text!).toString()).toBe('a rose is a rose');
    expect(document.sketch).toEqual(createSketcher(IDENTITY.fingerprint).sketch(document.text!, 4));
  });

  it('without words is an empty document', async () => {
    for (const empty of ['', '<p> … </p>', '<script>no words</script>']) {
      await expect(processDocument(input(empty))).rejects.toMatchObject({ code: 'empty-document' });
    }
    await expect(processDocument(input(PAGE, { select: 'video' }))).rejects.toMatchObject({
      code: 'empty-document',
      message: 'What select and remove leave of the page has no words.',
    });
  });
});

describe('the digests', () => {
  const digests = async (...arguments_: Parameters<typeof input>) => {
    const { bytesDigest, lexicalDigest, shingleDigest } = await processDocument(input(...arguments_));
    return { bytesDigest, lexicalDigest, shingleDigest };
  };

  it('are 32 hex digits each, the same for the same document', async () => {
    const first = await digests(PAGE);
    for (const digest of Object.values(first)) expect(digest).toMatch(/^[0-9a-f]{32}$/);
    expect(await digests(PAGE)).toEqual(first);
  });

  it('of the bytes alone is left out where nobody asks for it', async () => {
    const all = await digests(PAGE);
    expect(await digests(PAGE, { isBytesDigestLeftOut: true })).toEqual({ ...all, bytesDigest: '' });
  });

  it('of equal words in other bytes are lexically equal', async () => {
    const [html, plain] = [await digests('<p>A Rose'), await digests('a rose.', { contentType: 'text/plain' })];
    expect(html.lexicalDigest).toBe(plain.lexicalDigest);
    expect(html.shingleDigest).toBe(plain.shingleDigest);
    expect(html.bytesDigest).not.toBe(plain.bytesDigest);
  });

  it('of equal bytes read in another way are of other bytes', async () => {
    const readings = [
      await digests(PAGE),
      await digests(PAGE, { contentType: 'text/plain' }),
      await digests(PAGE, { contentType: 'application/xhtml+xml' }),
      await digests(PAGE, { contentType: 'text/html; charset=windows-1252' }),
      await digests(PAGE, { select: '*' }),
      await digests(PAGE, { remove: 'i' }),
    ];
    expect(new Set(readings.map(({ bytesDigest }) => bytesDigest)).size).toBe(readings.length);
  });

  it('do not depend on how the type was found out', async () => {
    const page = '<!doctype html><p>a rose';
    expect(await digests(page, { contentType: null })).toEqual(await digests(page, { contentType: 'TEXT/HTML;x=y' }));
  });

  it('are other ones under another key', async () => {
    const other = createDocumentProcessor(
      deriveIdentity(new Uint8Array(32).fill(8), 7),
      createSketcher(IDENTITY.fingerprint),
      read,
    );
    const [ours, theirs] = [await processDocument(input(PAGE)), await other(input(PAGE))];
    expect(theirs.bytesDigest).not.toBe(ours.bytesDigest);
    expect(theirs.lexicalDigest).not.toBe(ours.lexicalDigest);
    expect(theirs.shingleDigest).not.toBe(ours.shingleDigest);
  });
});

describe('hostile documents of a hundred kilobytes', () => {
  it.each(hostileDocuments(20_000).map(({ name, ...document }) => [name, document] as const))(
    '%s: sketched, or refused by a typed error',
    async (_name, { bytes, contentType }) => {
      try {
        const { sketch } = await processDocument(input(bytes, { contentType }));
        expect(sketch.tokenCount).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toMatchObject({ code: 'empty-document' });
      }
    },
  );
});
