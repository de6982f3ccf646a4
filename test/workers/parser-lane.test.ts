import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DEFAULT_EXTRACT_LIMITS } from '../../src/extract/limits.ts';
import { DEFAULT_PIPELINE_LIMITS } from '../../src/workers/limits.ts';
import { ParserLane } from '../../src/workers/parser-lane.ts';
import type { Said, Told } from '../../src/workers/parser-process.ts';
import { IDENTITY, input, PAGE, selected, selectorBomb, settled } from '../support/workers/pipeline.ts';

const SETUP = { identity: IDENTITY, limits: DEFAULT_EXTRACT_LIMITS, kernel: 'wasm' } as const;

type Options = Partial<ConstructorParameters<typeof ParserLane>[0]>;

/** The real lane, asked for a page by a caller; and the processes that it has started. */
function beginLane(options: Options = {}) {
  const before = new Set(parserProcesses());
  const lane = new ParserLane({ ...DEFAULT_PIPELINE_LIMITS, setup: SETUP, ...options });
  return {
    lane,
    process: (document = selected('b'), caller = 'somebody', patient = false) =>
      lane.process(document, { caller }, patient),
    processes: () => parserProcesses().filter((pid) => !before.has(pid)),
  };
}

/** The same, closed at the end of the test. */
function startLane(options: Options = {}) {
  const lane = beginLane(options);
  onTestFinished(() => lane.lane.close());
  return lane;
}

/** Of this process's children, those for selectors. */
function parserProcesses(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const parent = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]);
      const isOne = readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('parser.process');
      return parent === process.pid && isOne ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

/** For tests that leave it and its one process as they were. */
const SHARED = { threads: 1, timeoutMs: 500, queueMax: 1 };
const shared = beginLane(SHARED);
afterAll(() => shared.lane.close());

describe('a page whose selector costs too much', () => {
  it.each([
    ['elements', '<br>'.repeat(600_000)],
    ['parts of one text', '<'.repeat(4_000_000)],
  ])('of memory, by %s, ends its process and nothing else', { timeout: 240_000 }, async (_what, page) => {
    const setup = { ...SETUP, limits: { ...DEFAULT_EXTRACT_LIMITS, nodesMax: 1e9 } };
    const lane = startLane({ threads: 1, memoryMb: 64, timeoutMs: 50_000, setup });
    await expect(lane.process(input(page, { select: 'p' }))).rejects.toMatchObject({
      code: 'document-too-complex',
      limit: { name: 'memoryMb', value: 64 },
    });
    expect(await lane.process()).toMatchObject({ sketch: { tokenCount: 1 } });
  });

  it('of time is ended, and its process goes on', async () => {
    const lane = shared;
    await lane.process();
    const [pid] = lane.processes();
    await expect(lane.process(selectorBomb())).rejects.toMatchObject({
      code: 'document-too-complex',
      limit: { name: 'timeoutMs', value: SHARED.timeoutMs },
    });
    expect(await lane.process()).toMatchObject({ sketch: { tokenCount: 1 } });
    expect(lane.processes()).toEqual([pid]);
  });

  it('keeps nobody else from a process, however many there are of it', { timeout: 240_000 }, async () => {
    const lane = startLane({ threads: 2, timeoutMs: 20_000 });
    await Promise.all([lane.process(), lane.process()]);
    let ended = 0;
    const bombs = Array.from({ length: 20 }, () => settled(lane.process(selectorBomb(), 'hog')).finally(() => ended++));
    for (let i = 0; i < 5; i++) await lane.process(selected('b'), 'another');
    expect(ended).toBe(0);
    await lane.lane.close();
    expect(new Set(await Promise.all(bombs)).size).toBe(1);
  });
});

describe('a page that takes long', () => {
  it('makes way for a caller who has no process, and begins again', { timeout: 240_000 }, async () => {
    const lane = startLane({ threads: 2, timeoutMs: 20_000, keptMs: 50 });
    const order: string[] = [];
    const hogs = ['hog', 'another hog'].flatMap((hog) =>
      Array.from({ length: 2 }, () => settled(lane.process(selectorBomb(), hog)).finally(() => order.push(hog))),
    );
    await vi.waitUntil(() => lane.processes().length === 2, { timeout: 60_000, interval: 10 });
    expect(await lane.process(selected('b'), 'third')).toMatchObject({ sketch: { tokenCount: 1 } });
    expect(order).toEqual([]);
    await lane.lane.close();
    await Promise.all(hogs);
  });

  it('is done in the end, however many others wait meanwhile', { timeout: 240_000 }, async () => {
    const lane = startLane({ threads: 1, timeoutMs: 60_000, keptMs: 50 });
    const page = input(`<p>${'<b>word</b> '.repeat(5_000)}</p>`, { select: 'b' });
    let isDone = false;
    const long = lane.process(page, 'long').finally(() => {
      isDone = true;
    });
    while (!isDone) await lane.process(selected('b'), 'others');
    expect(await long).toMatchObject({ sketch: { tokenCount: 5_000 } });
  });
});

