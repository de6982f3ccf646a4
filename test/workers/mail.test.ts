import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { begin, input } from '../support/workers/pipeline.ts';

let shared: ReturnType<typeof begin>;
beforeAll(() => {
  shared = begin();
});
afterAll(() => shared.close());

const read = (bytes: Uint8Array | string, contentType: string | null = 'message/rfc822') =>
  shared.process(input(bytes, { contentType }));
const wordsOf = async (bytes: Uint8Array | string, contentType?: string | null) =>
  Buffer.from((await read(bytes, contentType)).text!)
    .toString()
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ');

const PAGE = '<html lang="en"><title>Tides</title><p>High at the caf\u00e9, low in \u6771\u4eac</html>';

/** Lines as mail has them. */
const lines = (...some: string[]) => some.join('\r\n');
const quotedPrintable = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) =>
      byte > 0x20 && byte < 0x7f && byte !== 0x3d
        ? String.fromCharCode(byte)
        : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
    .replace(/((?:=[0-9A-F]{2}|[^=]){60})/g, '$1=\r\n');
const base64 = (text: string | Uint8Array) =>
  Buffer.from(text as string)
    .toString('base64')
    .replace(/.{76}/g, '$&\r\n');

interface Part {
  readonly head: readonly string[];
  readonly body: string;
}
const multipart = (kind: string, parts: readonly Part[], boundary = `b-${kind}`, more = ''): Part => ({
  head: [`Content-Type: multipart/${kind}; boundary="${boundary}"${more}`],
  body: lines(
    ...parts.map(({ head, body }) => lines(`--${boundary}`, ...head, '', body)),
    `--${boundary}--`,
    'epilogue',
  ),
});
const text = (type: string, body: string, ...head: string[]): Part => ({
  head: [`Content-Type: ${type}`, ...head],
  body,
});
const mail = ({ head, body }: Part, ...more: string[]) => lines('MIME-Version: 1.0', ...more, ...head, '', body);

const IMAGE = {
  head: ['Content-Type: image/png', 'Content-Transfer-Encoding: base64'],
  body: base64(Buffer.alloc(300, 7)),
};
const FRAME = text('text/html', '<p>an advertisement', 'Content-Location: https://ad.example/');

describe('a page that was saved with its pictures', () => {
  const qp = text('text/html; charset=utf-8', quotedPrintable(PAGE), 'Content-Transfer-Encoding: quoted-printable');
  const page = mail(
    multipart('related', [qp, IMAGE, FRAME]),
    'From: <Saved by Blink>',
    'Subject: =?utf-8?Q?The_caf=C3=A9?=',
  );

  it.each([
    'message/rfc822',
    'multipart/related; boundary=x',
    'application/x-mimearchive',
    'application/octet-stream',
    null,
  ])('as %s is the page that it holds', async (type) => {
    const [document, html] = await Promise.all([read(page, type), shared.process(input(PAGE))]);
    expect(document).toMatchObject({ title: 'The caf\u00e9', language: 'en', mediaType: 'message/rfc822' });
    expect([document.lexicalDigest, document.sketch]).toEqual([html.lexicalDigest, { ...html.sketch, main: null }]);
  });

  it('is text where a type says that it is', async () => {
    expect((await read(page, 'text/plain')).mediaType).toBe('text/plain');
  });

  it('begins with its root, wherever that stands', async () => {
    const root = { ...text('text/html', '<p>root', 'Content-ID: <root@a>') };
    const related = multipart('related', [FRAME, root], 'b', '; start="<root@a>"; type="text/html"');
    expect(await wordsOf(mail(related))).toBe('root');
  });

  it('may come as the answer of a server, whose header has its own', async () => {
    const { head, body } = multipart('related', [text('text/html', '<p>a page'), IMAGE]);
    expect(await wordsOf(body, head[0]!.slice('Content-Type: '.length))).toBe('a page');
  });

  it('has the charset of its page', async () => {
    const latin = Buffer.concat([
      Buffer.from(lines('Content-Type: multipart/related; boundary=b', '', '--b', 'Content-Type: text/html', '', '')),
      Buffer.from('<meta charset="windows-1251"><p>\xec\xe8\xf0', 'latin1'),
      Buffer.from(lines('', '--b--')),
    ]);
    expect(await wordsOf(latin)).toBe('\u043c\u0438\u0440');
  });
});

describe('a mail', () => {
  const html = text('text/html; charset=utf-8', base64('<p>in HTML'), 'Content-Transfer-Encoding: base64');
  const plain = text('text/plain; charset=iso-8859-1', 'in=\r\n t=E9xt', 'Content-Transfer-Encoding: quoted-printable');

  it.each([
    ['its HTML, of alternatives', multipart('alternative', [plain, html]), 'in HTML'],
    ['its text, where there is no HTML', multipart('alternative', [plain]), 'in t\u00e9xt'],
    ['a page among alternatives', multipart('alternative', [plain, multipart('related', [html, IMAGE])]), 'in HTML'],
    [
      'its parts, without attachments',
      multipart('mixed', [
        plain,
        text('text/html', '<p>attached', 'Content-Disposition: attachment; filename=a.html'),
        html,
      ]),
      'in t\u00e9xt in HTML',
    ],
    [
      'no message in it',
      multipart('mixed', [plain, text('message/rfc822', 'Subject: x\r\n\r\nforwarded')]),
      'in t\u00e9xt',
    ],
    ['itself where it has no parts', plain, 'in t\u00e9xt'],
    [
      'what is there of one that was cut',
      { ...multipart('mixed', [plain]), body: lines('--b-mixed', ...plain.head, '', plain.body) },
      'in t\u00e9xt',
    ],
  ])('has the text of %s', async (_, part, words) => {
    expect(await wordsOf(mail(part, 'Subject: A mail', 'From: a@b.example'))).toBe(words);
  });

  it.each([
    ['without a text', mail(multipart('mixed', [IMAGE])), 'unreadable-document'],
    ['without words', mail(text('text/plain', ' . ')), 'empty-document'],
    [
      'with parts that lie in one another without end',
      Array.from({ length: 40 }).reduce<Part>((inner, _, i) => multipart('mixed', [inner], `b${i}`), plain),
      'document-too-complex',
    ],
  ])('is told of where it is one %s', async (_, one, code) => {
    const bytes = typeof one === 'string' ? one : mail(one);
    const outcome = await read(bytes).then(
      () => null,
      (error) => error.code,
    );
    expect(outcome).toBe(code);
  });
});
