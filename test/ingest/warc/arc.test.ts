import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IngestItem, Position } from '../../../src/ingest/port.ts';
import { openBytes } from '../../../src/ingest/unpack/open-bytes.ts';
import { readWarc } from '../../../src/ingest/warc/warc.ts';
import { answerOf, archiveOf, FORMS, streamOf, told } from '../../support/ingest/archives.ts';

const PAGE = '<p>It was the best of times, it was the worst of times.</p>';
const URL = 'http://a.example/';

interface Line {
  readonly url?: string;
  readonly address?: string;
  readonly time?: string;
  readonly type?: string;
  readonly length?: number;
  readonly version2?: boolean;
}

/** A record with the line end behind it. */
function arcRecord(block: Buffer | string, line: Line = {}): Buffer {
  const { url = URL, address = '192.0.2.1', time = '20080430204826', type = 'text/html', version2 = false } = line;
  const bytes = Buffer.from(block);
  const more = version2 ? ' 200 - - 1234 a.arc' : '';
  const head = `${url} ${address} ${time} ${type}${more} ${line.length ?? bytes.length}\n`;
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes, Buffer.from('\n')]);
}

const FIELDS = {
  1: 'URL IP-address Archive-date Content-type Archive-length',
  2: 'URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length',
};
const fileDescription = (version: 1 | 2 = 1) =>
  arcRecord(`${version} 0 Test\n${FIELDS[version]}\n`, {
    url: 'filedesc://a.arc',
    address: '0.0.0.0',
    type: 'text/plain',
    version2: version === 2,
  });
const NO_DOCUMENT = 'no-document: a filedesc';

const itemsOf = (bytes: Buffer, from: Position | null = null): Promise<IngestItem[]> =>
  Array.fromAsync(readWarc(openBytes('-', streamOf(bytes), from?.byte ?? 0), from, { format: 'arc' }));
const read = async (...records: readonly Buffer[]) => (await itemsOf(Buffer.concat(records))).map(told);
const put = (url: string) => `put ${url} ${PAGE}`;

