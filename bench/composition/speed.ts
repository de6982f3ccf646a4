import type { ServiceProcess } from '../support/service-process.ts';
import { cpuMs } from '../support/store/store-index.ts';
import { quantile, type Row } from '../support/table.ts';
import { documentText, randomFrom, textOf } from '../support/texts.ts';
import { composition, wordsFrom } from './ask.ts';

/* One client's questions about mosaics of documents of a large index, one after the other. */

const WARM_UP = 300;
const SIZES = [
  [500, 4],
  [1000, 8],
  [2000, 15],
] as const;

export async function speedRows(
  service: ServiceProcess,
  documents: number,
  bytes: number,
  runs: number,
): Promise<Row[]> {
  const random = randomFrom(3);
  const rows: Row[] = [];
  for (const find of ['sources', 'quotations'] as const) {
    for (const [size, count] of SIZES) {
      const times: number[] = [];
      let parts = 0;
      let cpuBefore = 0;
      for (let run = -WARM_UP; run < runs; run++) {
        const pieces = Array.from({ length: count }, () => {
          const words = documentText(Math.floor(random() * documents), bytes).split(' ');
          return wordsFrom(words, Math.round((0.9 * size) / count), random).join(' ');
        });
        const own = textOf(Math.floor(random() * 2 ** 30), size * 9)
          .split(' ')
          .slice(0, size / 10);
        const text = [...pieces, ...own].join(' ');
        if (run === 0) cpuBefore = cpuMs(service.pid);
        const began = performance.now();
        const answer = await composition(service, text, { find });
        if (run < 0) continue;
        times.push(performance.now() - began);
        parts += answer.parts.length;
      }
      const what = `${find} of ${size} words, ${count} planted, ${documents.toLocaleString('en-US')} documents`;
      const note = `${(parts / runs).toFixed(1)} parts`;
      const isGoal = find === 'sources';
      rows.push(
        { row: `${what}: p50`, value: quantile(times, 0.5), unit: 'ms', note, ...(isGoal ? { target: '<= 5' } : {}) },
        { row: `${what}: p99`, value: quantile(times, 0.99), unit: 'ms' },
        { row: `${what}: CPU time of the service`, value: (cpuMs(service.pid) - cpuBefore) / runs, unit: 'ms' },
      );
    }
  }
  return rows;
}
