import { defineConfig } from 'vitest/config';
import CountingReporter from './test/support/counting-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: [process.env['CI'] === undefined ? 'default' : 'dot', new CountingReporter()],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
    // Node takes the types off a worker's files by WebAssembly that calls JavaScript a thousand times; V8 then compiles a way
    // for it that all threads share, and ends the process now and then where the thread before was ended (as tests do)
    execArgv: ['--wasm-wrapper-tiering-budget=1000000000'],
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
});