describe('an ARC file', () => {
  it.each([1, 2] as const)('of version %i has answers, seen at the time of their line', async (version) => {
    const items = await itemsOf(
      Buffer.concat([fileDescription(version), arcRecord(answerOf(PAGE), { version2: version === 2 })]),
    );
    expect(items.map(told)).toEqual([NO_DOCUMENT, put(URL)]);
    expect(items[1]).toMatchObject({
      operation: {
        observedAt: Date.parse('2008-04-30T20:48:26Z'),
        httpStatus: 200,
        body: { contentType: 'text/html; charset=utf-8' },
      },
    });
  });

  it.each<[string, string, Buffer | string, Line]>([
    ['a URL with spaces', put(`${URL}a b 1.2.3.4 x`), answerOf(PAGE), { url: `${URL}a b 1.2.3.4 x` }],
    ['a URL in Latin-1', put(`${URL}%E9`), answerOf(PAGE), { url: `${URL}\xe9` }],
    ['a type with spaces', put(URL), answerOf(PAGE), { type: 'text/html; charset=iso-8859-1' }],
    ['no type', put(URL), answerOf(PAGE), { type: 'no-type' }],
    ['no address', put(URL), answerOf(PAGE), { address: '-' }],
    ['an address of IPv6', put(URL), answerOf(PAGE), { address: '2001:db8::1' }],
    ['a 404', `gone ${URL}`, answerOf(PAGE, [], '404 Not Found'), {}],
    ['a redirect', 'no-document: an answer with status 302', answerOf('', [], '302 Found'), {}],
    [
      'a look-up',
      'no-document: what a crawler asked of a host',
      '20080430\na.example. 60 A',
      { url: 'dns:a.example', type: 'text/dns' },
    ],
    ['no HTTP', 'no-document: an answer without a status', 'Alexa', { type: 'alexa/dat' }],
    ['a file of FTP', 'put ftp://a.example/a.txt text', 'text', { url: 'ftp://a.example/a.txt', type: 'text/plain' }],
    ['an empty block', 'no-document: an answer without a status', '', {}],
  ])('has %s: %s', async (_, should, block, line) => {
    const after = arcRecord(answerOf(PAGE), { url: `${URL}after` });
    expect(await read(fileDescription(), arcRecord(block, line), after)).toEqual([
      NO_DOCUMENT,
      should,
      put(`${URL}after`),
    ]);
  });

  it.each([
    ['200804302048', '2008-04-30T20:48:00Z'],
    ['20080430', '2008-04-30T00:00:00Z'],
    ['20080430204826123', '2008-04-30T20:48:26Z'],
    ['20080230000000', null],
    ['00000000000000', null],
  ])('may have the time %s', async (time, should) => {
    const [item] = await itemsOf(arcRecord(answerOf(PAGE), { time }));
    const observedAt = should === null ? null : Date.parse(should);
    expect(item).toMatchObject({ operation: { url: URL, observedAt } });
  });

  it('loses nothing where the length of its title is wrong', async () => {
    for (const length of [0, 7, 999]) {
      const title = arcRecord('1 0 Test\nURL IP-address\n', { url: 'filedesc://a.arc', address: '0.0.0.0', length });
      expect(await read(title, arcRecord(answerOf(PAGE)))).toEqual([NO_DOCUMENT, put(URL)]);
    }
  });

  it('goes on behind a length that is wrong, and behind rubbish', async () => {
    const sound = (n: number) => arcRecord(answerOf(PAGE), { url: `${URL}${n}` });
    for (const length of [3, 99_999, 999_999_999]) {
      const told = await read(fileDescription(), sound(1), arcRecord(answerOf(PAGE), { length }), sound(2));
      expect(told.filter((one) => !one.startsWith('damaged') && !one.startsWith('too-large'))).toEqual([
        ...[NO_DOCUMENT, put(`${URL}1`), put(`${URL}2`)],
      ]);
      expect(told.length).toBe(4);
    }
    const rubbish = Buffer.from('\x00rubbish\nhttp://not a record\n');
    expect((await read(sound(1), rubbish, sound(2))).filter((one) => one.startsWith('put'))).toEqual([
      ...[put(`${URL}1`), put(`${URL}2`)],
    ]);
  });

  it('may have records without a line end between them, or with more', async () => {
    const bare = arcRecord(answerOf(PAGE)).subarray(0, -1);
    const lines = Buffer.from('\n\n\n');
    expect(await read(bare, bare, lines, bare)).toEqual([put(URL), put(URL), put(URL)]);
  });

  it('is read from any record on, however it is packed', async () => {
    const pages = fc.array(fc.tuple(fc.webUrl(), fc.string({ unit: 'grapheme', minLength: 1 })), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(pages, async (all) => {
        const records = [fileDescription(), ...all.map(([url, body]) => arcRecord(answerOf(body), { url }))];
        const should = [NO_DOCUMENT, ...all.map(([url, body]) => `put ${url} ${Buffer.from(body).toString('latin1')}`)];
        for (const form of FORMS) {
          const { bytes } = archiveOf(records, form);
          const items = await itemsOf(bytes);
          expect(items.map(told), form).toEqual(should);
          for (const [i, { next }] of items.entries()) {
            expect((await itemsOf(bytes, next)).map(told), `${form}, from ${i + 1} on`).toEqual(should.slice(i + 1));
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  it('whose members are damaged loses these alone', async () => {
    const members = [1, 2, 3, 4].map((n) => gzipSync(arcRecord(answerOf(PAGE), { url: `${URL}${n}` })));
    members[1]![30]! ^= 0xff;
    const told = await read(...members);
    expect(told.filter((one) => one.startsWith('put'))).toEqual([put(`${URL}1`), put(`${URL}3`), put(`${URL}4`)]);
    expect(told.some((one) => one.startsWith('damaged'))).toBe(true);
  });
});
