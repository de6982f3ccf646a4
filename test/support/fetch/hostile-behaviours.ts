import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ErrorCode } from '../../../src/errors.ts';
import { answer, type Behaviour, head, repeat } from './origin-server.ts';

/** How a server may misbehave, and the error that it must end in. */
export interface HostileBehaviour {
  readonly name: string;
  readonly code: ErrorCode;
  readonly behave: Behaviour;
}

const HTML = { 'content-type': 'text/html' };
const ZEROS = Buffer.alloc(50_000_000);
const GZIP_BOMB = gzipSync(ZEROS);
/** A gzip whose 20 million bytes hold nothing: empty blocks of deflate. */
const EMPTY_BLOCKS = Buffer.concat([
  gzipSync('').subarray(0, 10),
  Buffer.alloc(20_000_000, Buffer.from('000000ffff', 'hex')),
]);
const BR_BOMB = brotliCompressSync(ZEROS);
const TEXT = 'Four score and seven years ago our fathers brought forth on this continent a new nation. '.repeat(40);

function endingIn(code: ErrorCode, list: readonly Omit<HostileBehaviour, 'code'>[]): readonly HostileBehaviour[] {
  return list.map((behaviour) => ({ ...behaviour, code }));
}

const raw =
  (text: string): Behaviour =>
  (socket) =>
    socket.end(text);
const coded = (coding: string, body: Uint8Array) => answer({ headers: { 'content-encoding': coding }, body });
const chunked = (...chunks: readonly string[]) =>
  head(200, { ...HTML, 'transfer-encoding': 'chunked' }) +
  chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');

/** Those that never end by themselves and give nothing to object to: only the deadline ends them. */
export const SLOW = endingIn('fetch-timeout', [
  { name: 'says nothing', behave: () => {} },
  { name: 'drips its headers', behave: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'x-a: 1\r\n') },
  { name: 'drips one header', behave: (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nx-a: ', 'a') },
  { name: 'drips the status line', behave: (socket) => drip(socket, 'HTTP/1.1 200 ', 'O') },
  { name: 'sends a 103 now and then', behave: (socket) => repeat(socket, head(103, { link: '</a>' }), 60) },
  {
    name: 'drips a body of known length',
    behave: (socket) => drip(socket, head(200, { ...HTML, 'content-length': '1000000' }), 'a'),
  },
  { name: 'drips a chunked body', behave: (socket) => drip(socket, chunked(), '1\r\na\r\n') },
  { name: 'drips a body that only closing would end', behave: (socket) => drip(socket, head(200, HTML), 'a') },
  {
    name: 'drips a gzip body',
    behave: (socket) => drip(socket, head(200, { ...HTML, 'content-encoding': 'gzip' }), gzipSync('a')),
  },
  {
    name: 'stops in the middle of the body',
    behave: (socket) => socket.write(`${head(200, { ...HTML, 'content-length': '100' })}half`),
  },
  { name: 'stops before the last chunk', behave: (socket) => socket.write(chunked('half')) },
  { name: 'sends an endless chunk extension', behave: (socket) => drip(socket, `${chunked()}5;a=`, 'b'.repeat(100)) },
]);

const TOO_LARGE = endingIn('fetch-too-large', [
  { name: 'sends an endless body', behave: (socket) => flood(socket, head(200, HTML), 'a'.repeat(10_000)) },
  {
    name: 'sends endless chunks',
    behave: (socket) => flood(socket, chunked(), '3e8\r\n'.concat('a'.repeat(1000), '\r\n')),
  },
  { name: 'sends endless tiny chunks', behave: (socket) => flood(socket, chunked(), '1\r\na\r\n'.repeat(1000)) },
  {
    name: 'sends endless gzip members',
    behave: (socket) => flood(socket, head(200, { ...HTML, 'content-encoding': 'gzip' }), gzipSync(TEXT)),
  },
  {
    name: 'announces a terabyte',
    behave: (socket) => socket.write(head(200, { ...HTML, 'content-length': '1099511627776' })),
  },
  { name: 'sends a gzip bomb', behave: coded('gzip', GZIP_BOMB) },
  { name: 'sends a gzip bomb in a gzip bomb', behave: coded('gzip, gzip', gzipSync(GZIP_BOMB)) },
  { name: 'sends nothing, packed in much that is packed', behave: coded('gzip, gzip', gzipSync(EMPTY_BLOCKS)) },
  { name: 'sends a brotli bomb', behave: coded('br', BR_BOMB) },
]);

const BROKEN = endingIn('fetch-failed', [
  {
    name: 'stacks codings in two headers',
    behave: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-encoding: gzip\r\n\r\n');
      socket.end(gzipSync(TEXT));
    },
  },
  { name: 'says zstd and sends gzip', behave: coded('zstd', gzipSync(TEXT)) },
  { name: 'says gzip and sends text', behave: coded('gzip', Buffer.from(TEXT)) },
  { name: 'says br and sends gzip', behave: coded('br', gzipSync(TEXT)) },
  { name: 'names four codings', behave: coded('gzip, gzip, gzip, gzip', gzipSync(TEXT)) },
  { name: 'cuts off gzip', behave: coded('gzip', gzipSync(TEXT).subarray(0, 60)) },
  { name: 'cuts off the check sum of gzip', behave: coded('gzip', gzipSync(TEXT).subarray(0, -3)) },
  {
    name: 'cuts off a second member of gzip',
    behave: coded('gzip', Buffer.concat([gzipSync(TEXT), gzipSync(TEXT).subarray(0, 40)])),
  },
  {
    name: 'falsifies the check sum of gzip',
    behave: coded('gzip', Buffer.concat([gzipSync(TEXT).subarray(0, -8), Buffer.alloc(8, 7)])),
  },
  { name: 'appends bytes to gzip', behave: coded('gzip', Buffer.concat([gzipSync(TEXT), Buffer.from('appendix')])) },
  { name: 'cuts off brotli', behave: coded('br', brotliCompressSync(TEXT).subarray(0, 40)) },
  { name: 'cuts off a coded body that only closing would end', behave: (socket) => cutGzip(socket) },
  {
    name: 'closes before its length',
    behave: (socket) => socket.end(`${head(200, { ...HTML, 'content-length': '100' })}half`),
  },
  { name: 'closes in a chunk', behave: raw(`${chunked()}64\r\nhalf`) },
  { name: 'closes before the last chunk', behave: raw(chunked('half')) },
  { name: 'names two lengths', behave: raw('HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-length: 2\r\n\r\nhalf') },
  { name: 'names a chunk size that overflows', behave: raw(`${chunked()}fffffffffffffffff\r\nhalf`) },
  { name: 'names a chunk size that is no number', behave: raw(`${chunked()}four\r\nhalf`) },
  {
    name: 'resets in the middle of the body',
    behave: (socket) =>
      socket.write(`${head(200, { ...HTML, 'content-length': '100' })}half`, () => socket.resetAndDestroy()),
  },
  { name: 'resets instead of answering', behave: (socket) => socket.resetAndDestroy() },
  { name: 'closes instead of answering', behave: (socket) => socket.end() },
  { name: 'does not speak HTTP', behave: raw('SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n') },
  { name: 'speaks HTTP/2', behave: (socket) => socket.end(Buffer.from('000012040000000000000300000064', 'hex')) },
  { name: 'speaks HTTP/0.9', behave: raw('<html>hello</html>') },
  { name: 'sends zeros', behave: (socket) => socket.end(Buffer.alloc(100_000)) },
  {
    name: 'answers with 101',
    behave: raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
  },
  { name: 'answers with 100 for ever', behave: (socket) => flood(socket, '', head(100, {})) },
  { name: 'answers with 103 for ever', behave: (socket) => flood(socket, '', head(103, { link: '</a>' }).repeat(100)) },
  { name: 'sends one header of a megabyte', behave: raw(head(200, { ...HTML, 'x-a': 'a'.repeat(1_000_000) })) },
  { name: 'sends endless headers', behave: (socket) => flood(socket, 'HTTP/1.1 200 OK\r\n', 'x-a: 1\r\n'.repeat(100)) },
  { name: 'sends an endless header', behave: (socket) => flood(socket, 'HTTP/1.1 200 OK\r\nx-a: ', 'a'.repeat(1000)) },
  { name: 'sends an endless status line', behave: (socket) => flood(socket, 'HTTP/1.1 200 ', 'O'.repeat(1000)) },
  {
    name: 'sends endless extensions of a chunk',
    behave: (socket) => flood(socket, `${chunked()}5;a=`, 'b'.repeat(1000)),
  },
  { name: 'redirects to nothing that is a URL', behave: answer({ status: 302, headers: { location: 'http://[' } }) },
  { name: 'redirects to a file', behave: answer({ status: 302, headers: { location: 'file:///etc/passwd' } }) },
  {
    name: 'redirects to a password',
    behave: answer({ status: 302, headers: { location: 'http://a:b@example.com/' } }),
  },
  { name: 'redirects to port 22', behave: answer({ status: 302, headers: { location: 'http://example.com:22/' } }) },
]);

