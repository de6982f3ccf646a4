import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type FirstLoadOptions, firstLoad } from '../../src/commands/first-load.ts';
import { openToFill } from '../../src/commands/folder-access.ts';
import { backupIndex, checkIndex, restoreIndex } from '../../src/commands/index-commands.ts';
import { openDocuments } from '../../src/commands/open-documents.ts';
import type { Config } from '../../src/config.ts';
import { ShingledError } from '../../src/errors.ts';
import { createIndexKeyFile } from '../../src/identity/index-key.ts';
import { openIndex } from '../../src/open-index.ts';
import type { BulkLine, BulkLineAnswer, PutRequest } from '../../src/service/api.ts';
import { DEFAULT_MATCH_OPTIONS, SERVICE_LIMITS } from '../../src/service/limits.ts';
import { createService, type Service } from '../../src/service/service.ts';
import { EventLoop } from '../../src/sharing/turns.ts';
import { inFolder } from '../support/store/level-folder.ts';
import { configOf, log } from '../support/store/made-index.ts';

const { pid } = process;
const quiet = () => undefined;
const SEEN_AT = Date.parse('2026-01-01T00:00:00Z');
const ACCESS = { caller: 'somebody', mayFetch: false };
const WORDS =
  'the quick brown fox jumps over a lazy dog while seven wizards box and jug liquor behind this old quay'.split(' ');

const textOf = (i: number) =>
  Array.from({ length: 80 }, (_, at) => WORDS[(at * (3 + (i % 7)) + i) % WORDS.length]).join(' ');

function put(line: number, text: string, more: Partial<PutRequest> = {}): BulkLine {
  return {
    line,
    operation: {
      ...{ op: 'put', url: `https://a.example/${line}`, observedAt: SEEN_AT + line, meta: null },
      ...{ select: null, remove: null, similar: 0, unless: null },
      body: { bytes: Buffer.from(text), contentType: 'text/plain; charset=utf-8' },
      ...more,
    },
  };
}

/** Lines of every kind that puts something, and of those that cannot. */
function mixedLines(): BulkLine[] {
  const html = {
    bytes: Buffer.from(`<title>A page</title><p>${textOf(1)}</p><aside>ad</aside>`),
    contentType: 'text/html',
  };
  const lines = Array.from({ length: 700 }, (_, line) => put(line, textOf(line % 90)));
  return [
    ...lines,
    put(700, textOf(5), { url: 'https://a.example/3' }),
    put(701, textOf(6), { url: 'https://a.example/3', observedAt: SEEN_AT }),
    put(702, ' ... '),
    put(703, textOf(7), { url: 'no url' }),
    put(704, textOf(8), { observedAt: Date.now() + 1e9 }),
    put(705, '', { body: html }),
    put(706, '', { body: html, select: 'p', remove: 'aside' }),
    put(707, '', { body: html, select: 'p[' }),
    put(708, '', { body: { bytes: Buffer.from('%PDF-1.7'), contentType: 'application/pdf' } }),
    put(709, '', { body: null }),
    put(710, textOf(9), { meta: { note: 'x'.repeat(5000) } }),
    put(710, '', { body: { bytes: Buffer.from('GIF89a'), contentType: 'image/gif' } }),
    { line: 711, url: null, error: new ShingledError('invalid-json', 'This is not JSON.') },
    put(712, 'one'),
  ];
}

async function* given(lines: readonly BulkLine[]) {
  yield* lines;
}

/** Two folders whose indexes have one key. */
async function inTwoFolders(work: (one: Config, other: Config) => Promise<void>): Promise<void> {
  await inFolder(async (folder) => {
    const INDEX_KEY_FILE = join(folder, 'key');
    createIndexKeyFile(INDEX_KEY_FILE);
    await work(
      { ...configOf(join(folder, 'one')), INDEX_KEY_FILE },
      { ...configOf(join(folder, 'other')), INDEX_KEY_FILE },
    );
  });
}

