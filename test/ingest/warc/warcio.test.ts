import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WARCParser, WARCRecord, WARCSerializer } from 'warcio';
import { archiveOf, FORMS, itemsOf, told } from '../../support/ingest/archives.ts';

/* Sound archives, as warcio writes and reads them. */

const page = fc.record({
  url: fc.webUrl({ withQueryParameters: true }),
  body: fc.string({ unit: 'grapheme', maxLength: 3000 }),
  kind: fc.constantFrom('response', 'resource', 'request', 'metadata'),
  seconds: fc.nat({ max: 1_600_000_000 }),
});
type Page = typeof page extends fc.Arbitrary<infer T> ? T : never;

async function writtenByWarcio({ url, body, kind, seconds }: Page, gzip: boolean): Promise<Buffer> {
  const isHttp = kind === 'response';
  const record = WARCRecord.create(
    {
      url,
      type: kind,
      date: new Date(seconds * 1000).toISOString(),
      warcVersion: 'WARC/1.1',
      warcHeaders: isHttp ? {} : { 'Content-Type': kind === 'resource' ? 'text/html' : 'application/http' },
      ...(isHttp ? { httpHeaders: { 'Content-Type': 'text/html; charset=utf-8' }, statusline: 'HTTP/1.1 200 OK' } : {}),
    },
    (async function* () {
      yield Buffer.from(body);
    })(),
  );
  return Buffer.from(await WARCSerializer.serialize(record, { gzip }));
}

async function readByWarcio(bytes: Buffer): Promise<string[]> {
  const found: string[] = [];
  for await (const record of new WARCParser(Readable.toWeb(Readable.from([bytes])) as ReadableStream<Uint8Array>)) {
    const payload = Buffer.from(await record.readFully(false));
    const { warcType, warcTargetURI } = record;
    const isDocument = warcType === 'response' || warcType === 'resource';
    if (isDocument && payload.length === 0) found.push('no-document: an empty body');
    else found.push(isDocument ? `put ${warcTargetURI} ${payload.toString('latin1')}` : `no-document: a ${warcType}`);
  }
  return found;
}

describe('a sound archive', () => {
  it('gives the records that warcio gives, and the times that it wrote', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 6 }), fc.boolean(), async (pages, gzip) => {
        const bytes = Buffer.concat(await Promise.all(pages.map((one) => writtenByWarcio(one, gzip))));
        const items = await itemsOf(bytes);
        expect(items.map(told)).toEqual(await readByWarcio(bytes));
        const times = items.flatMap((item) =>
          'operation' in item && item.operation.op === 'put' ? item.operation.observedAt : [],
        );
        const documents = pages.filter(
          ({ kind, body }) => body.length > 0 && (kind === 'response' || kind === 'resource'),
        );
        expect(times).toEqual(documents.map(({ seconds }) => seconds * 1000));
      }),
      { numRuns: 100 },
    );
  });

  it('gives the same however it is packed, and from each place on at which reading can go on', {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 6 }), async (pages) => {
        const records = await Promise.all(pages.map((one) => writtenByWarcio(one, false)));
        const should = (await itemsOf(Buffer.concat(records))).map(told);
        for (const form of FORMS) {
          const { bytes } = archiveOf(records, form);
          const items = await itemsOf(bytes);
          expect(items.map(told), form).toEqual(should);
          for (const [i, { next }] of items.entries()) {
            expect(next.record).toBe(i + 1);
            const rest = await itemsOf(bytes, next);
            expect(rest.map(told), `${form}, from ${i + 1} on`).toEqual(should.slice(i + 1));
            expect(rest.map(({ next }) => next)).toEqual(items.slice(i + 1).map(({ next }) => next));
          }
        }
      }),
      { numRuns: 30 },
    );
  });
});