const statuses = [204, 205, 206, 300, 301, 304, 305, 400, 401, 403, 429, 500, 503, 999];

const OTHERWISE: readonly HostileBehaviour[] = [
  ...statuses.map((status) => ({
    name: `answers with ${status}`,
    code: 'fetch-status' as const,
    behave: answer({ status }),
  })),
  {
    name: 'redirects in a circle',
    code: 'fetch-status',
    behave: (socket, { path }) =>
      answer({ status: 302, headers: { location: path } })(socket, { path, headers: new Map() }),
  },
  {
    name: 'redirects ever on',
    code: 'fetch-status',
    behave: (socket, { path, headers }) =>
      answer({ status: 307, headers: { location: `${path}a` } })(socket, { path, headers }),
  },
  {
    name: 'redirects with an endless body',
    code: 'fetch-status',
    behave: (socket, { path }) => flood(socket, head(302, { location: path }), 'a'.repeat(1000)),
  },
  {
    name: 'fails with an endless body',
    code: 'fetch-status',
    behave: (socket) => flood(socket, head(500, {}), 'a'.repeat(1000)),
  },
  {
    name: 'sends an endless picture',
    code: 'unsupported-media-type',
    behave: (socket) => flood(socket, head(200, { 'content-type': 'Image/PNG' }), Buffer.alloc(1000)),
  },
  {
    name: 'sends an archive',
    code: 'unsupported-media-type',
    behave: answer({ headers: { 'content-type': 'application/zip; x=y' } }),
  },
];

export const HOSTILE: readonly HostileBehaviour[] = [...SLOW, ...TOO_LARGE, ...BROKEN, ...OTHERWISE];

function drip(socket: Parameters<Behaviour>[0], first: string, piece: string | Uint8Array): void {
  socket.write(first);
  repeat(socket, piece, 10);
}

function flood(socket: Parameters<Behaviour>[0], first: string, piece: string | Uint8Array): void {
  socket.write(first);
  repeat(socket, piece);
}

function cutGzip(socket: Parameters<Behaviour>[0]): void {
  socket.write(head(200, { ...HTML, 'content-encoding': 'gzip' }));
  socket.end(gzipSync(TEXT).subarray(0, 60));
}
