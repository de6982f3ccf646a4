import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, symlinkSync } from 'node:fs';
import { delimiter } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commandOf, copiedFiles, environmentOf, stagesOf } from '../support/dockerfile.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temp-folder.ts';
import { readText, root } from '../support/tree.ts';

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

const nodeFirst = `${root}/node_modules/.bin${delimiter}${process.env['PATH']}`;

async function exitCode(command: readonly string[], env: Record<string, string>): Promise<number | null> {
  const child = spawn(command[0]!, command.slice(1), { env });
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
    expect(await exitCode(health, env)).toBe(1);

    const [program, ...args] = commandOf(last, 'CMD') as [string, ...string[]];
    const child = spawn(program, args, { cwd: image, env });
    onTestFinished(() => void child.kill('SIGKILL'));
    await listening(child);
    expect(await exitCode(health, env)).toBe(0);

    const text = Array.from({ length: 100_000 }, (_, i) => `word${i % 5000}`).join(' ');
    const response = await fetch(`http://127.0.0.1:${PORT}/documents?url=https://a.example/`, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain', authorization: `Bearer ${secret}` },
      body: text,
    });
    expect(response.status, await response.text()).toBe(201);

    child.kill('SIGTERM');
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(await exitCode(health, env)).toBe(1);
  });
});
