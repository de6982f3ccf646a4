import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { clusterCorpus } from '../../../src/cluster/cluster-corpus.ts';
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

it.each([
  ['without dates', false],
  ['with some', true],
])('what a result takes once it is opened and cut is told before, %s', async (_what, hasDates) => {
  const folder = join(temporaryFolder(), 'result');
  const contents = families(3000, 3).map(setContent);
  // of some sets of shingles there are two documents
  const corpus = corpusOf([...contents, ...contents.slice(0, 500)], hasDates ? [null, 5] : []);
  const settings = { folder, by: 'resemblance', floor: 0.25, threads: 1, now: () => 0 } as const;
  const { counts, files } = await clusterCorpus(corpus, settings);
  const answers = ClusterAnswers.open(folder);
  onTestFinished(() => answers.close());
  const { documents, nodes } = answers.result;
  expect(documents.dates.length > 0).toBe(hasDates);
  const { nodes: nodeCount, edges, forestEdges } = counts;
  const told = answerBytes({
    ...{ nodes: nodeCount, heldBytes: columnBytes(nodes), counts, files, hasDates, edges, forestEdges },
  });
  const documentsOf = Uint32Array.from({ length: nodeCount }, (_, n) => answers.starts[n + 1]! - answers.starts[n]!);
  for (const threshold of [0.25, 0.8, 1]) {
    const taken = columnBytes(answers) + columnBytes(cutForest(documentsOf, answers.forest, threshold));
    expect(taken).toBeLessThan(told);
    // nor is far more told
    expect(taken).toBeGreaterThan(told / 2);
  }
});
