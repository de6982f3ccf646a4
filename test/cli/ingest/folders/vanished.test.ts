import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../../src/cli/exit-codes.ts';
import { DEFAULT_INGEST_LIMITS } from '../../../../src/ingest/limits.ts';
import { PREFIX, SteppedFolder } from '../../../support/cli/stepped-folder.ts';
import { runWith } from '../../../support/process/cli-run.ts';

const TOO_DEEP = Array.from({ length: DEFAULT_INGEST_LIMITS.folderDepthMax + 1 }, () => 'c');

let at: SteppedFolder;

beforeEach(() => {
  at = new SteppedFolder();
});

describe('--mirror', () => {
  it('makes gone what has vanished, once', async () => {
    await at.ingest(['--mirror']);
    at.remove('b/c.txt');
    at.write({ 'f.txt': 'five' });
    const { code, summary } = await at.ingest(['--mirror']);
    expect({ code, puts: at.puts }).toEqual({ code: EXIT_CODES.done, puts: ['f.txt'] });
    expect(summary).toMatchObject({ results: { created: 1, gone: 1 }, notModified: 3, passedOver: {} });
    expect(at.live).toEqual(['a.txt', 'b/d.txt', 'e.txt', 'f.txt']);
    expect((await at.ingest(['--mirror'])).summary).toMatchObject({ results: {}, notModified: 4 });
    at.write({ 'b/c.txt': 'two' });
    await at.ingest(['--mirror']);
    expect(at.puts).toEqual(['b/c.txt']);
  });

  it('makes gone what has vanished under a name that is not UTF-8', async () => {
    const file = Buffer.concat([Buffer.from(`${at.docs}/`), Buffer.from('caf\xe9.txt', 'latin1')]);
    try {
      writeFileSync(file, 'un');
    } catch {
      return expect(process.platform).not.toBe('linux');
    }
    await at.ingest(['--mirror']);
    expect(at.live).toContain('caf%E9.txt');
    expect((await at.ingest(['--mirror'])).summary).not.toHaveProperty('results.gone');
    rmSync(file);
    expect((await at.ingest(['--mirror'])).summary).toMatchObject({ results: { gone: 1 } });
    expect(at.live).not.toContain('caf%E9.txt');
  });

  it('is needed for that, and then knows also what has vanished before', async () => {
    await at.ingest();
    at.remove('b');
    expect((await at.ingest()).summary).toMatchObject({ results: {}, notModified: 2 });
    expect(at.live.length).toBe(4);
    expect((await at.ingest(['--mirror'])).summary).toMatchObject({ results: { gone: 2 } });
  });

  it('leaves alone what came from elsewhere', async () => {
    at.known.set(`${PREFIX}other.txt`, { text: 'other', seenAt: 0 });
    await at.ingest();
    at.remove('a.txt');
    await at.ingest(['--mirror']);
    expect(at.live).toContain('other.txt');
    expect(at.live).not.toContain('a.txt');
  });

  it('leaves alone what is there, but left out now, until that has vanished', async () => {
    await at.ingest(['--gitignore']);
    writeFileSync(join(at.docs, '.gitignore'), '/b/\n');
    expect((await at.ingest(['--gitignore', '--mirror'])).summary).toMatchObject({ results: {}, notModified: 2 });
    at.remove('b/c.txt');
    await at.ingest(['--gitignore', '--mirror']);
    expect(at.live).toEqual(['a.txt', 'b/d.txt', 'e.txt']);
  });

  it('takes a file for gone in whose place is a folder, and those of a folder in whose place is a file', async () => {
    await at.ingest();
    at.remove('a.txt', 'b');
    at.write({ 'a.txt/x.txt': 'x', b: 'b' });
    await at.ingest(['--mirror']);
    expect(at.live).toEqual(['e.txt', 'a.txt/x.txt', 'b']);
  });

  it('makes nothing gone if a folder cannot be read, and does so when it can', async () => {
    await at.ingest();
    at.remove('a.txt');
    // deeper than folders are read; the owner of this process may read what no mode lets others read
    mkdirSync(join(at.docs, ...TOO_DEEP), { recursive: true });
    const { code, err } = await at.ingest(['--mirror']);
    expect(code).toBe(EXIT_CODES.refused);
    expect(err).toMatch(/^--mirror: nothing was made gone, because .*docs\/c\/c.* cannot be read\.\n$/);
    expect(at.live).toContain('a.txt');
    at.remove('c');
    await at.ingest(['--mirror']);
    expect(at.live).not.toContain('a.txt');
  });

  it('makes nothing gone if a folder could not be read before the run was interrupted', async () => {
    await at.ingest();
    at.remove('b/c.txt');
    mkdirSync(join(at.docs, ...TOO_DEEP), { recursive: true });
    at.write({ 'e.txt': 'changed' });
    at.isFull = (url) => url.endsWith('e.txt');
    await at.ingest(['--mirror']);
    at.isFull = () => false;
    const { err } = await at.ingest(['--mirror']);
    expect(err).toContain('nothing was made gone');
    expect(at.live).toContain('b/c.txt');
  });

  it.runIf(process.getuid?.() !== 0)('makes nothing gone if a folder is closed to this process', async () => {
    await at.ingest();
    at.remove('a.txt');
    chmodSync(join(at.docs, 'b'), 0o000);
    try {
      await at.ingest(['--mirror']);
    } finally {
      chmodSync(join(at.docs, 'b'), 0o700);
    }
    expect(at.live.length).toBe(4);
  });

  it.each([
    ['empty', () => undefined],
    ['another one', () => at.write({ 'lost+found.txt': 'x' })],
  ])('stops if the folder is %s, and says what to do', async (_, fill) => {
    await at.ingest();
    const away = join(at.work, 'unmounted');
    renameSync(at.docs, away);
    mkdirSync(at.docs);
    fill();
    const stopped = await at.ingest(['--mirror']);
    expect(stopped.code).toBe(EXIT_CODES.failed);
    expect(stopped.err).toContain('no longer has any of the 4 files');
    expect(stopped.err).toContain('mount it and run the same command again');
    expect(at.live).toEqual(expect.arrayContaining(['a.txt', 'b/c.txt', 'b/d.txt', 'e.txt']));
    rmSync(at.docs, { recursive: true });
    renameSync(away, at.docs);
    const mended = await at.ingest(['--mirror']);
    expect(mended.code).toBe(EXIT_CODES.done);
    expect(at.live).toEqual(expect.arrayContaining(['a.txt', 'b/c.txt', 'b/d.txt', 'e.txt']));
  });

  it('makes nothing gone if the run is interrupted or fails; the next one does, and counts it once', async () => {
    await at.ingest();
    at.remove('b/c.txt');
    at.write({ 'a.txt': 'changed', 'b/d.txt': 'changed', 'e.txt': 'changed' });
    const interrupt = new AbortController();
    at.onPut = () => interrupt.abort();
    const { code } = await at.ingest(['--mirror'], interrupt.signal);
    expect(code).toBe(EXIT_CODES.interrupted);
    expect(at.live.length).toBe(4);
    at.onPut = () => undefined;
    at.isFull = (url) => url.endsWith('e.txt');
    expect((await at.ingest(['--mirror'])).err).toContain('storage-full');
    expect(at.live.length).toBe(4);
    expect(existsSync(at.state)).toBe(true);
    at.isFull = () => false;
    // passed over already, but there
    const { summary } = await at.ingest(['--mirror']);
    expect(at.live).toEqual(['a.txt', 'b/d.txt', 'e.txt']);
    expect(summary).toMatchObject({ read: 4, results: { updated: 3, gone: 1 } });
    expect(existsSync(at.state)).toBe(false);
    await at.ingest(['--mirror']);
    expect(at.puts).toEqual([]);
  });

  it('goes on where it was making documents gone', async () => {
    await at.ingest();
    at.remove('b/c.txt', 'b/d.txt');
    at.isFull = (url) => url.endsWith('d.txt');
    expect((await at.ingest(['--mirror'])).err).toContain('storage-full');
    expect(at.live).toEqual(['a.txt', 'b/d.txt', 'e.txt']);
    at.isFull = () => false;
    expect((await at.ingest(['--mirror'])).summary).toMatchObject({ read: 4, results: { gone: 2 }, notModified: 2 });
    expect(at.live).toEqual(['a.txt', 'e.txt']);
  });

  it.each([
    [['--mirror'], '--mirror needs --state'],
    [['--mirror', '--dry-run'], '--mirror does not go with --dry-run'],
  ])('is refused as %j', async (args, why) => {
    const { code, err } = await runWith(['ingest', at.docs, ...args]);
    expect({ code, err }).toEqual({ code: EXIT_CODES.usage, err: expect.stringContaining(why) });
  });

  it('is refused without a folder', async () => {
    at.docs = join(at.docs, 'a.txt');
    const { code, err } = await at.ingest(['--mirror']);
    expect({ code, err }).toEqual({ code: EXIT_CODES.usage, err: expect.stringContaining('needs a folder') });
  });
});
