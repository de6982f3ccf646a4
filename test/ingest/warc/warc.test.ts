import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FILE_TYPES } from '../../../src/features/file-types.ts';
import { answerOf, blockDigest, itemsOf, type RecordFields, recordOf, told } from '../../support/ingest/archives.ts';

const PAGE = '<p>It was the best of times, it was the worst of times.</p>';
const URL = 'http://a.example/';
const SHA_1_OF_PAGE = 'TQVNGFYNZ4KQKQ6OIIIC5LBIHIDPPNMB';
const MIB = 2 ** 20;

const read = async (...records: readonly (Buffer | string)[]) =>
  (await itemsOf(Buffer.concat(records.map((record) => Buffer.from(record))))).map(told);
const readOne = async (block: Buffer | string, fields?: RecordFields) => (await itemsOf(recordOf(block, fields)))[0];
const PUT = `put ${URL} ${PAGE}`;
const sound = (i: number) => recordOf(answerOf(PAGE), { url: `${URL}${i}` });
const putOf = (i: number) => `put ${URL}${i} ${PAGE}`;

describe('what a record says', () => {
  it('puts the answer of a server with its status and type, seen at its date', async () => {
    const item = await readOne(answerOf(PAGE), { date: '2020-01-02T03:04:05.678901Z' });
    expect(item).toMatchObject({
      at: 'record at byte 0',
      operation: {
        op: 'put',
        url: URL,
        body: { contentType: 'text/html; charset=utf-8' },
        observedAt: Date.parse('2020-01-02T03:04:05.678Z'),
        httpStatus: 200,
        finalUrl: null,
      },
    });
  });

  it.each<[string, string, Buffer | string, RecordFields]>(
    [
      ['a 404', `gone ${URL}`, answerOf(PAGE, [], '404 Not Found'), {}],
      ['a 410', `gone ${URL}`, answerOf('', [], '410 Gone'), {}],
      ['a redirect', 'no-document: an answer with status 301', answerOf('', [], '301 Moved'), {}],
      ['a part', 'no-document: an answer with status 206', answerOf(PAGE, [], '206 Partial Content'), {}],
      ['no HTTP', 'no-document: an answer without a status', 'gopher', {}],
      [
        'an answer of DNS',
        'no-document: an answer of something else than HTTP',
        'a.example. 60 A',
        { contentType: 'text/dns' },
      ],
      ['a request', 'no-document: a request', 'GET / HTTP/1.0', { type: 'request' }],
      ['a part of a record', 'no-document: a part of a record', answerOf(PAGE), { more: ['WARC-Segment-Number: 1'] }],
      ['no URL', 'no-url: the record has no WARC-Target-URI', answerOf(PAGE), { url: null }],
      ['no date that can be read', PUT, answerOf(PAGE), { date: 'yesterday' }],
      ['a picture', 'unusable-type: image/png', 'x', { type: 'resource', contentType: 'image/png' }],
      ['a script', 'unusable-type: text/javascript', 'x', { type: 'resource', contentType: 'text/javascript' }],
      ['a PDF', `put ${URL} %PDF`, '%PDF', { type: 'resource', contentType: 'application/pdf' }],
      ['a mail', `put ${URL} x`, 'x', { type: 'resource', contentType: 'message/rfc822' }],
      [
        ...(['a .docx file', `put ${URL} x`, 'x'] as const),
        { type: 'resource', contentType: `${FILE_TYPES.docx};a=b` },
      ],
      ['a text of WET', `put ${URL} text`, 'text', { type: 'conversion', contentType: 'text/plain' }],
      ['a URL in brackets', PUT, answerOf(PAGE), { url: `<${URL}>` }],
      ['a digest that is right', PUT, answerOf(PAGE), { more: [blockDigest(answerOf(PAGE))] }],
      [
        'a digest that is not',
        'damaged: the digest of the block is another',
        answerOf(PAGE),
        { more: [blockDigest(answerOf('x'))] },
      ],
    ].filter(([name]) => name !== 'a digest of base 32') as never,
  )('of %s is: %s', async (_, should, block, fields) => {
    const item = await readOne(block, fields);
    expect(item === undefined ? item : told(item)).toBe(should);
  });

  it('takes a payload as its digest says, with chunks and without', async () => {
    const chunked = answerOf(`${PAGE.length.toString(16)}\r\n${PAGE}\r\n0\r\n\r\n`, ['Transfer-Encoding: chunked']);
    const hex = `WARC-Payload-Digest: SHA-256:${createHash('sha256').update(PAGE).digest('hex').toUpperCase()}`;
    const right = `WARC-Payload-Digest: sha1:${SHA_1_OF_PAGE}`;
    const wrong = right.replace('sha1:', 'sha1:A').slice(0, -1);
    for (const block of [chunked, answerOf(PAGE)]) {
      expect(await read(recordOf(block, { more: [hex] }))).toEqual([PUT]);
      expect(await read(recordOf(block, { more: [right] }))).toEqual([PUT]);
      expect(await read(recordOf(block, { more: [wrong] }))).toEqual(['damaged: the digest of the payload is another']);
    }
    expect(await read(recordOf(answerOf(PAGE), { more: ['WARC-Payload-Digest: crc:12'] }))).toEqual([PUT]);
  });

  it('is the same as another URL, or as before, of a revisit', async () => {
    const to = ['WARC-Refers-To-Target-URI: <http://b.example/>', 'WARC-Refers-To-Date: 2019-01-02T03:04:05Z'];
    const seen = { op: 'same', url: URL, observedAt: Date.parse('2020-01-02T03:04:05Z') };
    const asAt = Date.parse('2019-01-02T03:04:05.999Z');
    expect(await readOne(answerOf(''), { type: 'revisit', more: to })).toMatchObject({
      operation: { ...seen, as: 'http://b.example/', asAt, httpStatus: 200 },
    });
    expect(await readOne(answerOf('', [], '304 Not Modified'), { type: 'revisit' })).toMatchObject({
      operation: { ...seen, as: URL, asAt: null, httpStatus: null },
    });
    expect(await readOne(answerOf('', [], '404 X'), { type: 'revisit' })).toMatchObject({ operation: { op: 'gone' } });
    expect(await readOne(answerOf('', [], '302 X'), { type: 'revisit' })).toMatchObject({ refused: 'no-document' });
  });

  it.each([
    ['gzip', gzipSync(PAGE)],
    ['deflate', deflateSync(PAGE)],
    ['deflate', deflateRawSync(PAGE)],
    ['br', brotliCompressSync(PAGE)],
    ['zstd', Buffer.concat([zstdCompressSync(PAGE.slice(0, 20)), zstdCompressSync(PAGE.slice(20))])],
    ['gzip, br', brotliCompressSync(gzipSync(PAGE))],
    ['gzip', Buffer.from(PAGE)],
    ['br', Buffer.from(PAGE)],
    ['identity', Buffer.from(PAGE)],
    ['x-gzip', gzipSync(PAGE)],
    ['deflate, gzip, zstd', zstdCompressSync(gzipSync(deflateSync(PAGE)))],
    ['gzip', Buffer.concat([gzipSync(PAGE), Buffer.from('\r\n<!-- served in .1 s -->')])],
    ['gzip', Buffer.concat([gzipSync(PAGE.slice(0, 20)), gzipSync(PAGE.slice(20))])],
    ...['none', 'UTF-8', 'binary', '8bit', 'text/html', 'iso-8859-1', '', 'lzma'].map((coding): [string, Buffer] => [
      coding,
      Buffer.from(PAGE),
    ]),
    ['utf-8, gzip', gzipSync(PAGE)],
  ])('is what a browser has of a body in %s', async (coding, body) => {
    expect(await read(recordOf(answerOf(body, [`Content-Encoding: ${coding}`])))).toEqual([PUT]);
  });

  it('is refused where the body of the answer is a bomb or rubbish', async () => {
    const bombs: [string, Buffer][] = [
      ['gzip', gzipSync(Buffer.alloc(17 * MIB))],
      ['br', brotliCompressSync(Buffer.alloc(17 * MIB))],
      ['zstd', zstdCompressSync(Buffer.alloc(17 * MIB))],
    ];
    for (const [coding, body] of bombs) {
      const item = await readOne(answerOf(body, [`Content-Encoding: ${coding}`]));
      expect(item).toMatchObject({ refused: 'too-large', url: URL });
    }
    const damaged = gzipSync(PAGE.repeat(9));
    damaged[20]! ^= 0xff;
    expect(await readOne(answerOf(damaged, ['Content-Encoding: gzip']))).toMatchObject({
      refused: 'damaged',
      url: URL,
    });
    expect(await readOne(answerOf('x', ['Content-Encoding: br, br, br, br']))).toMatchObject({ refused: 'damaged' });
  });
});

