import { describe, expect, it } from 'vitest';
import { handMadeWaits } from '../support/tree/hand-made-waits.ts';
import { filesUnder, readText } from '../support/tree/tree.ts';

/** Each hand-made wait of src, and why it is none of src/sharing's. */
const REASONS: readonly (readonly [found: string, reason: string])[] = [
  ['src/cluster/pairs/watched.ts: timer', 'nobody waits: how far threads are is told again and again'],
  ['src/fetch/exchange/politeness.ts: timer', 'one for all who wait at any host, by a clock that tests set'],
  ['src/fetch/guarded-fetcher.ts: signal', 'closing gives up every fetch'],
  ['src/http/abort.ts: signal', 'a client that goes gives up: what deadlines are made with'],
  ['src/http/bodies/read-body.ts: deadline', 'one timer looks at the time and at the rate of a body'],
  ['src/http/bodies/read-body.ts: promise', 'the events of a stream settle it'],
  ['src/http/bodies/read-body.ts: timer', 'the last look, when the time is over'],
  ['src/http/bodies/read-body.ts: timer', 'the next look at the rate'],
  ['src/http/edge/server.ts: timer', 'nobody waits: a connection lingers'],
  ['src/http/edge/door.ts: timer', 'nobody waits: room is made while places are full'],
  ['src/http/edge/lanes.ts: timer', 'nobody waits: a connection lingers'],
  ['src/http/lifecycle.ts: timer', 'idle connections are closed again and again'],
  ['src/http/lifecycle.ts: timer', 'at the end the others are cut off, and waited for'],
  ['src/open-index.ts: timer', 'says again and again what the start waits for'],
  ['src/run.ts: signal', 'a signal of the system tells a command to end'],
  ['src/service/upkeep/sweep.ts: timer', 'nobody waits: the next sweep'],
  ['src/shutdown.ts: timer', 'ends the process, whatever hangs'],
  ['src/store/level/child/child.ts: promise', 'the events of a process settle it'],
  ['src/store/level/next-turn.ts: promise', 'the next iteration of the loop'],
  ['src/store/level/outage/outage.ts: timer', 'nobody waits: the next attempt'],
  ['src/store/level/segments/maintenance-loop.ts: timer', 'nobody waits: the next attempt'],
  ['src/store/level/segments/maintenance-loop.ts: timer', 'nobody waits: whether the index is idle'],
  ['src/workers/document-workers.ts: signal', 'how piscina is told to end a worker'],
  ['src/workers/document-workers.ts: timer', 'one looks at the clocks of all tasks'],
  ['src/workers/parser-lane.ts: timer', 'nobody waits: an idle process is ended'],
  ['src/workers/parser-process.ts: timer', 'ends a process, whatever it does'],
];

describe('waiting', () => {
  it('is done by src/sharing, but where a reason says why not', () => {
    // a page has one user, and a browser's clock
    const files = filesUnder('src', '.ts').filter((path) => !path.startsWith('src/page/'));
    const found = files.flatMap((path) => handMadeWaits(path, readText(path)));
    expect(found.sort()).toEqual(REASONS.map(([wait]) => wait).sort());
    for (const [wait, reason] of REASONS) expect(reason.length, wait).toBeGreaterThan(15);
  });

  it.each([
    ['promise', 'const next = () => new Promise<void>((resolve) => void waiting.push(resolve));'],
    ['promise', 'const { promise, resolve } = Promise.withResolvers<void>();'],
    ['timer', 'const timer = setTimeout(() => reject(late()), waitMs);'],
    ['timer', 'this.#timer ??= setInterval(() => this.#look(), 100);'],
    ['timer', "import { setTimeout as sleep } from 'node:timers/promises';"],
    ['signal', 'const late = new AbortController();'],
    ['signal', 'const signal = AbortSignal.any([asked, AbortSignal.timeout(100)]);'],
    ['deadline', 'const untilMs = performance.now() + 100;'],
    ['deadline', 'const leftMs = endsAt - performance.now();'],
    ['deadline', 'if (performance.now() > untilMs) throw late();'],
    ['deadline', 'const isOver = () => endsAt <= performance.now();'],
  ])('finds a planted %s', (kind, line) => {
    expect(handMadeWaits('src/service/planted.ts', `// ${line}\n  ${line}\n`)).toEqual([
      `src/service/planted.ts: ${kind}`,
    ]);
    expect(handMadeWaits('src/sharing/waiting.ts', line)).toEqual([]);
  });

  it('is not found where time is only measured', () => {
    const lines = ['const startedAt = performance.now();', 'socket.setTimeout(5);', 'now = () => performance.now();'];
    expect(handMadeWaits('src/service/planted.ts', lines.join('\n'))).toEqual([]);
    expect(handMadeWaits('src/a.ts', 'const elapsedMs = performance.now() - startedAt;')).toEqual([]);
  });
});
