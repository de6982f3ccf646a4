import { Buffer } from 'node:buffer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ShingledError } from '../../src/errors.ts';
import { reasonOf } from '../../src/fetch/failure.ts';
import type { Fetcher } from '../../src/fetch/port.ts';
import { fetcherFor } from '../support/fetch/loopback-fetcher.ts';
import { ODD_ANSWERS, ODD_TEXT } from '../support/fetch/odd-answers.ts';
import { type OriginServer, startOrigin } from '../support/fetch/origin-server.ts';

let origin: OriginServer;
let fetcher: Fetcher;

beforeAll(async () => {
  origin = await startOrigin((socket, { path }) => {
    socket.end(Buffer.from(ODD_ANSWERS[Number(path.slice(1))]![4], 'latin1'));
  });
  fetcher = fetcherFor(origin);
});

afterAll(async () => {
  await fetcher.close();
  await origin.close();
});

async function madeOf(at: number): Promise<string> {
  try {
    const { bytes } = await fetcher.fetch(`http://odd.example:${origin.port}/${at}`, { purpose: 'look-up' });
    const text = Buffer.from(bytes).toString('latin1');
    if (text.includes(ODD_TEXT)) return 'page';
    if (text === '') return 'nothing';
    return text.startsWith('<!doctype') ? 'part' : 'packed';
  } catch (error) {
    if (!(error instanceof ShingledError)) throw error;
    return reasonOf(error);
  }
}

describe('an odd answer', () => {
  it.each(ODD_ANSWERS.map(([name, , , ours], at) => [name, ours, at] as const))('%s: %s', async (_, ours, at) => {
    expect(await madeOf(at)).toBe(ours);
  });

  it('is read where Chromium reads it, unless half a page might be taken for a page', () => {
    const missed = ODD_ANSWERS.filter(([, chromium, , ours]) => chromium === 'page' && ours !== 'page');
    expect(missed.map(([name]) => name)).toMatchInlineSnapshot(`
      [
        "length too large",
        "length overflow",
        "chunk missing last",
        "CE gzip truncated",
        "CE gzip no trailer",
        "CE gzip bad crc",
        "CE gzip + junk",
        "status of four digits",
      ]
    `);
  });

  it('leaves no connection behind', async () => {
    await origin.idle();
    expect(origin.open).toBe(0);
  });
});
