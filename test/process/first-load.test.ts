import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { createIndexKeyFile } from '../../src/identity/index-key.ts';
import { killedFirstLoad } from '../support/cli/first-load-kills.ts';
import { hasRead, shingled } from '../support/cli/shingled.ts';
import { runHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

/* `ingest` into an empty index beside `ingest` that goes the way of every other: --report-similar asks, so it is no first load. */

const WORDS = 'quick brown fox jumps over a lazy dog while seven wizards box and jug liquor behind this old quay'.split(
  ' ',
);
const DAY = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString();

/** Of a load that a signal ends in its middle. */
const LINES = 1000;

const textOf = (n: number) =>
  Array.from({ length: 60 }, (_, at) => WORDS[(at * (3 + (n % 7)) + n) % WORDS.length]).join(' ');

const put = (url: string, text: string, day: number) =>
  JSON.stringify({ op: 'put', url: `https://a.example/${url}`, text, observedAt: DAY(day) });

/** Creates and updates, versions of one URL by date, what is refused, what is identical, what is short. */
function mixedLines(): string[] {
  const many = Array.from({ length: 700 }, (_, n) => put(`${n}`, `${n % 9 === 0 ? '' : n} ${textOf(n)}`, 1));
  const versions = [5, 3, 9, 3].map((day) => put('7', textOf(100 + day), day));
  return [
    ...many,
    ...versions,
    ...['nonsense', JSON.stringify({ op: 'put', text: 'no URL' }), put('no-words', ' ... ', 1)],
    ...[put('short', 'three short words', 1), put('8', textOf(1), 2), put('3', `3 ${textOf(3)}`, 4)],
    // not those that an update took away: whether they are identical depends on which is written first
    ...Array.from({ length: 60 }, (_, n) => put(`late/${n}`, `${n + 9} ${textOf(n + 9)}`, 2)),
  ];
}

function twoIndexes(lines: readonly string[]) {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  createIndexKeyFile(at('key'));
  writeFileSync(at('lines'), lines.map((line) => `${line}\n`).join(''));
  const run = (args: readonly string[]) => runHere(args, { INDEX_KEY_FILE: at('key') });
  const ingest = async (index: string, more: readonly string[] = []) => {
    const args = ['ingest', at('lines'), '--data-dir', at(index), '--errors', at(`${index}.errors`), '--json', ...more];
    const { code, out, err } = await run(args);
    const { elapsedMs, recordsPerS, megabytesPerS, phasesMs, slowestPhase, ...counts } = JSON.parse(out);
    return { code, err, counts, phasesMs, errors: readFileSync(at(`${index}.errors`), 'utf8') };
  };
  const bothWays = async () => {
    const first = await ingest('first');
    const online = await ingest('online', ['--report-similar', at('similar')]);
    return { first, online };
  };
  const asked = async (index: string) => {
    const of = (args: readonly string[]) => run([...args, '--data-dir', at(index)]);
    writeFileSync(at('draft'), `some other words, and then ${textOf(4)}`);
    const check = await of(['check', '--json']);
    const exported = await of(['export']);
    const similar = await of(['similar', at('draft'), '--json', '--limit', '50']);
    return {
      check: [check.code, JSON.parse(check.out).problems],
      exported: exported.out,
      matches: JSON.parse(similar.out).matches,
    };
  };
  return { at, run, bothWays, asked };
}

describe('ingest into an empty index', { timeout: 120_000 }, () => {
  it('comes to the same summary, errors and index as the usual way', async () => {
    const { bothWays, asked } = twoIndexes(mixedLines());
    const { first, online } = await bothWays();
    expect(first).toMatchObject({ code: EXIT_CODES.refused, err: '' });
    expect(first.counts).toEqual(online.counts);
    expect(first.counts.results).toEqual({ created: 761, updated: 3, history: 2, unchanged: 1 });
    expect(first.counts.refused).toEqual({ malformed: 1, 'no-url': 1, 'empty-document': 1 });
    expect(first.counts.identical).toBeGreaterThan(0);
    expect(first.counts.short).toBeGreaterThan(0);
    expect(first.errors.replaceAll('first.errors', '')).toBe(online.errors);
    // that it was a first load
    expect(first.phasesMs.sorting).toBeGreaterThan(0);
    expect(online.phasesMs.sorting).toBe(0);
    const one = await asked('first');
    expect(one).toEqual(await asked('online'));
    expect(one.check).toEqual([EXIT_CODES.done, []]);
    expect(one.exported.split('\n').length).toBeGreaterThan(760);
    expect(one.matches.length).toBeGreaterThan(3);
  });

  it('goes on the usual way behind a line that is no put', async () => {
    const lines = mixedLines();
    const gone = JSON.stringify({ op: 'gone', url: 'https://a.example/605' });
    const deleted = JSON.stringify({ op: 'delete', url: 'https://a.example/606' });
    lines.splice(350, 0, gone, put('605', `here again ${textOf(900)}`, 40), deleted);
    const { bothWays, asked, run, at } = twoIndexes(lines);
    const { first, online } = await bothWays();
    expect(first.counts).toEqual(online.counts);
    expect(first.phasesMs.sorting).toBeGreaterThan(0);
    const dateless = (text: string) => text.replaceAll(/20(?!26-01|26-02)\d\d-[^"]*/g, '');
    const [one, other] = [await asked('first'), await asked('online')];
    expect({ ...one, exported: dateless(one.exported) }).toEqual({ ...other, exported: dateless(other.exported) });
    expect(one.check).toEqual([EXIT_CODES.done, []]);
    const again = await run(['ingest', at('lines'), '--data-dir', at('first'), '--json']);
    expect(JSON.parse(again.out).phasesMs.sorting).toBe(0);
  });

  /** Ends a first load in its middle. */
  async function interrupted(given: readonly string[]) {
    const folder = temporaryFolder();
    const at = (name: string) => join(folder, name);
    const lines = Array.from({ length: LINES }, (_, n) =>
      n % 100 === 7 ? `nonsense ${n}` : put(`${n}`, textOf(n), 1),
    );
    writeFileSync(at('lines'), lines.map((line) => `${line}\n`).join(''));
    const to = ['--data-dir', at('index'), '--errors', at('errors'), '--json', ...given];
    const { child, ended } = shingled(['ingest', at('lines'), ...to], { READS: at('reads'), HOLD_AT: `${LINES / 2}` });
    await hasRead(child, at('reads'), LINES / 2);
    child.kill('SIGTERM');
    return { at, to, first: await ended };
  }

  // by SIGTERM: SIGINT is the same to it, and ends another load in ingest.test.ts
  it('keeps what was taken in where SIGTERM ends it, and goes on from there', async () => {
    const { at, to, first } = await interrupted(['--state', `${temporaryFolder()}/state`]);
    const { code, out, err } = first;
    expect(code).toBe(EXIT_CODES.interrupted);
    const { read, end, results } = JSON.parse(out);
    expect({ end, created: results.created ?? 0 }).toEqual({
      end: 'interrupted',
      created: read - Math.round(read / 100),
    });
    expect(err).toContain(
      `the first ${read} records are kept, which are no index yet. To go on from there, run the same command`,
    );
    expect(readdirSync(at('index'))).toEqual(['loading']);
    // neither other inputs nor other options
    writeFileSync(at('others'), put('x', 'other words', 1));
    for (const [input, more] of [
      [at('others'), to],
      [at('lines'), [...to, '--url-field', 'link']],
      [at('lines'), to.slice(0, 2)],
    ] as const) {
      const { code: other, err: why } = await runHere(['ingest', input, ...more], {});
      expect({ other, why }).toEqual({
        other: EXIT_CODES.index,
        why: expect.stringContaining('which this command cannot go on with'),
      });
    }
    for (const command of [['check'], ['list'], ['urls'], ['repair'], ['backup', at('backup')], ['compact']]) {
      const { code: other, err: why } = await runHere([...command, '--data-dir', at('index')], {});
      expect({ command, other, why }).toEqual({
        command,
        other: EXIT_CODES.index,
        why: expect.stringContaining('(load-unfinished)'),
      });
    }
    const second = await runHere(['ingest', at('lines'), ...to], {});
    expect(second.code).toBe(EXIT_CODES.refused);
    expect(second.err).toBe(
      `Going on with the first load that was begun here: ${read} records are taken in already.\n`,
    );
    expect(JSON.parse(second.out)).toMatchObject({
      ...{ end: 'done', read: LINES, results: { created: LINES - 10 }, refused: { malformed: 10 } },
    });
    const named = readFileSync(at('errors'), 'utf8').trim().split('\n');
    expect(named.map((line) => JSON.parse(line).at)).toEqual(
      Array.from({ length: 10 }, (_, n) => `line ${100 * n + 8}`),
    );
    const check = await runHere(['check', '--data-dir', at('index'), '--json'], {});
    expect(JSON.parse(check.out)).toMatchObject({ problems: [], counts: { sources: LINES - 10 } });
    expect(readdirSync(at('index')).sort()).toEqual(['db', 'high-water', 'index.key']);
  });

  it('keeps nothing of standard input, and says so', async () => {
    const folder = temporaryFolder();
    const args = ['ingest', '-', '--format', 'ndjson', '--data-dir', join(folder, 'index'), '--json'];
    const { child, ended } = shingled(args, { READS: join(folder, 'reads') });
    child.stdin.write(Array.from({ length: LINES }, (_, n) => `${put(`${n}`, textOf(n), 1)}\n`).join(''));
    await hasRead(child, join(folder, 'reads'), LINES / 4);
    child.kill('SIGINT');
    const { code, out, err } = await ended;
    expect(code).toBe(EXIT_CODES.interrupted);
    expect(err).toContain('of which nothing is kept');
    expect(JSON.parse(out)).toMatchObject({ end: 'interrupted', results: {}, identical: 0, short: 0 });
    expect(readdirSync(join(folder, 'index'))).toEqual([]);
  });

  it('comes to the same, and repeats nothing, whenever it is killed', async () => {
    const how = { lines: 1500, killsMax: 3, power: null };
    const { kills, problems } = await killedFirstLoad(temporaryFolder(), 11, how);
    expect(problems).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  });

  it('makes an index of nothing too', async () => {
    const { at, run } = twoIndexes([]);
    const { code } = await run(['ingest', at('lines'), '--format', 'ndjson', '--data-dir', at('index')]);
    expect(code).toBe(EXIT_CODES.done);
    const { out } = await run(['stats', '--data-dir', at('index'), '--json']);
    expect(JSON.parse(out)).toMatchObject({ sources: 0, contents: 0 });
  });
});
