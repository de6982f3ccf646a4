import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../../src/cli/exit-codes.ts';
import { createIngestSources } from '../../../../src/commands/ingest-sources.ts';
import { readConfig } from '../../../../src/config.ts';
import type { BulkLineAnswer, BulkOperation } from '../../../../src/service/api.ts';
import { indexWith, runWith } from '../../../support/process/cli-run.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const PREFIX = 'https://a.example/';
/** Long enough ago for a size and a time to prove something. */
const AT_S = 1_700_000_000;

/** What an index knows: the text of each live document, and null of one that is gone. */
type Known = Map<string, { readonly text: string | null; readonly seenAt: number }>;

let work: string;
let docs: string;
let state: string;
let known: Known;
/** URLs of the puts of the last run, without the prefix. */
let puts: string[];
let isFull: (url: string) => boolean;
let onPut: (url: string) => void;

beforeEach(() => {
  work = temporaryFolder();
  docs = join(work, 'docs');
  state = join(work, 'state');
  known = new Map();
  isFull = () => false;
  onPut = () => undefined;
  write({ 'a.txt': 'one', 'b/c.txt': 'two', 'b/d.txt': 'three', 'e.txt': 'four' });
});

function write(files: Readonly<Record<string, string>>, atS = AT_S): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(docs, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    utimesSync(file, atS, atS);
  }
}

const remove = (...paths: string[]) => {
  for (const path of paths) rmSync(join(docs, path), { recursive: true });
};

function answerTo(operation: BulkOperation, line: number): BulkLineAnswer {
  const { op, url } = operation;
  if (isFull(url)) return { line, url, status: 507, code: 'storage-full', detail: 'It is full.' };
  const before = known.get(url);
  if (op === 'gone') {
    if (before === undefined) return { line, url, status: 404, code: 'unknown-url', detail: 'Unknown.' };
    known.set(url, { text: null, seenAt: Date.now() });
    return { line, url, status: 200, result: before.text === null ? 'unchanged' : 'gone' };
  }
  if (op !== 'put') throw new Error(op);
  puts.push(url.slice(PREFIX.length));
  onPut(url);
  const text = Buffer.from(operation.body!.bytes).toString();
  if (text === 'no words') return { line, url, status: 422, code: 'empty-document', detail: 'No words.' };
  known.set(url, { text, seenAt: operation.observedAt! });
  const result = before === undefined ? 'created' : before.text === text ? 'unchanged' : 'updated';
  return { line, url, status: 200, result, newContent: true, short: false };
}

async function ingest(args: readonly string[] = [], until: AbortSignal = new AbortController().signal) {
  puts = [];
  const index = indexWith({
    async *bulk(lines) {
      for await (const { line, operation } of lines) yield answerTo(operation, line);
    },
    durable: async () => undefined,
    lastSeen: async (url) => known.get(url)?.seenAt ?? null,
  });
  const { config } = readConfig({});
  const sources = async () => createIngestSources(config, (async function* () {})());
  const commands = { open: async () => index, sources };
  const given = ['ingest', docs, '--url-prefix', PREFIX, '--state', state, '--json', ...args];
  const { code, out, err } = await runWith(given, commands, { catchInterrupts: () => until });
  return { code, err, summary: out === '' ? null : JSON.parse(out) };
}

const live = () => [...known].flatMap(([url, { text }]) => (text === null ? [] : [url.slice(PREFIX.length)]));

