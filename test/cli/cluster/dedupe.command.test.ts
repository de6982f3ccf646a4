import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../../src/run.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** The command line in this process. @param more of the process; `breaks`: nobody takes what it prints */
async function dedupe(args: readonly string[], { signal = '', breaks = false } = {}) {
  const printed = { out: '', err: '' };
  const nothing = () => undefined;
  const once = (name: string, listener: (signal: string) => void) => {
    if (name === signal) setImmediate(() => listener(name));
  };
  const stdout = new Writable({
    write: (chunk, _, done) => {
      printed.out += String(chunk);
      done(breaks ? Object.assign(new Error('broken'), { code: 'EPIPE' }) : null);
    },
  });
  const stderr = {
    isTTY: false,
    write: (text: string) => {
      printed.err += text;
    },
  };
  const host = {
    ...{ argv: [process.execPath, 'shingled', 'dedupe', ...args], env: {}, pid: process.pid, stdout, stderr, once },
    ...{ umask: nothing, listeners: () => [], on: nothing, off: nothing, exit: nothing },
  };
  return { code: await run(host as unknown as NodeJS.Process, '0'), ...printed };
}

const TEXT = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
const lineOf = (url: string, text: string, score: unknown) => `${JSON.stringify({ url, text, score })}\n`;
const LINES = [
  lineOf('https://a.example/one', TEXT, 3),
  lineOf('https://a.example/2', TEXT.replaceAll(' ', ', '), '12'),
  lineOf('https://b.example/', `${TEXT} and more`, null),
  lineOf('https://c.example/', TEXT.split(' ').toReversed().join(' '), '2020-01-01'),
];

function made(more = '') {
  const folder = temporaryFolder();
  const [pages, kept, removed] = ['pages.ndjson', 'kept.ndjson', 'removed.ndjson'].map((name) => join(folder, name));
  writeFileSync(pages!, LINES.join('') + more);
  return { folder, pages: pages!, outputs: ['--kept', kept!, '--removed', removed!], kept: kept!, removed: removed! };
}

describe('shingled dedupe', () => {
  it('says what it came to, as a table or as JSON', async () => {
    const { pages, outputs, kept } = made();
    const { code, out, err } = await dedupe([pages, ...outputs]);
    expect(code).toBe(0);
    expect(err).toMatch(/^Before documents are read: [^\n]+\nDocuments are read: [^\n]+\n$/);
    expect(out).toMatch(/^records +4\ndocuments +4\nkept +2\nremoved +2\n… near-copy +2\nwritten /);
    expect(readFileSync(kept, 'utf8')).toBe(LINES[2]! + LINES[3]!);
    const other = made('nonsense\n');
    const json = await dedupe([other.pages, ...other.outputs, '--json', '--threshold', '1', '--keep', 'first']);
    expect(json.code).toBe(6);
    expect(JSON.parse(json.out)).toMatchObject({ records: 5, kept: 4, notJudged: { malformed: 1 }, against: null });
    expect(readFileSync(other.kept, 'utf8')).toBe(`${LINES[0]}${LINES[2]}${LINES[3]}nonsense\n`);
  });

  it('keeps the greatest of a field', async () => {
    const { pages, outputs, kept } = made();
    expect((await dedupe([pages, ...outputs, '--keep', 'field:score'])).code).toBe(0);
    expect(readFileSync(kept, 'utf8')).toBe(LINES[1]! + LINES[3]!);
  });

  it('writes the corpus to standard output, and what it came to to standard error', async () => {
    const { pages, removed } = made();
    const { code, out, err } = await dedupe([pages, '--kept', '-', '--removed', removed]);
    expect([code, out]).toEqual([0, LINES[2]! + LINES[3]!]);
    expect(err).toMatch(/^records +4$/m);
    const broken = made();
    const { code: failed, err: why } = await dedupe([broken.pages, '--kept', '-', '--removed', broken.removed], {
      breaks: true,
    });
    expect(failed).toBe(1);
    expect(why).toContain('(output-unwritable)\n  Standard output takes no more: broken pipe (EPIPE).');
    expect(() => readFileSync(broken.removed)).toThrow('ENOENT');
  });

  it('can be interrupted, and goes on', async () => {
    const { pages, outputs, kept } = made();
    const { code, err } = await dedupe([pages, ...outputs], { signal: 'SIGINT' });
    expect(code).toBe(7);
    expect(err).toMatch(/^Interrupted\. The same command goes on/m);
    expect((await dedupe([pages, ...outputs])).code).toBe(0);
    expect(readFileSync(kept, 'utf8')).toBe(LINES[2]! + LINES[3]!);
  });

  it.each([
    [[], /needs something to read/],
    [['x'], /needs --kept and --removed/],
    [['x', '--kept', 'k', '--removed', '-'], /--removed needs a file/],
    [['x', '--kept', 'k', '--removed', 'r', '--against-only'], /--against-only needs --against/],
    [['x', '--kept', 'k', '--removed', 'r', '--threshold', '2'], /--threshold takes a share/],
    [['x', '--kept', 'k', '--removed', 'r', '--floor', '.9'], /--floor must not be above --threshold/],
    [['x', '--kept', 'k', '--removed', 'r', '--keep', 'best'], /--keep takes oldest, .* or field:<name>: not "best"/],
    [['x', '--kept', 'k', '--removed', 'r', '--keep', 'field:'], /needs the name of one field/],
    [['x', '--kept', 'k', '--removed', 'r', '--by', 'size'], /--by takes resemblance or containment/],
    [
      ['/nothing/here', '--kept', 'k', '--removed', 'r'],
      /\/nothing\/here is not there, because there is no folder \/nothing\./,
    ],
  ])('is not understood: %j', async (args, why) => {
    const { code, err } = await dedupe(args);
    expect(code).toBe(2);
    expect(err).toMatch(why);
  });

  it('has the exit code of what failed', async () => {
    const { pages, outputs, kept } = made();
    writeFileSync(kept, 'mine');
    const { code, err } = await dedupe([pages, ...outputs]);
    expect(code).toBe(1);
    expect(err).toContain('(output-exists)');
    expect(readFileSync(kept, 'utf8')).toBe('mine');
  });
});
