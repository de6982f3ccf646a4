import { statfsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import CountingReporter from './test/support/counting-reporter.ts';
import { buildEntries } from './test/support/process/built.ts';

const ALL = ['test/**/*.test.ts'];
/**
 * Folders that leave nothing behind: no memory that WebAssembly grew, no thread or process that outlives its test. Those of a
 * group share a process, since a third of their time was spent on importing the same again for each file. In groups, since
 * something stays behind: one process for all of the suite took longer than one for each file.
 */
const SHARED = [
  ['cli', 'core', 'extract', 'features', 'identity', 'ingest', 'json', 'page', 'plain-words', 'sharing', 'tree'],
  ['http', 'service'],
  ['fetch', 'socket'],
  // and what lies in no folder
  ['client', 'commands', 'docs', '.'],
  // one browser, and one build of the page
  ['browser'],
  // their processes are of their own, and end with their tests
  ['process', 'queries'],
  // those files right in store/level end threads, or weigh memory
  ['store/level/*'],
];
const testsIn = (folders: readonly string[]) =>
  folders.map((folder) => (folder === '.' ? 'test/*.test.ts' : `test/${folder}/**/*.test.ts`));

/*
 * Taking the types off 300 files takes a process two seconds, and a thread of the store 0.3: what Node made of them is kept.
 * Not by NODE_COMPILE_CACHE, since threads and processes that are given an empty environment would not have it.
 */
const KEEP_COMPILED = new URL('test/support/process/keep-compiled.mjs', import.meta.url);
// not where somebody watches: the sources change meanwhile
if (process.argv.includes('run')) KEEP_COMPILED.searchParams.set('built', await buildEntries());

/*
 * Indexes of tests live for seconds, and are synced all the same: on a disk that takes a tenth of the time of those tests. Where
 * the machine has no such folder with room for all of them (a container has 64 MB of it), or TMPDIR is set, they are on the disk.
 */
const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;
if (roomIn(IN_MEMORY) >= ROOM_BYTES) process.env['TMPDIR'] ??= IN_MEMORY;

function roomIn(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}

export default defineConfig({
  test: {
    // by Node itself, as the service is: bindings of modules cost nothing, and what was compiled is kept for all processes
    experimental: { viteModuleRunner: false },
    reporters: [process.env['CI'] === undefined ? 'default' : 'dot', new CountingReporter()],
    // what takes 10 s alone takes a minute where machines are shared
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // a second, where nothing is said, is less than a busy machine may take
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // for two cores: with two processes they waited for an eighth of the time
    maxWorkers: 3,
    // Node takes the types off a worker's files by WebAssembly that calls JavaScript a thousand times; V8 then compiles a way
    // for it that all threads share, and ends the process now and then where the thread before was ended (as tests do)
    // and buffers outside of the heap count with it: else each 64 MB of them, as 30 small packed files take, have all of it marked
    // and a young generation as large as the service has: what a test throws away dies in it, which takes a fifteenth less
    execArgv: [
      ...['--min-semi-space-size=16', '--max-semi-space-size=32'],
      ...['--wasm-wrapper-tiering-budget=1000000000', '--external-memory-accounted-in-global-limit'],
      `--import=${KEEP_COMPILED}`,
    ],
    projects: [
      ...SHARED.map((folders) => ({
        extends: true as const,
        test: { name: folders.join().replace('/*', ''), include: testsIn(folders), isolate: false },
      })),
      { extends: true, test: { name: 'alone', include: ALL, exclude: testsIn(SHARED.flat()) } },
    ],
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
});
