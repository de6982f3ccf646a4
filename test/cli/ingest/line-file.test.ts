import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LineFile } from '../../../src/cli/ingest/line-file.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return (error as { code?: string }).code;
  }
  return null;
};

describe('a file of lines', () => {
  it('goes on behind what an earlier run is sure of', () => {
    const path = join(temporaryFolder(), 'lines');
    const first = new LineFile(path, '--errors', 0);
    first.add({ a: 1 });
    const kept = first.sync();
    first.add({ a: 2 });
    first.close();
    const second = new LineFile(path, '--errors', kept);
    second.add({ a: 3 });
    second.close();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"a":3}\n');
  });

  it('has no more bytes than it may, and says how many lines it leaves out', () => {
    const path = join(temporaryFolder(), 'lines');
    const first = new LineFile(path, '--errors', 0, { bytesMax: 20, leftOut: 0 });
    for (const a of [1, 2, 345, 4]) first.add({ a });
    const kept = first.sync();
    first.close();
    // what is shorter would fit, but is left out, too
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"a":2}\n{"leftOut":2}\n');
    const second = new LineFile(path, '--errors', kept, { bytesMax: 20, leftOut: first.leftOut });
    second.add({ a: 5 });
    second.close();
    expect(readFileSync(path, 'utf8')).toBe('{"a":1}\n{"a":2}\n{"leftOut":3}\n');
  });

  it('may be a device that keeps nothing, and is named where it is full', () => {
    const nothing = new LineFile('/dev/null', '--errors', 0);
    nothing.add({ a: 1 });
    expect(nothing.sync()).toBe(8);
    nothing.close();
    const again = new LineFile('/dev/null', '--errors', 8);
    expect(again.sync()).toBe(8);
    again.close();
    const full = new LineFile('/dev/full', '--errors', 0);
    full.add({ a: 1 });
    expect(codeOf(() => full.sync())).toBe('output-unwritable');
    expect(codeOf(() => full.close())).toBe(null);
  });

  it('may be a pipe', async () => {
    const [pipe, out] = [join(temporaryFolder(), 'pipe'), join(temporaryFolder(), 'out')];
    execFileSync('mkfifo', [pipe]);
    const reader = spawn('sh', ['-c', `cat ${pipe} > ${out}`]);
    const lines = new LineFile(pipe, '--errors', 0);
    lines.add({ a: 1 });
    lines.sync();
    lines.add({ a: 2 });
    lines.close();
    await once(reader, 'exit');
    expect(readFileSync(out, 'utf8')).toBe('{"a":1}\n{"a":2}\n');
  });

  it('is refused where it has lost what an earlier run wrote', () => {
    const path = join(temporaryFolder(), 'lines');
    writeFileSync(path, 'short');
    expect(() => new LineFile(path, '--errors', 100)).toThrow('it has lost some of the 100 bytes');
    expect(readFileSync(path, 'utf8')).toBe('short');
  });
});