describe('a folder that is read again', () => {
  it('is not read where sizes and times are as before', async () => {
    const first = await ingest();
    expect(first.summary).toMatchObject({ read: 4, results: { created: 4 }, notModified: 0 });
    // nobody sees that by its size and time
    write({ 'a.txt': 'ONE' });
    const { code, err, summary } = await ingest();
    expect({ code, err, puts }).toEqual({ code: EXIT_CODES.done, err: '', puts: [] });
    expect(summary).toMatchObject({ read: 4, bytes: 0, results: {}, notModified: 4, end: 'done' });
    expect(known.get(`${PREFIX}a.txt`)!.text).toBe('one');
    expect(existsSync(state)).toBe(false);
    await ingest();
    expect(puts).toEqual([]);
  });

  it('is read where a size or a time has changed, backwards as well, and where a file is new', async () => {
    await ingest();
    write({ 'a.txt': 'longer' });
    write({ 'b/c.txt': 'TWO' }, AT_S + 0.001);
    write({ 'b/d.txt': 'THREE' }, AT_S - 60);
    write({ 'b/new.txt': 'new' });
    const { summary } = await ingest();
    expect(puts).toEqual(['a.txt', 'b/c.txt', 'b/d.txt', 'b/new.txt']);
    expect(summary).toMatchObject({ results: { updated: 3, created: 1 }, notModified: 1 });
  });

  it('is read where a file changed so lately that its time proves nothing, or will have changed', async () => {
    const now = Date.now() / 1000;
    write({ 'a.txt': 'now' }, now);
    write({ 'e.txt': 'ahead' }, now + 3600);
    await ingest();
    await ingest();
    expect(puts).toEqual(['a.txt', 'e.txt']);
  });

  it('is read where a file was refused, so that each run says why', async () => {
    write({ 'a.txt': 'no words', 'empty.txt': '' });
    const first = await ingest();
    const second = await ingest();
    expect(puts).toEqual(['a.txt']);
    for (const { code, summary } of [first, second]) {
      expect(code).toBe(EXIT_CODES.refused);
      expect(summary).toMatchObject({ refused: { 'empty-document': 1 }, passedOver: { 'no-document': 1 } });
    }
  });

  it.each([
    ['was emptied', () => known.clear()],
    ['lacks a document', () => known.delete(`${PREFIX}e.txt`)],
    ['has an older one', () => known.set(`${PREFIX}e.txt`, { text: 'old', seenAt: AT_S * 1000 - 1 })],
  ])('is read where the index %s', async (_, lose) => {
    await ingest();
    lose();
    const { code, err } = await ingest();
    expect(code).toBe(EXIT_CODES.done);
    expect(err).toMatch(/^The index lacks https:\/\/a\.example\/.+ lists: all files are read again\.\n$/);
    expect(puts.length).toBe(4);
    await ingest();
    expect(puts).toEqual([]);
  });

  it('keeps the URL where a page is packed, or unpacked', async () => {
    await ingest();
    write({ 'e.txt.gz': 'not packed' });
    await ingest(['--mirror']);
    expect(puts).toEqual([]);
    expect(live()).toContain('e.txt');
    remove('e.txt');
    // it is damaged, and there all the same
    await ingest(['--mirror']);
    expect(live()).toContain('e.txt');
  });

  it('is refused by other options, as another folder, and if the listing is none', async () => {
    await ingest();
    const others = await ingest(['--include', '*.txt']);
    expect(others).toMatchObject({ code: EXIT_CODES.config, err: expect.stringContaining('by other options') });
    expect(others.err).toContain('If you delete it, all files are read again');
    const before = docs;
    docs = join(work, 'moved');
    renameSync(before, docs);
    expect((await ingest()).err).toContain(`is of other folders: ${before}`);
    for (const [text, why] of [
      ['', 'is no listing'],
      ['nonsense', 'is no listing'],
      ['{"shingledListing":99}', 'of another version'],
      [readFileSync(`${state}.files`, 'utf8').replaceAll(before, docs).slice(0, -9), 'is damaged'],
    ] as const) {
      writeFileSync(`${state}.files`, text);
      expect((await ingest()).err).toContain(why);
    }
    expect(puts).toEqual([]);
  });
});

