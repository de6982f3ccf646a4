import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { openBytes } from '../../../src/ingest/unpack/open-bytes.ts';
import { readWarc } from '../../../src/ingest/warc/warc.ts';
import { answerOf, itemsOf, type RecordFields, recordOf, streamOf, told } from '../../support/ingest/archives.ts';

const PAGE = '<p>It was the best of times, it was the worst of times.</p>';
const URL = 'http://a.example/';
const PUT = `put ${URL} ${PAGE}`;

const read = async (...records: readonly Buffer[]) => (await itemsOf(Buffer.concat(records))).map(told);
const readOne = async (block: Buffer | string, fields?: RecordFields) => (await itemsOf(recordOf(block, fields)))[0];

describe('the head of an answer', () => {
  const answer = (head: string) => Buffer.from(`${head}\r\n\r\n${PAGE}`);

  it.each([
    'HTTP/1.1 200',
    'http/1.1 200 OK',
    'HTTP/2 200',
    'ICY 200 OK',
    '\r\nHTTP/1.1 200 OK',
    'HTTP/1.1 200 OK\nServer: x',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK',
    'HTTP/1.1 200 OK\r\nno colon\r\nA name (1) : x',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked',
  ])('may be %j', async (head) => {
    expect(await read(recordOf(answer(head)))).toEqual([PUT]);
  });

  it('may have very many fields of one name', async () => {
    const fields = Array.from({ length: 60_000 }, () => 'a:');
    expect(await read(recordOf(answer(`HTTP/1.1 200 OK\r\n${fields.join('\r\n')}`)))).toEqual([PUT]);
    const more = Array.from({ length: 16_000 }, () => 'a:');
    expect(await read(recordOf(answerOf(PAGE), { more }))).toEqual([PUT]);
  });
});

describe('the date of a record', () => {
  it.each(['2009-03-65T08:43:19-0800', 'yesterday', '', '1969-12-31T00:00:00Z', '9999-01-01T00:00:00Z'])(
    '%j is none, and costs no document',
    async (date) => {
      expect(await readOne(answerOf(PAGE), { date })).toMatchObject({ operation: { url: URL, observedAt: null } });
    },
  );

  it('is not looked at where it is not wanted', async () => {
    const opened = openBytes('-', streamOf(recordOf(answerOf(PAGE))));
    const [item] = await Array.fromAsync(readWarc(opened, null, { isDated: false }));
    expect(item).toMatchObject({ operation: { url: URL, observedAt: null } });
  });
});

describe('a URL that is not UTF-8', () => {
  it('is percent-encoded byte by byte, so that two stay two', async () => {
    const one = (name: string) => Buffer.from(recordOf(answerOf(PAGE), { url: `${URL}${name}` }).toString(), 'latin1');
    expect(await read(one('caf\xe9'), one('caf\xe8'), recordOf(answerOf(PAGE), { url: `${URL}café` }))).toEqual([
      `put ${URL}caf%E9 ${PAGE}`,
      `put ${URL}caf%E8 ${PAGE}`,
      `put ${URL}café ${PAGE}`,
    ]);
  });
});

describe('what crawlers write of themselves', () => {
  it.each([
    'metadata://gnu.org/software/wget/warc/wget_arguments.txt',
    'urn:X-wpull:log',
    'urn:X-crocoite:script/scroll.js',
    'urn:pageinfo:https://a.example/',
    'urn:view:https://a.example/',
    'urn:thumbnail:https://a.example/',
    'urn:text:https://a.example/',
    'screenshot:https://a.example/',
    'dns:a.example',
    'whois://a.example/',
  ])('%s is passed over', async (url) => {
    const item = await readOne('GNU Wget 1.21.3', { type: 'resource', url, contentType: 'text/plain' });
    expect(item).toMatchObject({ refused: 'no-document', url });
  });

  it.each(['file:///a.html', 'urn:isbn:9780141439600', 'ftp://a.example/a.txt', 'https://a.example/urn:text:x'])(
    '%s is none of it',
    async (url) => {
      const item = await readOne(PAGE, { type: 'resource', url, contentType: 'text/html' });
      expect(item).toMatchObject({ operation: { op: 'put', url } });
    },
  );
});
