import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineLimits, readLines } from '../../../src/http/bodies/ndjson.ts';

const LIMITS: LineLimits = { bodyBytesMax: 1000, bulkBytesMax: 100_000, bulkLinesMax: 100, bodyTimeoutMs: 5000 };

const FREE = { grow: () => {} };
const ENOUGH = { spent: () => false, next: async () => {} };

type Seen = [line: number, what: string];

/** A body that arrives in the given pieces. */
async function linesOf(pieces: readonly (string | Buffer)[], limits: Partial<LineLimits> = {}): Promise<Seen[]> {
  return seen(
    Readable.from(
      pieces.map((piece) => Buffer.from(piece)),
      { objectMode: false },
    ),
    limits,
  );
}

async function seen(stream: Readable, limits: Partial<LineLimits>, turns = ENOUGH): Promise<Seen[]> {
  const lines: Seen[] = [];
  for await (const raw of readLines(stream as IncomingMessage, { ...LIMITS, ...limits }, FREE, turns)) {
    if ('bytes' in raw) lines.push([raw.line, Buffer.from(raw.bytes).toString()]);
    else lines.push([raw.line, `${raw.fatal ? 'fatal ' : ''}${raw.error.code} ${raw.error.limit?.name ?? ''}`.trim()]);
  }
  return lines;
}

describe('NDJSON lines', () => {
  it('are the same however the bytes arrive', async () => {
    const text = '{"a":1}\n\r\n{"b":"é€😀"}\r\n   \n\n{"c":3}';
    const expected = await linesOf([text]);
    expect(expected).toEqual([
      [1, '{"a":1}'],
      [3, '{"b":"é€😀"}\r'],
      [6, '{"c":3}'],
    ]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(text)), { maxLength: 12 }), async (cuts) => {
        const bytes = Buffer.from(text);
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        expect(await linesOf(at.slice(1).map((end, i) => bytes.subarray(at[i], end)))).toEqual(expected);
      }),
    );
  });

  it('are none in an empty body, nor in one of blanks', async () => {
    expect(await linesOf([])).toEqual([]);
    expect(await linesOf(['\n\n \n'])).toEqual([]);
  });

  it('that are blank are passed over in turns', async () => {
    let turns = 0;
    const spent = () => true;
    const next = async () => void turns++;
    const body = Readable.from([Buffer.from('\n'.repeat(40)), Buffer.from(` \r\n{}\n\n`)], { objectMode: false });
    expect(await seen(body, {}, { spent, next })).toEqual([[42, '{}']]);
    expect(turns).toBe(42);
  });

  it('that are too long are refused by themselves, in whatever pieces they come', async () => {
    const long = 'x'.repeat(1001);
    const expected: Seen[] = [
      [1, 'a'],
      [2, 'body-too-large bodyBytesMax'],
      [3, 'b'],
    ];
    expect(await linesOf([`a\n${long}\nb\n`])).toEqual(expected);
    expect(await linesOf(['a\n', ...long, '\nb'])).toEqual(expected);
    expect(await linesOf([`a\n${'x'.repeat(1000)}\nb`])).toEqual([expected[0], [2, 'x'.repeat(1000)], expected[2]]);
    expect(await linesOf([`a\n${long}`])).toEqual(expected.slice(0, 2));
  });

  it('end at the limit of lines, blank ones counted', async () => {
    const full: Seen[] = [1, 2, 3].map((line) => [line, 'x']);
    expect(await linesOf(['x\nx\nx\n'], { bulkLinesMax: 3 })).toEqual(full);
    expect(await linesOf(['x\nx\nx'], { bulkLinesMax: 3 })).toEqual(full);
    expect(await linesOf(['x\nx\nx\nx\nx\n'], { bulkLinesMax: 3 })).toEqual([
      ...full,
      [4, 'fatal body-too-large bulkLinesMax'],
    ]);
    expect(await linesOf(['x\nx\nx\nx'], { bulkLinesMax: 3 })).toEqual([
      ...full,
      [4, 'fatal body-too-large bulkLinesMax'],
    ]);
    expect(await linesOf(['\n'.repeat(50)], { bulkLinesMax: 3 })).toEqual([[4, 'fatal body-too-large bulkLinesMax']]);
  });

  it('end at the limit of bytes', async () => {
    expect(await linesOf(['a\nb\n', 'c\nd\n', 'e\n'], { bulkBytesMax: 9 })).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
      [4, 'd'],
      [5, 'fatal body-too-large bulkBytesMax'],
    ]);
  });

  it('end where the client falls silent or goes away', async () => {
    const silent = new Readable({ read: () => {} });
    silent.push('a\nb');
    expect(await seen(silent, { bodyTimeoutMs: 20 })).toEqual([
      [1, 'a'],
      [2, 'fatal request-timeout bodyTimeoutMs'],
    ]);
    const gone = new Readable({ read: () => {} });
    gone.push('a\nb');
    setImmediate(() => gone.destroy(new Error('aborted')));
    expect(await seen(gone, {})).toEqual([
      [1, 'a'],
      [2, 'fatal body-incomplete'],
    ]);
  });

  it('are read only as fast as they are taken', async () => {
    let made = 0;
    const endless = new Readable({
      highWaterMark: 10,
      read() {
        made++;
        this.push('line\n');
      },
    });
    const lines = readLines(endless as IncomingMessage, LIMITS, FREE, ENOUGH);
    for (let taken = 0; taken < 5; taken++) await lines.next();
    await new Promise((resolve) => setImmediate(resolve));
    expect(made).toBeLessThan(20);
  });
});
