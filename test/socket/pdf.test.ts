import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpFixture, type HttpFixture } from '../support/http/http-fixture.ts';
import { listening } from '../support/http/raw-client.ts';
import { makePdf } from '../support/pdf/make-pdf.ts';

/* PDF files over real sockets, wherever a document is taken. */

const WORDS = Array.from({ length: 120 }, (_word, index) => `word${index}`);
const LINES = Array.from({ length: 12 }, (_line, index) => WORDS.slice(10 * index, 10 * (index + 1)).join(' '));
const PDF = makePdf([LINES.slice(0, 7), LINES.slice(7)], { deflate: true, title: 'A hundred words' });
const BYTES = PDF.toString('base64');
const TEXT = LINES.join('\n');

let fixture: HttpFixture;
let origin: string;
beforeAll(async () => {
  fixture = await createHttpFixture();
  origin = `http://localhost:${await listening(fixture.app)}`;
});
afterAll(() => fixture.close());

async function call(method: string, path: string, type: string, body: string | Uint8Array<ArrayBuffer>) {
  const answer = await fetch(origin + path, { method, headers: { 'content-type': type }, body });
  const text = await answer.text();
  return {
    status: answer.status,
    lines: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  };
}
const json = (method: string, path: string, value: unknown) =>
  call(method, path, 'application/json', JSON.stringify(value));
const put = (url: string, body: Buffer) =>
  call('PUT', `/documents?url=${url}`, 'application/pdf', new Uint8Array(body));

describe('a PDF file', () => {
  it('is indexed as a body, and found by its text and by itself', async () => {
    expect(await put('https://a.example/1', PDF)).toMatchObject({ status: 201, lines: [{ content: { tokens: 120 } }] });
    const found = [{ matches: [{ resemblance: { estimate: 1 } }] }];
    expect((await call('POST', '/similar', 'text/plain', TEXT)).lines).toMatchObject(found);
    expect((await call('POST', '/similar', 'application/pdf', new Uint8Array(PDF))).lines).toMatchObject(found);
    expect((await json('POST', '/similar', { document: { bytes: BYTES } })).lines).toMatchObject(found);
  });

  it('is compared as bytes in base64, exactly', async () => {
    const { status, lines } = await json('POST', '/compare', {
      a: { bytes: BYTES, contentType: 'application/pdf' },
      b: { text: TEXT },
    });
    expect({ status, lines }).toMatchObject({ status: 200, lines: [{ resemblance: { exact: 1 } }] });
  });

  it('is a line of a bulk request', async () => {
    const lines = [
      { op: 'put', url: 'https://a.example/2', bytes: BYTES },
      { op: 'put', url: 'https://a.example/3', bytes: Buffer.from('%PDF-1.7').toString('base64') },
      { op: 'put', url: 'https://a.example/4', bytes: 'no base64!' },
      { op: 'put', url: 'https://a.example/5', text: TEXT, bytes: BYTES },
      { op: 'put', url: 'https://a.example/6', text: TEXT, contentType: 'text/plain' },
      {
        op: 'put',
        url: 'https://a.example/7',
        bytes: Buffer.from('a <b>page</b>').toString('base64'),
        contentType: 'text/html',
      },
    ];
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const answer = await call('POST', '/documents', 'application/x-ndjson', body);
    expect(answer.lines.slice(0, 6)).toMatchObject([
      { status: 201 },
      { status: 422, code: 'unreadable-document' },
      { status: 400, code: 'invalid-request', field: 'bytes' },
      { status: 400, code: 'invalid-request', field: 'bytes' },
      { status: 400, code: 'invalid-request', field: 'contentType' },
      { status: 201 },
    ]);
  });

  it('is what a URL that is fetched may answer', async () => {
    // all of it is ASCII, so the fake web sends the same bytes, and calls them text
    fixture.parts.web.pages.set(
      'https://f.example/',
      makePdf([LINES])
        .toString('latin1')
        .replace(/%[^P\n]*\n/, ''),
    );
    const answer = await json('PUT', '/documents?url=https://f.example/&fetch=true', {});
    expect(answer).toMatchObject({ status: 201, lines: [{ content: { tokens: 120 } }] });
  });

  it('that is damaged is refused by its code', async () => {
    expect(await put('https://a.example/8', PDF.subarray(0, 300))).toMatchObject({
      status: 422,
      lines: [{ code: 'unreadable-document' }],
    });
  });
});
