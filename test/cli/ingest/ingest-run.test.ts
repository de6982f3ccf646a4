import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../src/cli/exit-codes.ts';
import type { IndexAccess } from '../../../src/client/port.ts';
import { ShingledError } from '../../../src/errors.ts';
import type { ItemRuns } from '../../../src/ingest/port.ts';
import type { OpenedInput } from '../../../src/ingest/sources.ts';
import type { BulkLineAnswer, PutAnswer, PutRequest } from '../../../src/service/api.ts';
import { Latch, rest } from '../../../src/sharing/waiting.ts';
import { bulkLineSources } from '../../support/cli/bulk-line-sources.ts';
import { indexWith, runWith } from '../../support/process/cli-run.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const put = (n: number) => JSON.stringify({ op: 'put', url: `https://a.example/${n}`, text: `text ${n}` });

function linesIn(folder: string, lines: readonly string[], name = 'lines'): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

/** An index that notes what it is told, and answers as it is told to. */
function notingIndex(answerTo: (url: string) => Partial<BulkLineAnswer> = () => ({})) {
  const noted = { lines: [] as PutRequest[], puts: [] as string[], syncs: 0 };
  const index = indexWith({
    async *bulk(lines): AsyncGenerator<BulkLineAnswer> {
      for await (const { line, operation } of lines) {
        noted.lines.push(operation as never);
        const { url } = operation;
        yield { line, url, status: 201, result: 'created', newContent: true, short: false, ...answerTo(url) } as never;
      }
    },
    durable: async () => {
      noted.syncs++;
    },
    put: async ({ url }): Promise<PutAnswer> => {
      noted.puts.push(url);
      if (url.includes('missing')) throw new ShingledError('fetch-status', 'The server answered 500.');
      return { url, status: 'created', newContent: true, content: null } as never;
    },
    lastSeen: async (url) => (url.includes('known') ? 1000 : null),
  });
  return { index, noted };
}

async function ingest(index: IndexAccess | null, args: readonly string[]) {
  const commands = {
    open: async () => index ?? Promise.reject(new Error('no index is to be opened')),
    sources: async () => bulkLineSources(),
  };
  return runWith(['ingest', ...args], commands as never);
}

