import { appendFileSync } from 'node:fs';
import { createIngestSources } from '../../../src/commands/ingest-sources.ts';
import { readConfig } from '../../../src/config.ts';
import type { ItemRuns } from '../../../src/ingest/port.ts';
import type { IngestSources, OpenedInput } from '../../../src/ingest/sources.ts';
import { run } from '../../../src/run.ts';

/*
 * `shingled` as a process. READS names a file that is told of each record as it is read: the number of the record, a line
 * each.
 */

const { READS } = process.env;

async function* told(runs: ItemRuns): ItemRuns {
  for await (const items of runs) {
    for (const { next } of items) if (READS !== undefined) appendFileSync(READS, `${next.record}\n`);
    yield items;
  }
}

function sourcesOf(input: AsyncIterable<Uint8Array>): IngestSources {
  const sources = createIngestSources(readConfig(process.env).config, input);
  return {
    ...sources,
    async *openInputs(...how): AsyncGenerator<OpenedInput> {
      for await (const opened of sources.openInputs(...how)) yield { ...opened, items: told(opened.items) };
    },
  };
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
process.exitCode = await run(process, '1.2.3', { sources: async (_dataDir, input) => sourcesOf(input) });