describe('--mirror', () => {
  it('makes gone what has vanished, once', async () => {
    await ingest(['--mirror']);
    remove('b/c.txt');
    write({ 'f.txt': 'five' });
    const { code, summary } = await ingest(['--mirror']);
    expect({ code, puts }).toEqual({ code: EXIT_CODES.done, puts: ['f.txt'] });
    expect(summary).toMatchObject({ results: { created: 1, gone: 1 }, notModified: 3, passedOver: {} });
    expect(live()).toEqual(['a.txt', 'b/d.txt', 'e.txt', 'f.txt']);
    expect((await ingest(['--mirror'])).summary).toMatchObject({ results: {}, notModified: 4 });
    write({ 'b/c.txt': 'two' });
    await ingest(['--mirror']);
    expect(puts).toEqual(['b/c.txt']);
  });

  it('is needed for that, and then knows also what has vanished before', async () => {
    await ingest();
    remove('b');
    expect((await ingest()).summary).toMatchObject({ results: {}, notModified: 2 });
    expect(live().length).toBe(4);
    expect((await ingest(['--mirror'])).summary).toMatchObject({ results: { gone: 2 } });
  });

  it('leaves alone what came from elsewhere', async () => {
    known.set(`${PREFIX}other.txt`, { text: 'other', seenAt: 0 });
    await ingest();
    remove('a.txt');
    await ingest(['--mirror']);
    expect(live()).toContain('other.txt');
    expect(live()).not.toContain('a.txt');
  });

  it('leaves alone what is there, but left out now, until that has vanished', async () => {
    await ingest(['--gitignore']);
    writeFileSync(join(docs, '.gitignore'), '/b/\n');
    expect((await ingest(['--gitignore', '--mirror'])).summary).toMatchObject({ results: {}, notModified: 2 });
    remove('b/c.txt');
    await ingest(['--gitignore', '--mirror']);
    expect(live()).toEqual(['a.txt', 'b/d.txt', 'e.txt']);
  });

  it('takes a file for gone in whose place is a folder, and those of a folder in whose place is a file', async () => {
    await ingest();
    remove('a.txt', 'b');
    write({ 'a.txt/x.txt': 'x', b: 'b' });
    await ingest(['--mirror']);
    expect(live()).toEqual(['e.txt', 'a.txt/x.txt', 'b']);
  });

  it('makes nothing gone if a folder cannot be read, and does so when it can', async () => {
    await ingest();
    remove('a.txt');
    // deeper than folders are read; the owner of this process may read what no mode lets others read
    const deep = join(docs, ...Array.from({ length: 513 }, () => 'x'));
    mkdirSync(deep, { recursive: true });
    const { code, err } = await ingest(['--mirror']);
    expect(code).toBe(EXIT_CODES.refused);
    expect(err).toMatch(/^--mirror: nothing was made gone, because .*docs\/x\/x.* cannot be read\.\n$/);
    expect(live()).toContain('a.txt');
    remove('x');
    await ingest(['--mirror']);
    expect(live()).not.toContain('a.txt');
  });

  it.runIf(process.getuid?.() !== 0)('makes nothing gone if a folder is closed to this process', async () => {
    await ingest();
    remove('a.txt');
    chmodSync(join(docs, 'b'), 0o000);
    try {
      await ingest(['--mirror']);
    } finally {
      chmodSync(join(docs, 'b'), 0o700);
    }
    expect(live().length).toBe(4);
  });

  it.each([
    ['empty', () => undefined],
    ['another one', () => write({ 'lost+found.txt': 'x' })],
  ])('stops if the folder is %s, and says what to do', async (_, fill) => {
    await ingest();
    const away = join(work, 'unmounted');
    renameSync(docs, away);
    mkdirSync(docs);
    fill();
    const stopped = await ingest(['--mirror']);
    expect(stopped.code).not.toBe(EXIT_CODES.done);
    expect(stopped.err).toContain('no longer has any of the 4 files');
    expect(stopped.err).toContain('mount it and run the same command again');
    expect(live()).toEqual(expect.arrayContaining(['a.txt', 'b/c.txt', 'b/d.txt', 'e.txt']));
    rmSync(docs, { recursive: true });
    renameSync(away, docs);
    const mended = await ingest(['--mirror']);
    expect(mended.code).toBe(EXIT_CODES.done);
    expect(live()).toEqual(expect.arrayContaining(['a.txt', 'b/c.txt', 'b/d.txt', 'e.txt']));
  });

  it('makes nothing gone if the run is interrupted or fails; the next one does, and counts it once', async () => {
    await ingest();
    remove('b/c.txt');
    write({ 'a.txt': 'changed', 'b/d.txt': 'changed', 'e.txt': 'changed' });
    const interrupt = new AbortController();
    onPut = () => interrupt.abort();
    const { code } = await ingest(['--mirror'], interrupt.signal);
    expect(code).toBe(EXIT_CODES.interrupted);
    expect(live().length).toBe(4);
    onPut = () => undefined;
    isFull = (url) => url.endsWith('e.txt');
    expect((await ingest(['--mirror'])).err).toContain('storage-full');
    expect(live().length).toBe(4);
    expect(existsSync(state)).toBe(true);
    isFull = () => false;
    // passed over already, but there
    const { summary } = await ingest(['--mirror']);
    expect(live()).toEqual(['a.txt', 'b/d.txt', 'e.txt']);
    expect(summary).toMatchObject({ read: 4, results: { updated: 3, gone: 1 } });
    expect(existsSync(state)).toBe(false);
    await ingest(['--mirror']);
    expect(puts).toEqual([]);
  });

  it('goes on where it was making documents gone', async () => {
    await ingest();
    remove('b/c.txt', 'b/d.txt');
    isFull = (url) => url.endsWith('d.txt');
    expect((await ingest(['--mirror'])).err).toContain('storage-full');
    expect(live()).toEqual(['a.txt', 'b/d.txt', 'e.txt']);
    isFull = () => false;
    expect((await ingest(['--mirror'])).summary).toMatchObject({ read: 4, results: { gone: 2 }, notModified: 2 });
    expect(live()).toEqual(['a.txt', 'e.txt']);
  });

  it.each([
    [['--mirror'], '--mirror needs --state'],
    [['--mirror', '--dry-run'], '--mirror does not go with --dry-run'],
  ])('is refused as %j', async (args, why) => {
    const { code, err } = await runWith(['ingest', docs, ...args]);
    expect({ code, err }).toEqual({ code: EXIT_CODES.usage, err: expect.stringContaining(why) });
  });

  it('is refused without a folder', async () => {
    docs = join(docs, 'a.txt');
    const { code, err } = await ingest(['--mirror']);
    expect({ code, err }).toEqual({ code: EXIT_CODES.usage, err: expect.stringContaining('needs a folder') });
  });
});
