import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTextMaker } from '../support/core/make-documents.ts';
import {
  buildImage,
  type Container,
  engine,
  engineRun,
  noContainers,
  runOnce,
  startContainer,
} from '../support/process/container.ts';
import { commandOf, stagesOf } from '../support/process/dockerfile.ts';
import { readText } from '../support/tree/tree.ts';

const BUILD_MS = 600_000;
const STEP_MS = 900_000;
const STEP_POLL = { timeout: 30_000, interval: 10 };
/** Documents that are written before it is killed. */
const DOCUMENTS = Number(process.env['DOCUMENTS'] ?? 2000);
const BULK_LINES = 2000;
const BODY_BYTES = 8 * 2 ** 20;
const MEMORY_MIB = Number(/mem_limit: (\d+)m/.exec(readText('docker-compose.yml'))![1]);
/** What the image adds to its base, in bytes. */
const OWN_BYTES_MAX = 60_000_000;

async function started(...how: Parameters<typeof startContainer>): Promise<Container> {
  const container = await startContainer(...how);
  onTestFinished(() => container.remove());
  return container;
}

const texts = createTextMaker(12);
const linesOf = (name: string, first: number, count: number) =>
  Array.from({ length: count }, (_, n) =>
    JSON.stringify({ op: 'put', url: `https://${name}.example/${first + n}`, text: texts.text(300) }),
  ).join('\n');

/** How many lines ended in each status. */
async function bulk(container: Container, name: string, count: number): Promise<Record<string, number>> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const ends: Record<string, number> = {};
  for (let first = 0; first < count; first += BULK_LINES) {
    const body = linesOf(name, first, Math.min(BULK_LINES, count - first));
    const answer = await container.ask('/documents', { method: 'POST', headers, body });
    for (const line of (await answer.text()).trim().split('\n')) {
      const { status } = JSON.parse(line) as { status?: number };
      if (status !== undefined) ends[status] = (ends[status] ?? 0) + 1;
    }
  }
  return ends;
}

describe.skipIf(noContainers)('the image in a container', () => {
  const volume = `shingled-test-${process.pid}`;
  beforeAll(buildImage, BUILD_MS);
  afterAll(() => {
    engineRun('volume', 'rm', '--force', volume);
  });

  it('adds little to its base, and nothing that is not used', () => {
    const bytes = Number(runOnce('du --bytes --summarize /app').split('\t')[0]);
    expect(bytes).toBeGreaterThan(10_000_000);
    expect(bytes).toBeLessThan(OWN_BYTES_MAX);
    const unused = "find /app -name 'node-linux*' -o -name typescript -o -name vitest -o -name '*.ts' -o -name '*.ldb'";
    expect(runOnce(unused)).toBe('');
  });

  it(
    'runs as docker-compose.yml says, and keeps what it acknowledged when it is killed and begun again',
    async () => {
      const container = await started(['--volume', `${volume}:/data`]);
      await container.ready();
      expect(container.exec('id', '-u').stdout.trim()).not.toBe('0');
      expect(container.exec('touch', '/app/dist/main.js').status).not.toBe(0);
      expect(container.exec(...commandOf(stagesOf(readText('Dockerfile')).at(-1)!, 'HEALTHCHECK')).status).toBe(0);
      expect(await bulk(container, 'killed', DOCUMENTS)).toEqual({ 201: DOCUMENTS });
      engineRun('kill', '--signal', 'KILL', container.name);
      engineRun('start', container.name);
      // while it starts
      await expect.poll(() => container.log().split('sketches are made').length, STEP_POLL).toBe(3);
      expect(container.stop(60).ms).toBeLessThan(30_000);
      engineRun('start', container.name);
      await container.ready();
      expect(await (await container.ask('/stats')).json()).toMatchObject({ sources: DOCUMENTS, contents: DOCUMENTS });
      expect((await container.ask('/docs/static/swagger-ui.css')).status).toBe(200);
      expect(container.stop(30).code).toBe(0);
    },
    STEP_MS,
  );

  it(
    'answers the largest bodies, many at a time, within its memory',
    async () => {
      const container = await started(['--volume', `${volume}:/data`]);
      await container.ready();
      const text = texts.text(BODY_BYTES / 12).slice(0, BODY_BYTES - 100);
      const page = `<p>${text.slice(0, BODY_BYTES - 200).replaceAll('. ', '.<p class=x>')}`;
      const kinds = [
        ['/similar?deadlineMs=60000', 'text/plain', text],
        ['/similar?deadlineMs=60000', 'text/html', page.slice(0, BODY_BYTES)],
        ['/similar?deadlineMs=60000&select=p.x', 'text/html', page.slice(0, BODY_BYTES)],
        ['/similar', 'application/json', JSON.stringify({ document: { text }, deadlineMs: 60_000 })],
        ['/similar', 'application/json', `[${'[],'.repeat(BODY_BYTES / 3 - 2)}[]]`],
        [
          '/compare',
          'application/json',
          JSON.stringify({ a: { text: text.slice(99) }, b: { text: 'a' }, passages: true, deadlineMs: 60_000 }),
        ],
      ] as const;
      const asked = Array.from({ length: 60 }, async (_, i) => {
        const [path, type, body] = kinds[i % kinds.length]!;
        const answer = await container.ask(path, { method: 'POST', headers: { 'content-type': type }, body });
        await answer.arrayBuffer();
        return answer.status;
      });
      const statuses = new Set(await Promise.all(asked));
      expect([...statuses]).toContain(200);
      // 408: half a gigabyte at once does not come in time on every machine
      expect([...statuses].filter((status) => ![200, 400, 408, 422, 503, 504].includes(status))).toEqual([]);
      expect(container.peakBytes()).toBeGreaterThan(100_000_000);
      expect(container.peakBytes()).toBeLessThanOrEqual(MEMORY_MIB * 2 ** 20);
      await container.ready();
      expect(container.log()).not.toContain('"level":"fatal"');
      expect(container.stop(30).code).toBe(0);
    },
    STEP_MS,
  );

  it(
    'answers 507 while its volume is full, goes on reading, and writes again when there is room',
    async () => {
      const full = 'type=tmpfs,destination=/data,tmpfs-size=48m';
      const owned = engine === 'docker' ? 'tmpfs-mode=1777' : 'tmpfs-mode=0700,U=true';
      const container = await started(['--mount', `${full},${owned}`], { FREE_BYTES_MIN: '0' });
      await container.ready();
      expect(await bulk(container, 'before', 50)).toEqual({ 201: 50 });
      container.exec('sh', '-c', 'cat /dev/zero > /data/filler');
      expect(Object.keys(await bulk(container, 'during', 500))).toContain('507');
      expect((await container.ask('/documents?url=https://before.example/7')).status).toBe(200);
      expect(await (await container.ask('/health/ready')).json()).toMatchObject({ checks: { writable: false } });
      container.exec('rm', '/data/filler');
      await expect.poll(async () => (await bulk(container, 'after', 5))[201], { timeout: 20_000 }).toBe(5);
      expect(container.stop(30).code).toBe(0);
    },
    STEP_MS,
  );

  it.each([
    ['with an index', volume],
    ['without one', `${volume}-fresh`],
  ])(
    'says that it cannot write, where its volume %s is read-only, and ends',
    async (_what, name) => {
      onTestFinished(() => void engineRun('volume', 'rm', '--force', `${volume}-fresh`));
      const container = await started(['--volume', `${name}:/data:ro`]);
      await expect(container.ready()).rejects.toThrow(/EROFS: read-only file system/);
    },
    STEP_MS,
  );
});
