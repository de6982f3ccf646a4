import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IngestItem } from '../../../src/ingest/port.ts';
import { EarlierRecords, MEMORY_BYTES_MAX } from '../../../src/ingest/warc/earlier-records.ts';
import { answerOf, itemsOf, recordOf } from '../../support/ingest/archives.ts';

const PAGE = '<p>It was the best of times, it was the worst of times.</p>';
const A = 'http://a.example/a';
const B = 'http://a.example/b';
const TIME = '2019-01-02T03:04:05Z';
const TIME_MS = Date.parse(TIME) + 999;
const DIGEST = 'WARC-Payload-Digest: sha1:TQVNGFYNZ4KQKQ6OIIIC5LBIHIDPPNMB';

const original = (more: readonly string[] = [DIGEST], status = '200 OK') =>
  recordOf(answerOf(PAGE, [], status), { url: A, date: TIME, more });
const idOf = (record: Buffer) => /WARC-Record-ID: (<.*>)/.exec(record.toString())![1]!;
const revisit = (more: readonly string[], block: Buffer | string = '') =>
  recordOf(block, { type: 'revisit', url: B, more: ['WARC-Profile: http://netpreserve.org/warc/1.0/x', ...more] });

async function lastOf(...records: readonly Buffer[]): Promise<IngestItem> {
  return (await itemsOf(Buffer.concat(records))).at(-1)!;
}

describe('a revisit', () => {
  it('is of the URL and date that it names, whatever its id says', async () => {
    const named = revisit([
      'WARC-Refers-To-Target-URI: http://c.example/',
      'WARC-Refers-To-Date: 2018-01-01T00:00:00Z',
      `WARC-Refers-To: ${idOf(original())}`,
    ]);
    expect(await lastOf(original(), named)).toMatchObject({
      operation: { op: 'same', url: B, as: 'http://c.example/', asAt: Date.parse('2018-01-01T00:00:00.999Z') },
    });
  });

  it.each([
    ['the id', [`WARC-Refers-To: ${idOf(original())}`]],
    ['the digest of the payload', [DIGEST]],
  ])('is of the record of which it names %s', async (_, more) => {
    const should = { operation: { op: 'same', url: B, as: A, asAt: TIME_MS } };
    expect(await lastOf(original(), revisit(more))).toMatchObject(should);
    expect(await lastOf(original(), revisit(more, answerOf('')))).toMatchObject(should);
  });

  it('that names a record which was not read, or none, is told and never guessed', async () => {
    expect(await lastOf(original(), revisit(['WARC-Refers-To: <urn:uuid:1>']))).toMatchObject({
      refused: 'no-document',
      detail: 'a revisit of a record that was not read before: <urn:uuid:1>',
      url: B,
    });
    expect(await lastOf(revisit([DIGEST]), original(), revisit([]))).toMatchObject({
      refused: 'no-document',
      detail: 'a revisit that names no record',
    });
  });

  it('of what was passed over is passed over', async () => {
    const digest = 'WARC-Payload-Digest: crc:1';
    const picture = recordOf(answerOf('GIF89a').toString().replace('text/html', 'image/gif'), {
      url: A,
      more: [digest],
    });
    const named = 'WARC-Refers-To-Target-URI: http://a.example/a';
    for (const more of [[digest], [digest, named], [`WARC-Refers-To: ${idOf(picture)}`]]) {
      expect(await lastOf(picture, revisit(more))).toMatchObject({
        refused: 'no-document',
        detail: 'a revisit of a record that is no document',
      });
    }
    expect(await lastOf(original([DIGEST], '302 Found'), revisit([DIGEST]))).toMatchObject({ refused: 'no-document' });
  });

  it('by a 304 is of its own URL', async () => {
    expect(await lastOf(revisit([], answerOf('', [], '304 Not Modified')))).toMatchObject({
      operation: { op: 'same', url: B, as: B, asAt: null, httpStatus: null },
    });
    expect(
      await lastOf(recordOf('', { type: 'revisit', url: B, more: ['WARC-Profile: http://x/server-not-modified'] })),
    ).toMatchObject({ operation: { op: 'same', url: B, as: B } });
  });
});

describe('earlier records', () => {
  const head = (fields: Readonly<Record<string, string>>) => ({
    bytes: 0,
    length: 0,
    fields: new Map(Object.entries(fields)),
  });

  it('are forgotten, the oldest first, where they are too many', () => {
    const earlier = new EarlierRecords();
    const url = 'u'.repeat(8000);
    const count = Math.ceil(MEMORY_BYTES_MAX / 8000);
    for (let i = 0; i <= count; i++)
      earlier.note(head({ 'warc-record-id': `${i}` }), { url: `${url}${i}`, date: null });
    expect(earlier.of(head({ 'warc-refers-to': '0' }))).toBeUndefined();
    expect(earlier.of(head({ 'warc-refers-to': `${count}` }))).toEqual({ url: `${url}${count}`, date: null });
  });

  it('are what a table of them would say', () => {
    const names = fc.oneof(
      fc.nat(400).map(String),
      fc.constantFrom('', 'é', '\u{1f600}', 'a'.repeat(256), 'a'.repeat(257)),
    );
    const document = fc.record({ url: fc.constantFrom('u', 'é v', ''), date: fc.constantFrom(null, '2026') });
    const noted = fc.record({ id: names, digest: fc.option(names), document: fc.option(document) });
    fc.assert(
      fc.property(fc.array(noted, { maxLength: 300, size: 'max' }), (all) => {
        const earlier = new EarlierRecords();
        const table = new Map<string, { url: string; date: string | null } | null>();
        for (const { id, digest, document: of } of all) {
          earlier.note(
            head({ 'warc-record-id': id, ...(digest === null ? {} : { 'warc-payload-digest': digest }) }),
            of,
          );
          for (const name of digest === null ? [id] : [id, digest])
            if (name.length <= 256 && (of !== null || !table.get(name))) table.set(name, of);
        }
        for (const name of new Set(all.flatMap(({ id, digest }) => [id, digest ?? id])))
          expect(earlier.of(head({ 'warc-refers-to': name }))).toEqual(table.get(name));
      }),
      { numRuns: 60, seed: 34 },
    );
  });

  it('stay documents where another record with their digest is none', () => {
    const earlier = new EarlierRecords();
    earlier.note(head({ 'warc-payload-digest': 'd' }), { url: 'u', date: null });
    earlier.note(head({ 'warc-payload-digest': 'd' }), null);
    expect(earlier.of(head({ 'warc-payload-digest': 'd' }))).toEqual({ url: 'u', date: null });
  });
});
