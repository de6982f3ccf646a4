import { writeSync } from 'node:fs';
import { CLIENTS, CRASH_OPTIONS, operation } from './level-clients.ts';
import { openFolder } from './level-folder.ts';

/*
 * A process that writes until it is killed: `node level-writer.ts FOLDER SEED POSITIONS`. It prints `open`, and the number
 * of a client whenever an operation of that client has been acknowledged.
 */

const [dataDir, seed, positions] = process.argv.slice(2);
const next = positions!.split(',').map(Number);

const store = await openFolder(dataDir!, CRASH_OPTIONS);
writeSync(1, 'open\n');

async function write(client: number): Promise<never> {
  for (;;) {
    await store.apply(operation(Number(seed), client, next[client]!++));
    writeSync(1, `${client}\n`);
  }
}

await Promise.all(Array.from({ length: CLIENTS }, (_, client) => write(client)));
