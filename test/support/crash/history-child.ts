import { writeSync } from 'node:fs';
import { historyOf, live, openHistory } from './backup-history.ts';

/* A process that lives a life of a history and then waits to be killed: `node history-child.ts FOLDER SEED LIFE BACKUPS`. */

const [dataDir, seed, life, backups] = process.argv.slice(2) as [string, string, string, string];
const history = historyOf(Number(seed));
const store = await openHistory(dataDir, history, backups);
await live(store, history.lives[Number(life)]!.steps, (name) => store.backup(name));
writeSync(1, 'done\n');
setInterval(() => undefined, 60_000);
