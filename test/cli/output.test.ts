import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Output } from '../../src/cli/output.ts';
import { root } from '../support/tree/tree.ts';

const unwritable = {
  code: 'output-unwritable',
  message: 'Standard output cannot be written: the disk is full (ENOSPC).',
};

describe('standard output', () => {
  it('is told where it is full, for a text and for many', async () => {
    const full = new Output(createWriteStream('/dev/full'), false);
    full.write('x');
    expect(await full.end()).toMatchObject(unwritable);
    const texts = Array.from({ length: 10 }, () => 'text\n'.repeat(10_000));
    await expect(new Output(createWriteStream('/dev/full'), false).flow(texts)).rejects.toMatchObject(unwritable);
  });

  it('throws what reading throws', async () => {
    const texts = (function* () {
      yield 'a';
      throw new Error('nothing to read');
    })();
    const output = new Output(new PassThrough().resume(), false);
    await expect(output.flow(texts)).rejects.toThrow('nothing to read');
  });

  it('has nothing for a terminal that it would obey, and is JSON all the same', async () => {
    const url = 'urn:\u009b31m\u202egnp.exe\u2066 é\u{1f600}';
    const written = async (isTerminal: boolean) => {
      const stream = new PassThrough();
      const output = new Output(stream, isTerminal);
      const line = `${JSON.stringify({ url })}\n`;
      output.write(line);
      await output.flow([line]);
      // a character may come in two pieces
      const bytes = Buffer.from(line);
      for (const piece of [bytes.subarray(0, 16), bytes.subarray(16)]) await output.writeBytes(piece);
      return stream.setEncoding('utf8').read() as string;
    };
    expect(await written(false)).toBe(`{"url":"${url}"}\n`.repeat(3));
    const shown = await written(true);
    expect(shown).toBe('{"url":"urn:\\u009b31m\\u202egnp.exe\\u2066 é\u{1f600}"}\n'.repeat(3));
    for (const line of shown.trimEnd().split('\n')) expect(JSON.parse(line)).toEqual({ url });
  });

  it.each([
    ['--help > /dev/full', 1, 'output-unwritable'],
    ['--help | true', 0, ''],
  ])('of shingled %s', (how, code, told) => {
    const command = `set -o pipefail; ( '${root}/node_modules/.bin/node' src/main.ts ${how} ) 2>&1; echo "code $?"`;
    const printed = execFileSync('bash', ['-c', command], { cwd: root, encoding: 'utf8' });
    expect(printed).toContain(`code ${code}`);
    expect(printed).toContain(told);
  });
});
