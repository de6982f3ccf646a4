import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { clusterCorpus } from '../../../src/cluster/cluster-corpus.ts';
import type { CorpusContent } from '../../../src/cluster/port.ts';
import { answerBytes } from '../../../src/cluster/result/answer-bytes.ts';
import { ClusterAnswers } from '../../../src/cluster/result/cluster-answers.ts';
import { cutForest } from '../../../src/core/cluster/cut.ts';
import { corpusOf, families, setContent } from '../../support/cluster/set-corpus.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

/** Bytes of all columns in a value, each once. */
function columnBytes(value: unknown, met = new Set<unknown>()): number {
  if (typeof value !== 'object' || value === null || met.has(value)) return 0;
  met.add(value);
  if (ArrayBuffer.isView(value)) return columnBytes(value.buffer, met);
  if (value instanceof ArrayBuffer) return value.byteLength;
  return Object.values(value).reduce((sum: number, one) => sum + columnBytes(one, met), 0);
}

it('what a result takes once it is opened and cut is told before, with dates and without', async () => {
  const contents = families(3000, 3).map(setContent);
  // of some sets of shingles there are two documents
  const documents = [...contents, ...contents.slice(0, 500)];
  const [dated, plain] = [await takenAndTold(documents, [null, 5]), await takenAndTold(documents, [])];
  for (const { taken, told } of [dated, plain]) {
    for (const bytes of taken) {
      expect(bytes).toBeLessThan(told);
      // nor is far more told
      expect(bytes).toBeGreaterThan(told / 2);
    }
  }
  const more = 8 * documents.length;
  expect(dated.taken).toEqual(plain.taken.map((bytes) => bytes + more));
  expect(dated.told).toBe(plain.told + more);
});

/** What columns take at some thresholds, and what was told of it. */
async function takenAndTold(contents: readonly CorpusContent[], dates: readonly (number | null)[]) {
  const folder = join(temporaryFolder(), 'result');
  const settings = { folder, by: 'resemblance', floor: 0.25, threads: 1, now: () => 0 } as const;
  const { counts, files } = await clusterCorpus(corpusOf(contents, dates), settings);
  const answers = ClusterAnswers.open(folder);
  onTestFinished(() => answers.close());
  const { nodes, edges, forestEdges } = counts;
  const heldBytes = columnBytes(answers.result.nodes);
  const told = answerBytes({ nodes, heldBytes, counts, files, hasDates: dates.length > 0, edges, forestEdges });
  const documentsOf = Uint32Array.from({ length: nodes }, (_, n) => answers.starts[n + 1]! - answers.starts[n]!);
  const opened = columnBytes(answers);
  const taken = [0.25, 0.8, 1].map((at) => opened + columnBytes(cutForest(documentsOf, answers.forest, at)));
  return { taken, told };
}
