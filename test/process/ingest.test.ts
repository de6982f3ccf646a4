import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { killedLoad } from '../support/cli/ingest-kills.ts';
import { pdfFile } from '../support/cli/input-files.ts';
import { hasRead, shingled } from '../support/cli/shingled.ts';
import { runHere, serveHere } from '../support/process/run-here.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { root } from '../support/tree/tree.ts';

/* Loads in processes of their own, which signals, pipes and kills end. */

const lineOf = (n: number) => {
  const words = Array.from({ length: 40 }, (_, at) => ((n + 1) * (at + 7) * 7919).toString(36));
  return `${JSON.stringify({ op: 'put', url: `https://a.example/${n}`, text: words.join(' ') })}\n`;
};

function linesIn(folder: string, count: number, name = 'lines.ndjson'): string {
  const path = join(folder, name);
  writeFileSync(path, Array.from({ length: count }, (_, n) => lineOf(n)).join(''));
  return path;
}

/** Of a load that a signal ends in its middle. */
const LINES = 1000;

describe('a load', () => {
  // by SIGINT: SIGTERM is the same to it, and ends a first load in first-load.test.ts
  it('of an index with documents ends by SIGINT with all it has read, and goes on from there', async () => {
    const folder = temporaryFolder();
    const [input, state, reads] = [linesIn(folder, LINES), join(folder, 'state'), join(folder, 'reads')];
    const dataDir = join(folder, 'index');
    await runHere(['ingest', linesIn(folder, 1, 'first.ndjson')], { DATA_DIR: dataDir });
    const args = ['ingest', input, '--data-dir', dataDir, '--state', state, '--json'];
    const first = shingled(args, { READS: reads, HOLD_AT: String(LINES / 2) });
    await hasRead(first.child, reads, LINES / 2);
    first.child.kill('SIGINT');
    const { code, out, err } = await first.ended;
    expect(code).toBe(EXIT_CODES.interrupted);
    expect(err).toMatch(/^Interrupted after [\d,]+ records\. To go on, run the same command again\.\n$/);
    const summary = JSON.parse(out);
    expect(summary).toMatchObject({ end: 'interrupted', results: { created: summary.read - 1, unchanged: 1 } });
    expect(summary.read).toBeLessThan(LINES);
    expect(JSON.parse(readFileSync(state, 'utf8')).position.record).toBe(summary.read);

    const again = join(folder, 'again');
    const second = await shingled(args, { READS: again }).ended;
    expect({ code: second.code, err: second.err }).toEqual({ code: EXIT_CODES.done, err: '' });
    expect(readFileSync(again, 'utf8').split('\n', 1)[0]).toBe(String(summary.read + 1));
    expect(JSON.parse(second.out)).toMatchObject({
      end: 'done',
      read: LINES,
      results: { created: LINES - 1, unchanged: 1 },
    });
    expect(existsSync(state)).toBe(false);
  });

  it('loses and repeats nothing that it has acknowledged, whenever it is killed', async () => {
    const { kills, problems } = await killedLoad(temporaryFolder(), 14, 2, { lines: 1500, readsMax: 900 });
    expect(problems).toEqual([]);
    expect(kills).toBeGreaterThan(0);
  });

  it('ends when all is done, also where a process of its own has read a file', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'report.pdf');
    writeFileSync(file, pdfFile('some words of a report'));
    const { code, out, err } = await shingled(['ingest', file, '--data-dir', join(folder, 'index'), '--json']).ended;
    expect({ code, err }).toEqual({ code: EXIT_CODES.done, err: '' });
    expect(JSON.parse(out)).toMatchObject({ read: 1, results: { created: 1 } });
  });

  it('goes to a service, or says why it cannot', async () => {
    const folder = temporaryFolder();
    const input = linesIn(folder, 200);
    const { url, stop } = await serveHere({ DATA_DIR: join(folder, 'index') });
    const { code, out } = await runHere(['ingest', input, '--server', url, '--json'], {});
    expect(code).toBe(EXIT_CODES.done);
    expect(JSON.parse(out)).toMatchObject({ read: 200, results: { created: 200 }, refused: {} });
    const locked = await shingled(['ingest', input, '--data-dir', join(folder, 'index')]).ended;
    expect(locked.code).toBe(EXIT_CODES.index);
    expect(locked.err).toContain('--server');
    await stop();
    const gone = await runHere(['ingest', input, '--server', url], {});
    expect(gone.code).toBe(EXIT_CODES.index);
    expect(gone.err).toContain('(service-unreachable)');
    expect(gone.err).toContain('nothing listens there');
  });
});

describe('a list', () => {
  it('ends quietly where nobody reads on', async () => {
    const folder = temporaryFolder();
    const DATA_DIR = join(folder, 'index');
    await runHere(['ingest', linesIn(folder, 1000)], { DATA_DIR });
    const script = `"$@" export | head -n 1; "$@" list | head -n 2`;
    const main = [process.execPath, ...process.execArgv, join(root, 'src', 'main.ts')];
    const child = spawn('sh', ['-c', script, 'sh', ...main], { env: { PATH: process.env['PATH'] ?? '', DATA_DIR } });
    let [out, err] = ['', ''];
    child.stdout.on('data', (text) => {
      out += String(text);
    });
    child.stderr.on('data', (text) => {
      err += String(text);
    });
    await once(child, 'close');
    expect(err).toBe('');
    expect(out.trim().split('\n')).toHaveLength(3);
    const { out: all } = await runHere(['list', '--by-host', '--json'], { DATA_DIR });
    expect(JSON.parse(all)).toEqual({ host: 'a.example', documents: 1000 });
  });
});