describe('a process for selectors', () => {
  it('is started for a page, and there are no more than may be at work', async () => {
    const lane = startLane({ threads: 2 });
    expect(lane.processes()).toEqual([]);
    await lane.process();
    expect(lane.processes().length).toBe(1);
    await Promise.all(Array.from({ length: 12 }, () => lane.process()));
    expect(lane.processes().length).toBe(2);
    await lane.lane.close();
    expect(lane.processes()).toEqual([]);
  });

  it('that is the last stays, so that nobody waits for another to start; others end when they are idle', async () => {
    const lane = startLane({ threads: 2, idleMs: 300 });
    const pages = Promise.all([lane.process(), lane.process(), lane.process(selected('b'), 'another')]);
    // not once all are done: on a busy machine the one has been idle for long before the other has begun
    await vi.waitUntil(() => lane.processes().length === 2, { timeout: 60_000, interval: 10 });
    await pages;
    await vi.waitUntil(() => lane.processes().length === 1, { timeout: 60_000 });
    const [last] = lane.processes();
    // the time of the last is over as well by now
    await wait(400);
    expect((await lane.process()).sketch.tokenCount).toBeGreaterThan(0);
    expect(lane.processes()).toEqual([last]);
  });

  it('that was ended while it was idle is replaced without anybody noticing', async () => {
    const lane = startLane({ threads: 1 });
    await lane.process();
    for (const pid of lane.processes()) process.kill(pid, 'SIGKILL');
    expect(await lane.process()).toMatchObject({ sketch: { tokenCount: 1 } });
  });

  it('that is ended under a page takes no more than that page with it', async () => {
    const lane = startLane({ threads: 1, timeoutMs: 20_000 });
    await lane.process();
    const bomb = settled(lane.process(selectorBomb()));
    const waiting = lane.process(selected('b'), 'another');
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const pid of lane.processes()) process.kill(pid, 'SIGKILL');
    expect(await bomb).toBe('document-too-complex');
    expect(await waiting).toMatchObject({ sketch: { tokenCount: 1 } });
  });

  it('makes way for the service, and goes first where memory runs short', async () => {
    const lane = shared;
    await lane.process();
    const [pid] = lane.processes();
    expect(getPriority(pid!)).toBe(getPriority() + 5);
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'utf8').trim()).toBe('1000');
  });

  it('tells nothing of its environment, and has none', async () => {
    const lane = shared;
    await lane.process();
    const [pid] = lane.processes();
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
    expect(names.map((entry) => entry.split('=')[0]).sort()).toEqual([
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
    ]);
  });

  it('ends with whoever started it, also in the middle of a page', async () => {
    const child = await begun(selectorBomb(), 400);
    const ended = once(child, 'exit');
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  });

  it('is not ended by the signals of a terminal', async () => {
    const child = await begun(selected('b'), 1000);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal);
    child.send({ input: input(PAGE, { select: 'b' }), timeoutMs: 1000 } satisfies Told);
    for (;;) {
      const [said] = (await once(child, 'message')) as [Said];
      if ('document' in said) break;
    }
    expect(child.exitCode ?? child.signalCode).toBe(null);
  });
});

/** A process of its own that has begun with a page. */
async function begun(document: ReturnType<typeof input>, timeoutMs: number): Promise<ChildProcess> {
  const entry = new URL('../../src/workers/parser.process.ts', import.meta.url);
  const child = fork(entry, { serialization: 'advanced' });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.send({ setup: SETUP, processMbMax: 400 } satisfies Told);
  expect((await once(child, 'message'))[0]).toEqual({ ready: true });
  child.send({ input: document, timeoutMs } satisfies Told);
  expect((await once(child, 'message'))[0]).toEqual({ begun: true });
  return child;
}

describe('what comes of a page', () => {
  it('owns its memory', async () => {
    const { text, sketch } = await shared.process();
    for (const view of [text!, sketch.shingleSum, sketch.sample.fingerprints]) {
      expect(view.buffer.byteLength).toBe(view.byteLength);
    }
  });

  it('is told by its code, field and limit where it is an error', async () => {
    await expect(shared.process(selected(':gt(1)'))).rejects.toMatchObject({
      code: 'invalid-selector',
      field: 'select',
    });
    // within half a second a busy machine may not get as far
    const { process: patient } = startLane({ threads: 1 });
    await expect(patient(input('<div>'.repeat(600), { remove: 'p' }))).rejects.toMatchObject({
      code: 'document-too-complex',
      limit: { name: 'depthMax', value: 512 },
    });
  });

  it('is refused where too many of the caller wait, and only his, and none of who bounds himself', async () => {
    const lane = shared;
    await lane.process();
    const all = [settled(lane.process(selectorBomb())), settled(lane.process())];
    await expect(lane.process()).rejects.toMatchObject({ code: 'overloaded', limit: { name: 'queueMax', value: 1 } });
    all.push(settled(lane.process(selected('b'), 'another')), settled(lane.process(selected('b'), 'somebody', true)));
    expect(await Promise.all(all)).toEqual(['document-too-complex', 'done', 'done', 'done']);
  });
});
