import { defineConfig } from 'vitest/config';
import CountingReporter from './test/support/counting-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: [process.env['CI'] === undefined ? 'default' : 'dot', new CountingReporter()],
    // what takes 10 s alone takes a minute where machines are shared
    testTimeout: 90_000,
    hookTimeout: 90_000,
    pool: 'forks',
    maxWorkers: 2,
    // files of one process share what they import: a third of the suite's time was spent on importing the same again
    isolate: false,
    // Node takes the types off a worker's files by WebAssembly that calls JavaScript a thousand times; V8 then compiles a way
    // for it that all threads share, and ends the process now and then where the thread before was ended (as tests do)
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
});