describe('a load', () => {
  it('tells what became of each record: a summary, the refused ones by name, what resembles others', async () => {
    const folder = temporaryFolder();
    const similar = [{ sources: [{ url: 'https://b.example/' }], sourceCount: 1, equivalence: 'none' }];
    const { index, noted } = notingIndex((url) => {
      if (url.endsWith('/2')) return { result: 'unchanged', newContent: false } as never;
      if (url.endsWith('/3')) return { newContent: false, short: true } as never;
      if (url.endsWith('/4')) return { result: 'skipped', similar, similarComplete: true } as never;
      if (url.endsWith('/5')) return { code: 'empty-document', detail: 'No words.', status: 422 } as never;
      return {};
    });
    const input = linesIn(folder, [put(1), put(2), put(3), put(4), put(5), 'nonsense']);
    const [errors, report] = [join(folder, 'errors'), join(folder, 'report')];
    const files = ['--errors', errors, '--report-similar', report, '--unless-similar', '.9'];
    const { code, out, err } = await ingest(index, [input, ...files, '--json']);
    expect({ code, err }).toEqual({ code: EXIT_CODES.refused, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      ...{ read: 6, results: { created: 2, unchanged: 1, skipped: 1 }, identical: 1, short: 1, end: 'done' },
      refused: { 'empty-document': 1, malformed: 1 },
    });
    expect(
      readFileSync(errors, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { file: input, at: 'line 5', url: 'https://a.example/5', reason: 'empty-document', detail: 'No words.' },
      { file: input, at: 'line 6', url: null, reason: 'malformed', detail: 'This is not JSON.' },
    ]);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      ...{ url: 'https://a.example/4', status: 'skipped', similar: [{ urls: ['https://b.example/'] }], complete: true },
    });
    expect(noted.lines[0]).toMatchObject({ similar: 5, unless: { resemblance: 0.9, queryInMatch: null } });
    expect(noted.syncs).toBeGreaterThan(0);
  });

  it('says of each reason why the first record was refused, and where all are named', async () => {
    const folder = temporaryFolder();
    const { index } = notingIndex((url) =>
      url.endsWith('/5') ? ({ code: 'empty-document', detail: 'No words.', status: 422 } as never) : {},
    );
    const input = linesIn(folder, [put(1), 'nonsense', 'more of it', put(5)]);
    const { out } = await ingest(index, [input]);
    const told = [
      'Refused, with the first of each reason',
      '  2  malformed: this is not a record of its format',
      `     ${input}, line 2: This is not JSON.`,
      '  1  empty-document: the document has no words',
      `     ${input}, line 4 (https://a.example/5): No words.`,
    ].join('\n');
    expect(out.split('\n\n').slice(1)).toEqual([told, '--errors <file> writes down each of them.\n']);
    const named = await ingest(index, [input, '--errors', join(folder, 'errors')]);
    expect(named.out.split('\n\n').slice(1)).toEqual([`${told}\n`]);
    expect((await ingest(index, [linesIn(folder, [put(1)])])).out).not.toContain('first of');
  });

  it('shows what a terminal would obey in the name of a file by its number', async () => {
    const input = linesIn(temporaryFolder(), ['nonsense'], 'a\u001b[31mred\u009b1m.ndjson');
    const { out } = await ingest(notingIndex().index, [input]);
    expect(out).toContain('a\\u001b[31mred\\u009b1m.ndjson, line 1: This is not JSON.\n');
    expect(out).not.toContain('\u001b');
    const missing = await runWith(['ingest', `${input}.not`], { sources: async () => bulkLineSources() } as never);
    expect(missing.err).toContain('a\\u001b[31mred');
    expect(missing.err).not.toContain('\u001b');
  });

  it('fetches the URLs of lists and of lists in them, but none that has not changed since it was seen', async () => {
    const folder = temporaryFolder();
    const inner = linesIn(folder, ['{"wanted":"https://a.example/inner"}'], 'inner');
    const input = linesIn(folder, [
      '{"wanted":"https://a.example/1"}',
      '{"wanted":"https://a.example/missing"}',
      '{"wanted":"https://a.example/known","lastModified":1000}',
      '{"wanted":"https://a.example/known-changed","lastModified":1001}',
      `{"list":${JSON.stringify(inner)}}`,
      put(9),
    ]);
    const { index, noted } = notingIndex();
    const { code, out } = await ingest(index, [input, '--json']);
    expect(code).toBe(EXIT_CODES.refused);
    expect(noted.puts.map((url) => url.slice(18)).toSorted()).toEqual(['1', 'inner', 'known-changed', 'missing']);
    expect(JSON.parse(out)).toMatchObject({ results: { created: 4 }, notModified: 1, refused: { 'fetch-status': 1 } });
  });

  it('reads no list that goes on in itself without end', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'lines');
    const input = linesIn(folder, [`{"list":${JSON.stringify(path)}}`]);
    const { out } = await ingest(notingIndex().index, [input, '--json']);
    expect(JSON.parse(out)).toMatchObject({ refused: { malformed: 1 } });
  });

  it.each(['storage-full', 'write-queue-full', 'overloaded'])(
    'ends where the disk or the service does not go on (%s), keeps what was done, and says how to go on',
    async (fault) => {
      const folder = temporaryFolder();
      let isFull = true;
      const { index, noted } = notingIndex((url) =>
        isFull && url.endsWith('/3') ? ({ code: fault, detail: 'It is full.', status: 507 } as never) : {},
      );
      const input = linesIn(folder, [1, 2, 3, 4, 5].map(put));
      const state = join(folder, 'state');
      const args = [input, '--state', state, '--json'];
      const { code, err } = await ingest(index, args);
      expect(code).not.toBe(EXIT_CODES.done);
      expect(err).toContain(`(${fault})`);
      expect(err).toContain('It ended after 2 records, which are written. To go on, run the same command again.');
      expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ position: { record: 2 }, tally: { read: 2 } });
      isFull = false;
      noted.lines.length = 0;
      const { code: second, out } = await ingest(index, args);
      expect(second).toBe(EXIT_CODES.done);
      expect(noted.lines.map(({ url }) => url)).toEqual([3, 4, 5].map((n) => `https://a.example/${n}`));
      expect(JSON.parse(out)).toMatchObject({ read: 5, results: { created: 5 } });
      expect(existsSync(state)).toBe(false);
    },
  );

  it('refuses the state of another load, of a file that has changed, and what is none', async () => {
    const folder = temporaryFolder();
    const { index } = notingIndex((url) => (url.endsWith('/2') ? ({ code: 'storage-full', detail: '' } as never) : {}));
    const input = linesIn(folder, [put(1), put(2)]);
    const state = join(folder, 'state');
    await ingest(index, [input, '--state', state]);
    const other = await ingest(index, [linesIn(folder, [put(1)], 'other'), '--state', state]);
    expect(other).toMatchObject({ code: EXIT_CODES.config, err: expect.stringContaining('of other inputs') });
    linesIn(folder, [put(1), put(2), put(3)]);
    const changed = await ingest(index, [input, '--state', state]);
    expect(changed).toMatchObject({ code: EXIT_CODES.config, err: expect.stringContaining('has changed since') });
    writeFileSync(state, '{"shingledLoad":99}');
    expect((await ingest(index, [input, '--state', state])).err).toContain('another version');
    writeFileSync(state, 'nonsense');
    expect((await ingest(index, [input, '--state', state])).err).toContain('is no state of a load');
  });

  it('says on a terminal how long it takes still, from when it is known how much there is', async () => {
    const isSaid = new Latch();
    let asked = 0;
    async function* runs(): ItemRuns {
      const operation = { op: 'gone', url: 'https://a.example/1', observedAt: null, httpStatus: 410 } as const;
      for (let record = 1; asked < 3; record++) {
        const next = { input: 0, file: 'docs', byte: record, skip: 0, record };
        yield [{ at: 'a file', bytes: 1, next, operation }];
        await rest(1, { ref: true });
      }
      await isSaid.ahead;
    }
    async function* openInputs(): AsyncGenerator<OpenedInput> {
      // as of a folder: it is counted after it was asked for
      yield { input: 'docs', bytesAhead: () => (++asked === 1 ? 'counting' : 1e6), items: runs() };
    }
    const sources = async () => ({ ...bulkLineSources(), openInputs, find: async () => [] });
    const lines: string[] = [];
    const onErr = (text: string) => {
      lines.push(text);
      if (text.includes('ETA ')) isSaid.happen();
    };
    const open = async () => notingIndex().index;
    const { code } = await runWith(['ingest', 'docs'], { open, sources }, { isTerminal: true, onErr });
    expect(code).toBe(EXIT_CODES.done);
    expect(lines.find((line) => line.includes('ETA'))).toMatch(/ documents {2}0 MB {2}.* {2}ETA [0-9:]+ {2}0 refused$/);
    expect(lines[0]).toContain('  counting  0 refused');
  });

  it('asks no index in a dry run', async () => {
    const input = linesIn(temporaryFolder(), [put(1), 'nonsense']);
    const { code, out } = await ingest(null, [input, '--dry-run']);
    expect(code).toBe(EXIT_CODES.refused);
    expect(out).toMatch(/^Nothing was written, because of --dry-run\.\nread +2 /);
    expect(out).toContain('\n  1  malformed: this is not a record of its format\n');
  });

  it.each([
    [[], 'needs something to read'],
    [['x', '--unless-similar', '1.5'], '--unless-similar takes a share above 0'],
    [['x', '--unless-similar', '0'], '--unless-similar takes a share above 0'],
    [['x', '--dry-run', '--state', 'y'], '--state does not go with --dry-run'],
    [['x', '--server', 'http://a', '--data-dir', 'y'], '--data-dir does not go with --server'],
    [['x', '--key-file', 'y'], '--key-file needs --server'],
  ])('refuses %j', async (args, why) => {
    const { code, err } = await ingest(null, args);
    expect(code).toBe(EXIT_CODES.usage);
    expect(err).toContain(why);
  });
});
