import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOCUMENTS, QUESTIONS } from './format-fixture.ts';

/*
 * Makes a small index as this build writes it, for the tests of all later ones: `node tools/make-format-fixture.ts FOLDER`
 *
 *   FOLDER/backup/        a backup of it
 *   FOLDER/answers.json   what it answers: [{ question, answer }], without what differs from call to call
 */

const [folder] = process.argv.slice(2) as [string];
const MAIN = new URL('../src/main.ts', import.meta.url).pathname;
const dataDir = mkdtempSync(join(tmpdir(), 'shingled-fixture-'));
const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info' };

async function started(): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += text;
    const url = /"listening on (http:[^"]+)"/.exec(printed)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    const ended = once(child, 'exit');
    const stop = () => {
      child.kill('SIGTERM');
      return ended;
    };
    return { url, stop };
  }
  throw new Error(`the service did not start: ${printed}`);
}

async function send(url: string, { method, path, type, body }: (typeof DOCUMENTS)[number]): Promise<void> {
  const headers = type === undefined ? {} : { 'content-type': type };
  const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
}

// a start brings what lies in the log into a table file
for (const half of [DOCUMENTS.slice(0, DOCUMENTS.length / 2), DOCUMENTS.slice(DOCUMENTS.length / 2)]) {
  const { url, stop } = await started();
  for (const document of half) await send(url, document);
  await stop();
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const { url, stop } = await started();
const answers: object[] = [];
for (const { path, body } of QUESTIONS) {
  const headers = { 'content-type': 'application/json' };
  const asked = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${url}${path}`, asked);
  const answer = (await response.json()) as object;
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  answers.push({ path, ...(body === undefined ? {} : { body }), answer: { ...answer, elapsedMs: undefined } });
}
await stop();
writeFileSync(join(folder, 'answers.json'), `[\n${answers.map((answer) => JSON.stringify(answer)).join(',\n')}\n]\n`);
const { status } = spawnSync(process.execPath, [MAIN, 'backup', join(folder, 'backup')], { env, stdio: 'inherit' });
rmSync(dataDir, { recursive: true });
process.exitCode = status ?? 1;
