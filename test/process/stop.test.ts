import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { serveHere } from '../support/process/run-here.ts';
import { type SpawnedService, spawnService, spawnShingled } from '../support/process/spawn-service.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const KEY = 'PLANTED-API-KEY-SECRET';
const HEADERS = { authorization: `Bearer ${KEY}` };

function started(environment: Record<string, string> & { DATA_DIR: string }): Promise<SpawnedService> {
  return spawnService({ API_KEYS: `me:read+write+fetch+admin:${KEY}`, ...environment });
}

const textOf = (n: number) => Array.from({ length: 40 }, (_, i) => `word${n}x${i}`).join(' ');
const documentUrl = (service: Pick<SpawnedService, 'url'>, n: number) =>
  `${service.url}/documents?url=https://w.example/${n}`;

/** Writes documents one after the other until the service refuses, and notes those that were acknowledged. */
async function writeUntilRefused(service: SpawnedService, first: number, acknowledged: number[]): Promise<void> {
  for (let n = first; ; n += 100) {
    try {
      const headers = { ...HEADERS, 'content-type': 'text/plain' };
      const response = await fetch(documentUrl(service, n), { method: 'PUT', headers, body: textOf(n) });
      if (response.status === 503) return;
      expect(response.status).toBe(201);
      await response.arrayBuffer();
    } catch {
      return;
    }
    acknowledged.push(n);
  }
}

/** Sends a signal twice at once, as npm forwards it, and once more when it is being followed: it counts for one. */
async function stopAsByNpm(service: SpawnedService, signal: NodeJS.Signals): Promise<void> {
  service.child.kill(signal);
  service.child.kill(signal);
  await once(service.child.stdout!, 'data');
  service.child.kill(signal);
  expect(await service.ended).toEqual({ code: 0, signal: null });
  expect(service.stdout()).toContain('stopped; everything acknowledged is on disk');
}

describe('stopping', () => {
  it('is begun by a signal however early it comes', async () => {
    const DATA_DIR = `${temporaryFolder()}/index`;
    const telling = "process.on('newListener',(name)=>name==='SIGTERM'&&process.stderr.write('listens'))";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(telling)}`;
    const { child, ended, stdout } = spawnShingled([], { DATA_DIR, PORT: '0', NODE_OPTIONS });
    // as the first process of a container it would not notice a signal that it does not listen for
    await once(child.stderr!, 'data');
    child.kill('SIGTERM');
    const { code, signal } = await ended;
    expect(signal).toBe(null);
    // at once where nothing was open yet
    if (code === 0) expect(stdout()).toContain('SIGTERM: finishing');
    else expect([code, stdout(), existsSync(DATA_DIR)]).toEqual([143, '', false]);
  });

  it('loses nothing that was acknowledged while clients write, by SIGTERM that comes three times', async () => {
    const DATA_DIR = temporaryFolder();
    const service = await started({ DATA_DIR });
    const acknowledged: number[] = [];
    const writers = Array.from({ length: 8 }, (_, writer) => writeUntilRefused(service, writer, acknowledged));
    await vi.waitUntil(() => acknowledged.length > 20, { timeout: 60_000 });
    await stopAsByNpm(service, 'SIGTERM');
    await Promise.all(writers);

    const again = await serveHere({ DATA_DIR });
    for (const n of acknowledged) {
      const response = await fetch(documentUrl(again, n));
      expect(response.status, `document ${n}`).toBe(200);
      expect(await response.json()).toMatchObject({ content: { tokens: 40, shingles: 34 } });
    }
    await again.stop();
  });

  it('cuts off what is not finished by its deadline', async () => {
    const service = await started({ DATA_DIR: temporaryFolder(), DRAIN_TIMEOUT_MS: '300' });
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(
      `PUT /documents?url=https://slow.example/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n` +
        'Content-Type: text/plain\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\nonly the beginning',
    );
    // the body is being read
    expect(String(await once(socket, 'data'))).toContain(' 100 ');
    expect(await service.stop('SIGTERM')).toEqual({ code: 0, signal: null });
    await closed;
  });

  it('prints no secret, no text and no address of a document, whatever happens, and takes three SIGINT for one', async () => {
    const DATA_DIR = temporaryFolder();
    const service = await started({ DATA_DIR, LOG_LEVEL: 'trace' });
    const plant = (name: string) => `PLANTED-${name}`;
    const put = (url: string, type: string, body: string, headers: Record<string, string> = HEADERS) =>
      fetch(`${service.url}/documents?url=${encodeURIComponent(url)}`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': type, cookie: plant('COOKIE') },
        body,
      });
    await put(`https://h.example/${plant('PATH')}?q=${plant('QUERY')}`, 'text/plain', `${plant('TEXT')} ${textOf(1)}`);
    await put(`https://h.example/`, 'application/json', `{"text": "${plant('BROKEN-JSON')}`);
    await put(`https://h.example/`, 'text/plain', textOf(1), { authorization: `Bearer ${plant('WRONG-KEY-VALUE')}` });
    await put(`${plant('NO-URL')}`, 'text/plain', textOf(1));
    await fetch(`${service.url}/${plant('ROUTE')}?x=${plant('QUERY')}`, { headers: HEADERS });
    await fetch(`${service.url}/similar?url=https://user:${plant('USERINFO')}@127.0.0.1/`, { headers: HEADERS });
    await stopAsByNpm(service, 'SIGINT');
    const printed = service.stdout() + service.stderr();
    expect(printed.split('\n').length).toBeGreaterThan(6);
    expect(printed.match(/PLANTED[\w-]*/g) ?? []).toEqual([]);
    for (const secret of secretsOf(DATA_DIR)) expect(printed).not.toContain(secret);
  });
});

/** Long runs of hexadecimal digits in the files of an index, which is how its key is written. */
function secretsOf(folder: string): string[] {
  const secrets = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => readFileSync(`${folder}/${entry.name}`, 'latin1').match(/[0-9a-f]{64}/g) ?? []);
  expect(secrets.length).toBeGreaterThan(0);
  return secrets;
}
