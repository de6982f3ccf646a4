import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { EXIT_CODES } from '../../src/cli/exit-codes.ts';
import { answer, startOrigin } from '../support/fetch/origin-server.ts';
import { freePort } from '../support/process/free-port.ts';
import { createIndexHere, runHere, serveHere } from '../support/process/run-here.ts';
import { spawnService } from '../support/process/spawn-service.ts';
import { put } from '../support/process/started-service.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

/* What the process keeps from others, and what it keeps away from. */

const TEXT = 'It was the best of times, it was the worst of times, it was the age of wisdom';

describe('a process', () => {
  it('refuses backups inside of the index, before it touches the disk', async () => {
    const folder = temporaryFolder();
    const DATA_DIR = `${folder}/index`;
    const { code, err } = await runHere([], { DATA_DIR, PORT: '0', BACKUP_DIR: `${DATA_DIR}/backups` });
    expect(code).toBe(EXIT_CODES.config);
    expect(err).toContain('BACKUP_DIR: "');
    expect(existsSync(DATA_DIR)).toBe(false);
    await createIndexHere({ DATA_DIR });
    for (const target of [`${DATA_DIR}/backup`, DATA_DIR]) {
      const backup = await runHere(['backup', target], { DATA_DIR });
      expect([backup.code, backup.err]).toEqual([
        EXIT_CODES.config,
        expect.stringContaining('in, the folder of the index'),
      ]);
    }
    expect((await runHere(['check'], { DATA_DIR })).code).toBe(EXIT_CODES.done);
  });

  it('keeps what it writes from other users, whatever the shell that started it allows; and without a file of keys ends by SIGHUP', async () => {
    const folder = temporaryFolder();
    const [DATA_DIR, BACKUP_DIR] = [`${folder}/index`, `${folder}/backups`];
    const before = process.umask(0);
    const service = await spawnService({ DATA_DIR, BACKUP_DIR }).finally(() => process.umask(before));
    expect((await put(service, 'https://a.example/', TEXT)).status).toBe(201);
    const headers = { 'content-type': 'application/json' };
    const backup = await fetch(`${service.url}/admin/backup`, { method: 'POST', headers, body: '{"name":"one"}' });
    expect(backup.status).toBe(200);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    expect(files.length).toBeGreaterThan(10);
    for (const { parentPath, name } of files) {
      expect([name, (statSync(`${parentPath}/${name}`).mode & 0o077).toString(8)]).toEqual([name, '0']);
    }
    expect(await service.stop('SIGHUP')).toEqual({ code: 0, signal: null });
    expect(service.stdout()).toContain('everything acknowledged is on disk');
  });

  it('takes its keys from a file, and refuses one that others may write, without a word of it', async () => {
    const folder = temporaryFolder();
    const [DATA_DIR, API_KEYS_FILE] = [`${folder}/index`, `${folder}/keys`];
    writeFileSync(API_KEYS_FILE, '# ours\nreader:read:secret-of-the-reader\n', { mode: 0o600 });
    const service = await serveHere({ DATA_DIR, API_KEYS_FILE });
    const ask = (headers: Record<string, string>) => fetch(`${service.url}/stats`, { headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: 'Bearer secret-of-the-reader' })).status).toBe(200);
    expect((await put(service, 'https://a.example/', TEXT)).status).toBe(401);
    await service.stop();
    chmodSync(API_KEYS_FILE, 0o620);
    const { code, err } = await runHere([], { DATA_DIR, API_KEYS_FILE, HOST: '0.0.0.0' });
    expect(code).toBe(EXIT_CODES.config);
    expect(err.split('\n').filter((line) => line.startsWith('  '))).toEqual([
      expect.stringMatching(/^ {2}API_KEYS_FILE: others than its owner may write the file; allowed: /),
    ]);
    expect(err).not.toContain('secret-of');
  });
});

