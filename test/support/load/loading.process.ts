import { writeSync } from 'node:fs';
import { loadPlans, manyPuts } from './loaded-index.ts';

/* A process that loads an index, says how far it is, and may be killed at any moment: folder, documents. */

const [folder, documents] = process.argv.slice(2);
const progress = ({ phase, done }: { phase: string; done: number }) => void writeSync(1, `${phase} ${done}\n`);
await loadPlans(folder!, manyPuts(Number(documents)), {}, { progress, batch: 50 });
writeSync(1, 'whole\n');