async function withService<T>(config: Config, work: (service: Service) => Promise<T>): Promise<T> {
  const { store, identity } = await openIndex(config, pid, log);
  const documents = openDocuments(config, identity);
  const parts = { store, documents, identity, limits: SERVICE_LIMITS, loop: new EventLoop(SERVICE_LIMITS.sliceMs) };
  try {
    return await work(createService({ ...parts, fetcher: null as never, now: Date.now, version: 'test' }));
  } finally {
    await documents.close();
    await store.close();
  }
}

const bulk = (service: Service, lines: AsyncIterable<BulkLine>) =>
  Array.fromAsync(service.bulk(lines, ACCESS, { relaxed: true, describe: true }));

async function load(config: Config, lines: readonly BulkLine[], options: FirstLoadOptions = {}) {
  const answers: BulkLineAnswer[] = [];
  const result = await firstLoad(config, pid, given(lines), { onAnswer: (answer) => answers.push(answer), ...options });
  return { ...result, answers };
}

/** Of lines with one content the online path calls that one new which is written first: it need not be the first line. */
const withoutFirst = (answer: BulkLineAnswer) => ({ ...answer, newContent: 'newContent' in answer });
const newContents = (answers: readonly BulkLineAnswer[]) =>
  answers.filter((answer) => 'newContent' in answer && answer.newContent === true).length;

