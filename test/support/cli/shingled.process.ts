import { appendFileSync } from 'node:fs';
import { run } from '../../../src/run.ts';
import { bulkLineSources } from './bulk-line-sources.ts';

/*
 * `shingled` as a process, which reads lines of bulk requests. READS names a file that is told of each record as it is read:
 * the number of the record, a line each.
 */

const { READS } = process.env;
const sources = bulkLineSources(({ next }) => READS !== undefined && appendFileSync(READS, `${next.record}\n`));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
process.exitCode = await run(process, '1.2.3', { sources: async () => sources });