describe('the form of an archive', () => {
  it.each([
    ['bare line ends', (text: string) => text.replaceAll('\r\n', '\n')],
    ['names in other cases, without spaces', (text: string) => text.replace('WARC-Target-URI: ', 'warc-target-uri:')],
    ['fields over several lines', (text: string) => text.replace('application/http; ', 'application/http;\r\n  ')],
    ['an older version', (text: string) => text.replace('WARC/1.0', 'WARC/0.18')],
    ['one line end after a record', (text: string) => text.replace(/\r\n\r\n$/, '\r\n')],
    ['none', (text: string) => text.trimEnd()],
    ['more than it needs', (text: string) => `\r\n${text}\r\n\r\n\r\n`],
  ])('may have %s', async (_, change) => {
    const record = recordOf(answerOf(PAGE).toString().replaceAll('\r\n', '\n'));
    const changed = change(record.toString());
    expect(await read(changed, sound(1))).toEqual([PUT, putOf(1)]);
    expect(await read(sound(1), changed)).toEqual([putOf(1), PUT]);
  });

  it.each([
    ['no length', (text: string) => text.replace(/Content-Length.*\r\n/, ''), 'the record has no Content-Length'],
    [
      'a length that is none',
      (text: string) => text.replace(/(Content-Length: )/, '$1-'),
      'the Content-Length of the record is no number',
    ],
    [
      'a length too small',
      (text: string) => text.replace(/(Content-Length: )\d+/, '$120'),
      'the record does not end where it says',
    ],
    ['a length too large', (text: string) => text.replace(/(Content-Length: \d+)/, '$13'), 'the record is cut after'],
    ['a length beyond all bounds', (text: string) => text.replace(/(Content-Length: )\d+/, '$1999999999999'), null],
    [
      'a head without an end',
      (text: string) => text.replace('\r\n\r\n', `\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`),
      'the head of a record is longer than 65536 bytes',
    ],
    [
      'another first line',
      (text: string) => text.replace('WARC/1.0', 'ARC/1.0'),
      'there is something that is no record',
    ],
  ])('is damaged by %s, and the next record is found', async (_, change, detail) => {
    const [first, second, ...others] = await read(sound(0), change(recordOf(answerOf(PAGE)).toString()), sound(1));
    expect([first, ...others]).toEqual([putOf(0), putOf(1)]);
    expect(second).toContain(detail === null ? 'too-large: its block has 999999999999 bytes' : `damaged: ${detail}`);
  });

  it('lets what is too large go by without taking it into memory', async () => {
    const large = recordOf(Buffer.alloc(17 * MIB, 'x'), { type: 'resource', contentType: 'text/plain' });
    const other = recordOf(Buffer.alloc(17 * MIB, 'x'), { type: 'metadata' });
    const items = await read(sound(0), large, other, sound(1));
    expect(items).toEqual([
      putOf(0),
      `too-large: its block has ${17 * MIB} bytes, of ${16 * MIB} at most`,
      'no-document: a large record that is none',
      putOf(1),
    ]);
  });

  it('may be no archive at all, or empty', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('\r\n\r\n')).toEqual([]);
    expect(await read('WARC/1.0')).toEqual(['damaged: the head of a record is cut']);
    expect(await read(Buffer.alloc(5 * MIB, 'no archive'))).toEqual(['damaged: there is something that is no record']);
  });
});
