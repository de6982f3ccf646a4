import { appendFileSync } from 'node:fs';
import type { CliCommands } from '../../../src/cli/cli-commands.ts';
import { openToFill } from '../../../src/commands/folder-access.ts';
import { createIngestSources } from '../../../src/commands/ingest-sources.ts';
import { readConfig } from '../../../src/config.ts';
import type { ItemRuns } from '../../../src/ingest/port.ts';
import type { IngestSources, OpenedInput } from '../../../src/ingest/sources.ts';
import { createLogger } from '../../../src/logger.ts';
import { run } from '../../../src/run.ts';

/*
 * `shingled` as a process. READS names a file that is told of each record as it is read: the number of the record, a line
 * each. Behind record HOLD_AT no other comes until the process is told to end: however slow the machine is, the signal comes
 * in the middle. CHECKPOINT_MS: from one checkpoint of a first load to the next. NOW: what the clock says.
 */

const { READS, HOLD_AT, CHECKPOINT_MS, NOW } = process.env;
if (NOW !== undefined) Date.now = () => Number(NOW);

async function* told(runs: ItemRuns): ItemRuns {
  for await (const items of runs) {
    if (READS !== undefined) for (const { next } of items) appendFileSync(READS, `${next.record}\n`);
    const held = items.findIndex(({ next }) => next.record === Number(HOLD_AT)) + 1;
    if (held > 0) {
      yield items.slice(0, held);
      await signalled();
    }
    yield items.slice(held);
  }
}

function signalled(): Promise<void> {
  return new Promise((resolve) => {
    // a signal that is listened for keeps no process
    const kept = setInterval(() => undefined, 1000);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        clearInterval(kept);
        resolve();
      });
    }
  });
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

const fill: CliCommands['fill'] = async ({ dataDir }, until) => {
  const { config } = readConfig({ ...process.env, DATA_DIR: dataDir! });
  const running = { version: '1.2.3', pid: process.pid };
  return openToFill(config, running, await createLogger('silent', false), until, Number(CHECKPOINT_MS));
};
process.exitCode = await run(process, '1.2.3', {
  sources: async (_dataDir, input) => sourcesOf(input),
  ...(CHECKPOINT_MS === undefined ? {} : { fill }),
});
