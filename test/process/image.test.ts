import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { faultOfNode } from '../../src/node-version.ts';
import { withoutCheck } from '../support/process/clone.ts';
import { commandOf, copiedFiles, environmentOf, stagesOf } from '../support/process/dockerfile.ts';
import { freePort } from '../support/process/free-port.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { readText, root } from '../support/tree/tree.ts';

/*
 * No image can be built in a test, so the steps of the Dockerfile are done by hand in an empty folder: what it copies is
 * copied, what it compiles is compiled, and its commands are run with its environment. The packages are this clone's.
 */

const stages = stagesOf(readText('Dockerfile'));
const last = stages.at(-1)!;
const [build] = stages as [(typeof stages)[0]];

/** Copies what a stage copies into a folder, with this clone's packages beside it. */
function stageFolder(stage: typeof last): string {
  const folder = temporaryFolder();
  for (const file of copiedFiles(stage)) cpSync(`${root}/${file}`, `${folder}/${file}`, { recursive: true });
  symlinkSync(`${root}/node_modules`, `${folder}/node_modules`);
  return folder;
}

const manifest = JSON.parse(readText('package.json')) as { engines: { node: string } };
const nodeFirst = `${root}/node_modules/.bin${delimiter}${process.env['PATH']}`;

/** A Node of this machine that is too old, null where there is none. */
function olderNode(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  const found = folders.map((folder) => `${folder}/node`).find((path) => existsSync(path));
  if (found === undefined) return null;
  const version = spawnSync(found, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim();
  return faultOfNode(version, manifest.engines.node) === null ? null : found;
}

async function exitCode(command: readonly string[], env: Record<string, string>, cwd: string): Promise<number | null> {
  const child = spawn(command[0]!, command.slice(1), { env, cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

async function listening(child: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    child.stdout!.on('data', (data: Buffer) => {
      if (data.includes('listening on')) resolve();
    });
    child.once('close', () => reject(new Error('it ended before it listened')));
  });
}

describe('the image', () => {
  it('builds, serves, is healthy while it does, and stops when asked', async () => {
    const buildFolder = stageFolder(build);
    withoutCheck(buildFolder);
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: buildFolder, env: { PATH: nodeFirst } });
    const image = stageFolder(last);
    cpSync(`${buildFolder}/dist`, `${image}/dist`, { recursive: true });

    const secret = 'a-secret-of-this-test';
    const PORT = await freePort();
    const env = {
      PATH: nodeFirst,
      ...environmentOf(last),
      DATA_DIR: `${temporaryFolder()}/index`,
      API_KEYS: `main:read+write:${secret}`,
      PORT,
    };
    const health = commandOf(last, 'HEALTHCHECK');
    const healthOf = (host: string) => exitCode(health, { ...env, HOST: host }, image);
    expect(await healthOf('0.0.0.0')).toBe(1);

    const [program, ...args] = commandOf(last, 'CMD') as [string, ...string[]];
    const child = spawn(program, args, { cwd: image, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    await listening(child);
    for (const host of ['0.0.0.0', 'localhost']) expect([host, await healthOf(host)]).toEqual([host, 0]);

    const looked = await fetch(`http://127.0.0.1:${PORT}/`);
    expect([looked.status, looked.redirected, await looked.text()]).toEqual([
      200,
      false,
      expect.stringContaining('<div id="page">'),
    ]);

    const text = Array.from({ length: 100_000 }, (_, i) => `word${i % 5000}`).join(' ');
    const response = await fetch(`http://127.0.0.1:${PORT}/documents?url=https://a.example/`, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain', authorization: `Bearer ${secret}` },
      body: text,
    });
    expect(response.status, await response.text()).toBe(201);

    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await healthOf('0.0.0.0')).toBe(1);

    const older = olderNode();
    if (older !== null) {
      const { status, stderr } = spawnSync(older, [`${image}/dist/main.js`], { encoding: 'utf8' });
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/^shingled needs Node 22\.19 or later, and this is /),
      ]);
    }
  }, 240_000);

  it('has a health check that asks where the service listens, whatever HOST is', async () => {
    const folder = stageFolder(last);
    const script = commandOf(last, 'HEALTHCHECK').map((word) =>
      word.replace('dist/', `${root}/src/`).replace(/\.js$/, '.ts'),
    );
    for (const [listening, host, status, expected] of [
      ['127.0.0.3', '127.0.0.3', 200, 0],
      ['127.0.0.1', '0.0.0.0', 200, 0],
      ['127.0.0.1', '0.0.0.0', 503, 1],
      ['::1', '::1', 200, 0],
      ['::1', '::', 200, 0],
      ['::1', '0:0:0:0:0:0:0:0', 200, 0],
    ] as const) {
      const asked: (string | undefined)[] = [];
      const server = createServer(({ url }, response) => {
        asked.push(url);
        response.writeHead(status).end();
      });
      await new Promise<void>((resolve) => server.listen(0, listening, resolve));
      const env = { PATH: nodeFirst, HOST: host, PORT: String((server.address() as { port: number }).port) };
      const code = await exitCode(script, env, folder);
      server.close();
      expect([host, status, code, asked]).toEqual([host, status, expected, ['/health/live']]);
    }
  });
});
