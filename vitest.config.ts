import { defineConfig } from 'vitest/config';
import CountingReporter from './test/support/counting-reporter.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: [process.env['CI'] === undefined ? 'default' : 'dot', new CountingReporter()],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    coverage: { provider: 'v8', include: ['src/**/*.ts'] },
  },
});
