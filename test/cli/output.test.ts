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
    const full = new Output(createWriteStream('/dev/full'));
    full.write('x');
    expect(await full.end()).toMatchObject(unwritable);
    const texts = Array.from({ length: 10 }, () => 'text\n'.repeat(10_000));
    await expect(new Output(createWriteStream('/dev/full')).flow(texts)).rejects.toMatchObject(unwritable);
  });

  it('throws what reading throws', async () => {
    const texts = (function* () {
      yield 'a';
      throw new Error('nothing to read');
    })();
    const output = new Output(new PassThrough().resume());
    await expect(output.flow(texts)).rejects.toThrow('nothing to read');
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
