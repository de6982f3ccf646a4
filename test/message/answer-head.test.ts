import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headEnd, mayBeginHead, parseAnswerHead } from '../../src/message/answer-head.ts';
import { Chunks } from '../../src/message/chunks.ts';
import { codingsOf } from '../../src/message/codings.ts';
import { urlOfBytes } from '../../src/message/url-bytes.ts';

describe('the head of an answer', () => {
  it('has the values of a field in their order, folded lines in one', () => {
    const head = parseAnswerHead('HTTP/1.1 200 OK\r\nA: 1\r\n  2\r\nb : x\r\nnonsense\r\na:3\r\n: y\r\n\r\n')!;
    expect(head.status).toBe(200);
    expect(head.header('a')).toEqual(['1 2', '3']);
    expect(head.header('b')).toEqual(['x']);
    expect(head.header('__proto__')).toEqual([]);
  });

  it.each(['HTTP/1.1 2000 OK', 'HTTP/1.1 OK', 'HTTP/1.1', '<html>', 'SSH-2.0-x', 'junk! HTTP/1.1 200 OK'])(
    'is not %j',
    (line) => {
      expect(parseAnswerHead(`${line}\r\n\r\n`)).toBeNull();
    },
  );

  it('ends at an empty line, and behind empty ones before it', () => {
    const end = (text: string) => headEnd(Buffer.from(text));
    expect(end('HTTP/1.1 200\r\na: b\r\n\r\nbody')).toBe(22);
    expect(end('HTTP/1.1 200\n\nbody')).toBe(14);
    expect(end('\n\nHTTP/1.1 200\r\n\nbody')).toBe(17);
    expect(end('HTTP/1.1 200\r\na: b\r\n')).toBeNull();
  });

  it('is known by its first bytes, unless they are few', () => {
    expect(['HTTP', '', 'junk', 'HTTP/1.1 200', 'ICY 200 OK'].map((text) => mayBeginHead(Buffer.from(text)))).toEqual([
      ...[true, true, true, true, true],
    ]);
    expect(['<!doctype html>', 'SSH-2.0-OpenSSH'].some((text) => mayBeginHead(Buffer.from(text)))).toBe(false);
  });
});

describe('chunks', () => {
  const chunked = (parts: readonly Buffer[], end: string, extension: string) =>
    Buffer.concat([
      ...parts
        .filter(({ length }) => length > 0)
        .map((part) =>
          Buffer.concat([Buffer.from(`${part.length.toString(16)}${extension}${end}`), part, Buffer.from(end)]),
        ),
      Buffer.from(`0${end}${end}`),
    ]);

  it('give the body, however it is cut into pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))),
        fc.constantFrom('\r\n', '\n'),
        fc.constantFrom('', ' ', ';a="b"'),
        fc.infiniteStream(fc.integer({ min: 1, max: 30 })),
        (parts, end, extension, sizes) => {
          const chunks = new Chunks();
          const bytes = chunked(parts, end, extension);
          const body: Buffer[] = [];
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value;
            body.push(...chunks.take(bytes.subarray(at, at + size)));
            at += size;
          }
          expect(Buffer.concat(body)).toEqual(Buffer.concat(parts));
          expect(chunks.state).toBe('ended');
        },
      ),
    );
  });

  it.each(['four\r\n', '\r\n', 'fffffffff\r\n', '0x4\r\n', '-1\r\n', 'a'.repeat(20_000)])(
    'are broken by the size %j',
    (line) => {
      const chunks = new Chunks();
      expect(chunks.take(Buffer.from(line))).toEqual([]);
      expect(chunks.state).toBe('broken');
      expect(chunks.take(Buffer.from('1\r\na\r\n'))).toEqual([]);
    },
  );
});

describe('content codings', () => {
  it('are undone from the last one on; other words are none', () => {
    expect(codingsOf(['gzip, br', 'X-GZIP'])).toEqual(['gzip', 'br', 'gzip']);
    expect(codingsOf(['none', 'utf-8', '', 'identity', 'constructor'])).toEqual([]);
    expect(codingsOf(['br, br', 'br', 'br'])).toBeNull();
  });
});

describe('the bytes of a URL', () => {
  it('are UTF-8, or each by itself, so that none becomes another', () => {
    expect(urlOfBytes('/caf\xc3\xa9')).toBe('/café');
    expect(urlOfBytes('/caf\xe9')).toBe('/caf%E9');
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
        const [one, other] = [a, b].map((bytes) => Buffer.from(bytes).toString('latin1'));
        fc.pre(!one!.includes('%') && !other!.includes('%'));
        expect(urlOfBytes(one!) === urlOfBytes(other!)).toBe(one === other);
      }),
    );
  });
});