describe('a first load', () => {
  it('answers each line as the online path does, and so each question afterwards', () =>
    inTwoFolders(async (one, other) => {
      const lines = mixedLines();
      const { answers, loaded, rest } = await load(one, lines);
      expect(rest).toBeNull();
      expect(new Set(answers.map((answer) => ('result' in answer ? answer.result : answer.code)))).toEqual(
        new Set([
          ...[
            'created',
            'updated',
            'history',
            'empty-document',
            'invalid-url',
            'observed-in-future',
            'invalid-selector',
          ],
          ...['unsupported-media-type', 'unreadable-document', 'invalid-request', 'invalid-json'],
        ]),
      );
      const questions = [1, 30, 89].map((i) => Buffer.from(textOf(i)));
      const askAll = async (service: Service) => {
        const reference = { url: null, select: null, remove: null, at: null };
        const ask = async (bytes: Uint8Array) => {
          const body = { bytes, contentType: 'text/plain' };
          const { json } = await service.similar({ ...reference, body }, DEFAULT_MATCH_OPTIONS, ACCESS);
          return (JSON.parse(json.toString()) as { matches: unknown[] }).matches;
        };
        return Promise.all(questions.map(ask));
      };
      const online = await withService(other, async (service) => {
        const later = await bulk(service, given(lines));
        expect(answers.map(withoutFirst)).toEqual(later.map(withoutFirst));
        expect(newContents(answers)).toBe(newContents(later));
        const { sources, contents, postings } = await service.stats();
        expect(loaded).toMatchObject({ documents: sources, contents, postings });
        return askAll(service);
      });
      expect(online[0]!.length).toBeGreaterThan(0);
      expect(await withService(one, askAll)).toEqual(online);
      expect((await checkIndex(one, pid, quiet)).problems).toEqual([]);
    }));

  it.each([
    ['forgets a URL', { op: 'delete', url: 'https://a.example/2' }],
    ['says that a URL is gone', { op: 'gone', url: 'https://a.example/2', httpStatus: 404, observedAt: null }],
  ] as const)('ends before a line that %s, and hands the rest back', (_, operation) =>
    inTwoFolders(async (config) => {
      const before = Array.from({ length: 600 }, (__, line) => put(line, textOf(line)));
      const after = [{ line: 600, operation }, put(601, textOf(1))];
      const { answers, loaded, rest } = await load(config, [...before, ...after]);
      expect(answers.length).toBe(600);
      expect(loaded?.documents).toBe(600);
      const later = await withService(config, (service) => bulk(service, rest!));
      expect(later.map((answer) => 'result' in answer && answer.result)).toEqual([
        operation.op === 'gone' ? 'gone' : 'deleted',
        'created',
      ]);
    }),
  );

  it('comes to an index that is backed up and restored, and tells beforehand what the disk has free', () =>
    inTwoFolders(async (one, other) => {
      const lines = Array.from({ length: 300 }, (_, line) => put(line, textOf(line)));
      const free: (number | null)[] = [];
      await load(one, lines, { onBegin: (bytes) => free.push(bytes) });
      expect(free[0]).toBeGreaterThan(0);
      const backup = `${one.DATA_DIR}.backup`;
      await backupIndex(one, pid, backup);
      expect((await restoreIndex(other, pid, backup, quiet)).counts.sources).toBe(300);
      expect((await checkIndex(other, pid, quiet)).problems).toEqual([]);
    }));

  it('hands back the line that asks for its neighbours, and all lines where the index holds documents', () =>
    inTwoFolders(async (config) => {
      const first = await load(config, [put(0, textOf(0)), put(1, textOf(1), { similar: 3 })]);
      expect((await Array.fromAsync(first.rest!)).map(({ line }) => line)).toEqual([1]);
      const second = await load(config, [put(2, textOf(2)), put(3, textOf(3))]);
      expect(second.loaded).toBeNull();
      expect((await Array.fromAsync(second.rest!)).map(({ line }) => line)).toEqual([2, 3]);
    }));

  it('leaves nothing where it is stopped, or its lines cannot be read', () =>
    inTwoFolders(async (config) => {
      mkdirSync(config.DATA_DIR);
      const stopping = new AbortController();
      const options = { signal: stopping.signal, onAnswer: () => stopping.abort(new Error('stopped')) };
      const lines = Array.from({ length: 3000 }, (_, line) => put(line, textOf(line)));
      await expect(load(config, lines, options)).rejects.toThrow('stopped');
      async function* broken() {
        yield* lines;
        throw new Error('the file was cut');
      }
      await expect(firstLoad(config, pid, broken())).rejects.toThrow('the file was cut');
      expect(readdirSync(config.DATA_DIR)).toEqual([]);
    }));

  it('goes on first with what was begun where the index is asked for something', () =>
    inTwoFolders(async (config) => {
      const running = { version: '1', pid };
      const stopping = new AbortController();
      const begun = await openToFill(config, running, log, stopping.signal);
      let taken = 0;
      begun.keepFirstLoad!(() => String(taken));
      const lines = Array.from({ length: 3000 }, (_, line) => put(line, textOf(line)));
      const load = async () => {
        for await (const _ of begun.bulk(Readable.from(lines) as never))
          if (++taken === 600) stopping.abort(new Error('stopped'));
      };
      await expect(load()).rejects.toThrow('stopped');
      expect(begun.firstLoad).toMatchObject({ isKept: false, note: String(taken) });
      await begun.close();
      const later = await openToFill(config, running, log, new AbortController().signal);
      expect(later.firstLoad?.note).toBe(String(taken));
      expect(await later.lastSeen('https://a.example/599')).toBe(SEEN_AT + 599);
      await later.close();
      const { counts } = await checkIndex(config, pid, quiet);
      expect(counts?.sources).toBe(taken);
    }));

  it('is left to go on with where nobody takes its answers', () =>
    inTwoFolders(async (config) => {
      const begun = await openToFill(config, { version: '1', pid }, log, new AbortController().signal, 0);
      begun.keepFirstLoad!(() => 'kept');
      const lines = Array.from({ length: 3000 }, (_, line) => put(line, textOf(line)));
      let taken = 0;
      for await (const _ of begun.bulk(Readable.from(lines) as never)) if (++taken === 1500) break;
      await begun.close();
      expect(begun.firstLoad).toMatchObject({ isKept: false, note: 'kept' });
      expect(readdirSync(config.DATA_DIR)).toEqual(['loading']);
    }));
});
