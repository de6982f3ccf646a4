import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { WARM_UP_DOCUMENTS_LEAST } from '../../src/service/upkeep/warm-up.ts';
import { openDescription, sealDescription } from '../../src/store/level/format/values.ts';
import { createIndexHere, runHere, serveHere } from '../support/process/run-here.ts';
import type { SpawnedService } from '../support/process/spawn-service.ts';
import { spawnService } from '../support/process/spawn-service.ts';
import { put, run } from '../support/process/started-service.ts';
import { withLevel } from '../support/store/level-rows.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const TEXT =
  'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness';

/** The log lines of a process. */
function logOf(service: SpawnedService): { level: number; msg: string }[] {
  return service
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

describe('starting', () => {
  it('creates an index where there is none, says what a stranger needs to know, and finds the index again, which it shares with no other process', async () => {
    const DATA_DIR = `${temporaryFolder()}/new/index`;
    const first = await spawnService({ DATA_DIR, LOGLEVEL: 'debug' });
    expect(logOf(first).map(({ level, msg }) => [level, msg])).toEqual([
      [40, expect.stringMatching(/^LOGLEVEL is not a setting.+did you mean LOG_LEVEL/)],
      [40, expect.stringContaining('a new index is created')],
      [30, 'sketches are made by the wasm kernel: it is the faster one'],
      [30, expect.stringMatching(/^queries are answered by \d+ threads? beside the main one$/)],
      [30, `the index in ${DATA_DIR} holds 0 documents`],
      [30, expect.stringContaining('without API_KEYS everybody on this machine')],
      [30, `listening on ${first.url}`],
    ]);
    expect((await put(first, 'https://a.example/', TEXT)).status).toBe(201);
    expect(await first.stop()).toEqual({ code: 0, signal: null });

    const second = await spawnService({ DATA_DIR });
    // a further process on the same index is refused, and this one goes on
    const refused = await Promise.all([[], ['check']].map((command) => runHere(command, { DATA_DIR, PORT: '0' })));
    for (const { code, err } of refused) {
      expect(code).toBe(EXIT_CODES.index);
      expect(err).toContain('(index-locked)');
    }
    expect((await put(second, 'https://b.example/', TEXT)).status).toBe(201);
    expect(logOf(second).filter(({ level }) => level > 30)).toEqual([]);
    expect(second.stdout()).toContain(`the index in ${DATA_DIR} holds 1 document"`);
    expect((await fetch(`${second.url}/documents?url=https://a.example/`)).status).toBe(200);
    expect(await second.stop()).toEqual({ code: 0, signal: null });
    expect(second.stderr()).toBe('');
  });

  it('answers from the first, and is ready when a large index is warm; a stop ends that', async () => {
    const DATA_DIR = `${temporaryFolder()}/index`;
    const lines = Array.from({ length: WARM_UP_DOCUMENTS_LEAST }, (_, i) =>
      JSON.stringify({ url: `https://a.example/${i}`, text: `${i} ${TEXT} ${i * i}` }),
    );
    const file = `${temporaryFolder()}/lines.ndjson`;
    writeFileSync(file, lines.join('\n'));
    expect((await runHere(['ingest', file], { DATA_DIR })).code).toBe(EXIT_CODES.done);

    const service = await serveHere({ DATA_DIR });
    const phase = async () => {
      const answer = await fetch(`${service.url}/health/ready`);
      return [answer.status, ((await answer.json()) as { checks: { phase: string } }).checks.phase];
    };
    expect(await phase()).toEqual([503, 'opening']);
    expect((await fetch(`${service.url}/documents?url=https://a.example/7`)).status).toBe(200);
    await vi.waitUntil(async () => (await phase())[0] === 200, { timeout: 60_000 });
    await service.stop();

    const stopped = await serveHere({ DATA_DIR });
    await stopped.stop();
    await expect(fetch(`${stopped.url}/health/ready`)).rejects.toThrow();
  });

  it('refuses a wrong configuration with every fault on a line, and no secret', async () => {
    const DATA_DIR = `${temporaryFolder()}/index`;
    const { code, out, err } = await run([], {
      DATA_DIR,
      PORT: 'http',
      SHINGLE_SIZE: '99',
      HOST: '0.0.0.0',
      API_KEYS: 'me:everything:PLANTED-SECRET-VALUE',
    });
    expect({ code, out }).toEqual({ code: EXIT_CODES.config, out: '' });
    expect(err.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      expect.stringMatching(/^ {2}PORT: "http" is not a whole number; allowed: /),
      expect.stringMatching(/^ {2}API_KEYS: entry 1: .+; allowed: /),
      expect.stringMatching(/^ {2}SHINGLE_SIZE: "99" is out of range; allowed: /),
    ]);
    expect(err).toContain('(invalid-config)');
    expect(err).not.toContain('PLANTED');
  });

  it('refuses any HOST but a loopback one without keys, before it touches the disk', async () => {
    const DATA_DIR = `${temporaryFolder()}/index`;
    const { code, err } = await runHere([], { DATA_DIR, HOST: '0.0.0.0' });
    expect(code).toBe(EXIT_CODES.config);
    expect(err).toContain('HOST: "0.0.0.0" is not a loopback address');
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it('says which setting to change where it cannot listen, and makes no index', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void blocker.close());
    const taken = String((blocker.address() as { port: number }).port);
    for (const [HOST, PORT, fault] of [
      ['127.0.0.1', taken, `PORT: another process listens on ${taken} of 127.0.0.1; allowed: a free port`],
      ['localhost', taken, `PORT: another process listens on ${taken} of localhost; allowed: a free port`],
      ['192.0.2.1', '0', 'HOST: 192.0.2.1 is not an address of this machine; allowed: one that is'],
      ['nobody.invalid', '0', 'HOST: there is no host named nobody.invalid; allowed: a name or an address'],
    ] as const) {
      const DATA_DIR = `${temporaryFolder()}/index`;
      const { code, err } = await runHere([], { DATA_DIR, HOST, PORT, API_KEYS: 'main:read:a-secret-of-this-test' });
      expect(err).toContain(fault);
      expect(code).toBe(EXIT_CODES.config);
      expect(existsSync(DATA_DIR)).toBe(false);
    }
  });

  it('refuses an empty folder where the index must exist, and a folder that holds something else', async () => {
    const [empty, other] = [temporaryFolder(), temporaryFolder()];
    mkdirSync(`${other}/photos`);
    writeFileSync(`${other}/notes.txt`, 'mine');
    const refused = await Promise.all([
      runHere([], { DATA_DIR: empty, PORT: '0', INDEX_MUST_EXIST: 'true' }),
      runHere([], { DATA_DIR: other, PORT: '0' }),
    ]);
    for (const { code, err } of refused) {
      expect(code).toBe(EXIT_CODES.index);
      expect(err).toContain('(index-missing)');
    }
    expect(readdirSync(other).sort()).toEqual(['notes.txt', 'photos']);
  });

  it('refuses an index of other settings, and names them', async () => {
    const DATA_DIR = temporaryFolder();
    await createIndexHere({ DATA_DIR });
    const { code, err } = await runHere([], { DATA_DIR, PORT: '0', SHINGLE_SIZE: '10' });
    expect(code).toBe(EXIT_CODES.index);
    expect(err).toContain('(index-mismatch)');
    expect(err).toContain('SHINGLE_SIZE');
    expect(err).toContain('7');
    expect(err).toContain('10');
  });

  it('refuses an index that another version of the pipeline made, and says why and what to do', async () => {
    const DATA_DIR = temporaryFolder();
    await createIndexHere({ DATA_DIR });
    const made = await withLevel(DATA_DIR, async (level) => {
      const description = openDescription('m', (await level.get('m'))!);
      const fingerprintId = description.fingerprintId.replace(/^\d+/, '1');
      await level.put('m', sealDescription('m', { ...description, fingerprintId }));
      return fingerprintId;
    });
    for (const command of [[], ['check']]) {
      const { code, err } = await runHere(command, { DATA_DIR, PORT: '0' });
      expect(code).toBe(EXIT_CODES.index);
      expect(err).toContain('(index-mismatch)');
      expect(err).toContain(`another version of shingled, whose fingerprints are ${made}; those of this one are 3.`);
      expect(err).toContain('What counts as a word has changed');
      expect(err).toContain('a new index in another DATA_DIR ("shingled urls" lists them)');
    }
    const { err } = await runHere([], { DATA_DIR, PORT: '0', INDEX_MODULUS: '64' });
    expect(err).toContain('INDEX_MODULUS: the index was made with');
    expect(err).toContain('another version of shingled');
  });
});

describe('the offline commands', () => {
  it('count and prove what a service left behind', async () => {
    const DATA_DIR = temporaryFolder();
    const service = await serveHere({ DATA_DIR });
    await put(service, 'https://a.example/', TEXT);
    await put(service, 'https://b.example/', TEXT);
    await put(service, 'https://c.example/', `${TEXT}, it was the epoch of belief`);
    await service.stop();
    const stats = await runHere(['stats', '--json', '--data-dir', DATA_DIR], {});
    expect(stats.err).toBe('');
    expect(JSON.parse(stats.out)).toMatchObject({ sources: 3, contents: 2, shingleSize: 7 });
    const check = await runHere(['check', '--json', '--data-dir', DATA_DIR], {});
    expect(check).toMatchObject({ code: EXIT_CODES.done, err: '' });
    expect(JSON.parse(check.out)).toEqual({
      sound: true,
      problems: [],
      counts: expect.objectContaining({ sources: 3, contents: 2 }),
      advice: null,
    });
  });
});
