import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../../src/cli/exit-codes.ts';
import { AT_S, PREFIX, SteppedFolder } from '../../../support/cli/stepped-folder.ts';

let at: SteppedFolder;

beforeEach(() => {
  at = new SteppedFolder();
});

describe('a folder that is read again', () => {
  it('is not read where sizes and times are as before', async () => {
    const first = await at.ingest();
    expect(first.summary).toMatchObject({ read: 4, results: { created: 4 }, notModified: 0 });
    // nobody sees that by its size and time
    at.write({ 'a.txt': 'ONE' });
    const { code, err, summary } = await at.ingest();
    expect({ code, err, puts: at.puts }).toEqual({ code: EXIT_CODES.done, err: '', puts: [] });
    expect(summary).toMatchObject({ read: 4, bytes: 0, results: {}, notModified: 4, end: 'done' });
    expect(at.known.get(`${PREFIX}a.txt`)!.text).toBe('one');
    expect(existsSync(at.state)).toBe(false);
    await at.ingest();
    expect(at.puts).toEqual([]);
  });

  it('is read where a size or a time has changed, backwards as well, and where a file is new', async () => {
    await at.ingest();
    at.write({ 'a.txt': 'longer' });
    at.write({ 'b/c.txt': 'TWO' }, AT_S + 0.001);
    at.write({ 'b/d.txt': 'THREE' }, AT_S - 60);
    at.write({ 'b/new.txt': 'new' });
    const { summary } = await at.ingest();
    expect(at.puts).toEqual(['a.txt', 'b/c.txt', 'b/d.txt', 'b/new.txt']);
    expect(summary).toMatchObject({ results: { updated: 3, created: 1 }, notModified: 1 });
  });

  it('is read where a file changed so lately that its time proves nothing, or will have changed', async () => {
    const now = Date.now() / 1000;
    at.write({ 'a.txt': 'now' }, now);
    at.write({ 'e.txt': 'ahead' }, now + 3600);
    await at.ingest();
    await at.ingest();
    expect(at.puts).toEqual(['a.txt', 'e.txt']);
  });

  it('is read where a file was refused or skipped, so that each run says why', async () => {
    at.write({ 'a.txt': 'no words', 'b/c.txt': 'copy', 'empty.txt': '' });
    const first = await at.ingest();
    const second = await at.ingest();
    expect(at.puts).toEqual(['a.txt', 'b/c.txt']);
    for (const { code, summary } of [first, second]) {
      expect(code).toBe(EXIT_CODES.refused);
      expect(summary.results.skipped).toBe(1);
      expect(summary).toMatchObject({ refused: { 'empty-document': 1 }, passedOver: { 'no-document': 1 } });
    }
  });

  it.each([
    ['was emptied', () => at.known.clear()],
    ['lacks a document', () => at.known.delete(`${PREFIX}e.txt`)],
    ['has an older one', () => at.known.set(`${PREFIX}e.txt`, { text: 'old', seenAt: AT_S * 1000 - 1 })],
  ])('is read where the index %s', async (_, lose) => {
    await at.ingest();
    lose();
    const { code, err } = await at.ingest();
    expect(code).toBe(EXIT_CODES.done);
    expect(err).toMatch(/^The index lacks https:\/\/a\.example\/.+ lists: all files are read again\.\n$/);
    expect(at.puts.length).toBe(4);
    await at.ingest();
    expect(at.puts).toEqual([]);
  });

  it('is read where the index lacked a document while the file was left out', async () => {
    await at.ingest(['--gitignore']);
    at.known.clear();
    at.write({ '.gitignore': '/b/' });
    await at.ingest(['--gitignore']);
    expect(at.puts).toEqual(['a.txt', 'e.txt']);
    at.remove('.gitignore');
    await at.ingest(['--gitignore']);
    expect(at.puts).toEqual(['b/c.txt', 'b/d.txt']);
  });

  it('keeps the URL where a page is packed, or unpacked', async () => {
    await at.ingest();
    at.write({ 'e.txt.gz': 'FOUR' });
    await at.ingest(['--mirror']);
    expect(at.puts).toEqual([]);
    at.remove('e.txt');
    // its size and its time are those of another file
    expect((await at.ingest(['--mirror'])).summary).toMatchObject({ notModified: 3, results: { updated: 1 } });
    expect(at.live).toContain('e.txt');
  });

  it('is refused by other options, as another folder, and if the listing is none', async () => {
    await at.ingest();
    const others = await at.ingest(['--include', '*.txt']);
    expect(others).toMatchObject({ code: EXIT_CODES.config, err: expect.stringContaining('by other options') });
    expect(others.err).toContain('If you delete it, all files are read again');
    const before = at.docs;
    at.docs = join(at.work, 'moved');
    renameSync(before, at.docs);
    expect((await at.ingest()).err).toContain(`is of other folders: ${before}`);
    for (const [text, why] of [
      ['', 'is no listing'],
      ['nonsense', 'is no listing'],
      ['{"shingledListing":99}', 'of another version'],
      [readFileSync(`${at.state}.files`, 'utf8').replaceAll(before, at.docs).slice(0, -9), 'is damaged'],
    ] as const) {
      writeFileSync(`${at.state}.files`, text);
      expect((await at.ingest()).err).toContain(why);
    }
    expect(at.puts).toEqual([]);
  });
});
