import { writeSync } from 'node:fs';
import type { Reporter, TestModule, TestRunEndReason } from 'vitest/node';

/**
 * Prints one closing line, "N passed, N failed, N skipped", after everything else the run prints.
 *
 * A broken import, an unhandled error or a run without any test counts as one failure, so that the line never looks
 * better than the exit code.
 */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[], reason: TestRunEndReason): void {
    let passed = 0;
    let failed = errors.length;
    let skipped = 0;
    for (const module of modules) {
      failed += module.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed++;
        else if (state === 'failed') failed++;
        else skipped++;
      }
    }
    if (failed === 0 && (reason !== 'passed' || passed === 0)) failed = 1;
    const tail = skipped === 0 ? '' : `, ${skipped} skipped`;
    process.on('exit', () => writeSync(1, `${passed} passed, ${failed} failed${tail}\n`));
  }
}