describe('SIGHUP', () => {
  it('has the file of keys read again; one that cannot be used changes nothing', async () => {
    const folder = temporaryFolder();
    const [DATA_DIR, API_KEYS_FILE] = [`${folder}/index`, `${folder}/keys`];
    const write = (text: string) => writeFileSync(API_KEYS_FILE, text, { mode: 0o600 });
    write('old:read:secret-of-the-first\n');
    const service = await spawnService({ DATA_DIR, API_KEYS_FILE });
    const statusOf = async (secret: string) => {
      const response = await fetch(`${service.url}/stats`, { headers: { authorization: `Bearer ${secret}` } });
      await response.arrayBuffer();
      return response.status;
    };
    expect(await statusOf('secret-of-the-first')).toBe(200);
    write('old:read:secret-of-the-first\nnew:read:secret-of-the-second\n');
    service.child.kill('SIGHUP');
    await vi.waitUntil(async () => (await statusOf('secret-of-the-second')) === 200, { timeout: 60_000 });
    write('new:read:secret-of-the-second\n');
    service.child.kill('SIGHUP');
    await vi.waitUntil(async () => (await statusOf('secret-of-the-first')) === 401, { timeout: 60_000 });
    write('no key at all\n');
    service.child.kill('SIGHUP');
    await vi.waitUntil(() => service.stdout().includes('stay as they were'), { timeout: 60_000 });
    expect(await statusOf('secret-of-the-second')).toBe(200);
    expect(service.stdout()).not.toContain('secret-of');
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  });
});

describe('fetching', () => {
  it('reaches what FETCH_ALLOWED_PRIVATE opens, but never the service itself', async () => {
    const other = await startOrigin(answer({ headers: { 'content-type': 'text/plain' }, body: TEXT }));
    const [PORT, DATA_DIR] = [await freePort(), temporaryFolder()];
    const opened = { FETCH_ALLOWED_PRIVATE: '127.0.0.0/8', FETCH_PORTS: `${PORT},${other.port}` };
    const service = await serveHere({ DATA_DIR, PORT, ...opened });
    const ask = async (url: string) => {
      const answered = await fetch(`${service.url}/similar?deadlineMs=5000&url=${url}`);
      return answered.ok ? answered.status : ((await answered.json()) as { code: string }).code;
    };
    expect(await ask(`http://127.0.0.1:${other.port}/`)).toBe(200);
    for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '0x7f.1'])
      expect(await ask(`http://${host}:${PORT}/stats`)).toBe('fetch-failed');
    await Promise.all([service.stop(), other.close()]);
  });

  it('that failed is in the log under the id of the request that wanted it, whichever call that was', async () => {
    const service = await serveHere({ DATA_DIR: temporaryFolder() });
    const page = 'http://127.0.0.1/';
    const json = { 'content-type': 'application/json' };
    const calls: Record<string, [string, RequestInit]> = {
      asked: [`/similar?url=${page}`, {}],
      compared: ['/compare', { method: 'POST', headers: json, body: `{"a":{"url":"${page}"},"b":{"text":"x"}}` }],
      collapsed: [
        '/collapse',
        { method: 'POST', headers: json, body: `{"results":[{"url":"${page}"}],"fetch":"auto"}` },
      ],
      crawled: [`/documents?url=${page}&fetch=true`, { method: 'PUT' }],
      line: [
        '/similar',
        { method: 'POST', headers: { 'content-type': 'application/x-ndjson' }, body: `{"document":{"url":"${page}"}}` },
      ],
    };
    for (const [id, [path, init]] of Object.entries(calls)) {
      const headers = { ...(init.headers as Record<string, string>), 'x-request-id': id };
      await (await fetch(`${service.url}${path}`, { ...init, headers })).arrayBuffer();
    }
    const lines = service.logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    const failed = lines.filter(({ msg }) => msg === 'a fetch was refused or failed');
    expect(failed.map(({ requestId }) => requestId)).toEqual(Object.keys(calls));
  });
});
