import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { errorOf } from '../support/fetch/loopback-fetcher.ts';
import { head, type OriginServer } from '../support/fetch/origin-server.ts';
import { closeSites, startSite } from '../support/fetch/site.ts';
import { createPrng, type Prng } from '../support/prng.ts';

afterEach(closeSites);

const TEXT = 'Four score and seven years ago our fathers brought forth on this continent a new nation. '.repeat(20);
const withBody = (headers: Readonly<Record<string, string>>, body: string | Uint8Array) =>
  Buffer.concat([Buffer.from(head(200, headers)), Buffer.from(body)]);
const zipped = gzipSync(TEXT);
const brotli = brotliCompressSync(TEXT);

/** Answers without a fault, to be given some. */
const ANSWERS: readonly Buffer[] = [
  withBody({ 'content-type': 'text/html', 'content-length': String(TEXT.length) }, TEXT),
  withBody({ 'content-encoding': 'gzip', 'content-length': String(zipped.length) }, zipped),
  withBody({ 'content-encoding': 'br', 'content-length': String(brotli.length) }, brotli),
  withBody({ 'transfer-encoding': 'chunked' }, '5;a="b"\r\nhello\r\n6\r\n world\r\n0\r\nx-trailer: 1\r\n\r\n'),
  Buffer.concat([
    Buffer.from(head(103, { link: '</a>' })),
    withBody({ 'content-length': '2', connection: 'keep-alive' }, 'ok'),
  ]),
  withBody({ location: '/next', 'content-length': '0' }, ''),
];
const PIECES = [
  '\r\n',
  '\r\n\r\n',
  '\0',
  ':',
  ' ',
  'HTTP/1.1 ',
  '302',
  '100',
  'ffffffff',
  '-1',
  'chunked',
  'gzip',
  '\xff',
  '0\r\n\r\n',
];

/** Some bytes changed, left out, said twice, or replaced by pieces of the protocol. */
function damage(answer: Buffer, prng: Prng): Buffer {
  let bytes = answer;
  for (let faults = 1 + prng.below(4); faults > 0; faults--) {
    // half of all faults in the head, which is the smaller part
    const at = prng.below(prng.below(2) === 0 ? Math.min(150, bytes.length + 1) : bytes.length + 1);
    const piece = [
      Buffer.from([prng.below(256)]),
      Buffer.from(PIECES[prng.below(PIECES.length)]!, 'latin1'),
      bytes.subarray(at, at + prng.below(40)),
      Buffer.alloc(0),
    ][prng.below(4)]!;
    bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(Math.min(bytes.length, at + prng.below(8)))]);
  }
  return prng.below(4) === 0 ? bytes.subarray(0, prng.below(bytes.length + 1)) : bytes;
}

describe('whatever bytes a server answers with', () => {
  it('a fetch ends in a document or in an error of the table, over connections that are closed', async () => {
    const prng = createPrng(5);
    const site = await startSite((socket) => socket.end(damage(ANSWERS[prng.below(ANSWERS.length)]!, prng)), {
      fetchTimeoutMs: 20_000,
    });
    const origin: OriginServer = site.origin;
    const ends = new Map<string, number>();
    for (let fetches = 0; fetches < 1500; fetches++) {
      const code = (await errorOf(site.fetcher, site.url('/')))?.code ?? 'none';
      ends.set(code, (ends.get(code) ?? 0) + 1);
    }
    await origin.idle();
    const known = ['none', 'fetch-failed', 'fetch-status', 'unsupported-media-type', 'fetch-too-large'];
    expect([...ends.keys()].filter((code) => !known.includes(code))).toEqual([]);
    expect(ends.get('none')).toBeGreaterThan(100);
    expect(ends.get('fetch-failed')).toBeGreaterThan(500);
  });
});
