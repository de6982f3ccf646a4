import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished, vi } from 'vitest';
import { clusterCorpus } from '../../../src/cluster/cluster-corpus.ts';
import type { CorpusMessage, CorpusOrder } from '../../../src/cluster/served/corpus.worker.ts';
import { corpusOf, setContent } from '../../support/cluster/set-corpus.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const THREAD = new URL('../../support/cluster/replaced-result.worker.ts', import.meta.url);
const [FIRST, SECOND] = ['2026-02-03T04:05:06.000Z', '2026-02-03T04:05:07.000Z'];
/** Copies of one document, so many that to tell of them takes several slices. */
const COPIES = 40_000;

async function clustered(at: string): Promise<string> {
  const folder = temporaryFolder();
  const copies = Array.from({ length: COPIES }, () => setContent(new Set([1, 2, 3])));
  const options = { folder, by: 'resemblance', floor: 0.25, threads: 1, now: () => Date.parse(at) } as const;
  await clusterCorpus(corpusOf(copies), options);
  return folder;
}

it('what is being answered when another result is read is answered from that', async () => {
  const [folder, other] = [await clustered(FIRST), await clustered(SECOND)];
  const said: CorpusMessage[] = [];
  const worker = new Worker(THREAD, { workerData: folder, argv: [folder, other] });
  onTestFinished(async () => void (await worker.terminate()));
  worker.on('message', (message: CorpusMessage) => void said.push(message));
  const question = { urls: ['https://a.example/0'], by: 'resemblance', threshold: 0.5, limit: 3 } as const;
  worker.postMessage([1, { caller: 'a', question }] satisfies CorpusOrder);
  await vi.waitFor(() => expect(said.filter((message) => 'id' in message)).toHaveLength(2), 60_000);
  const whatHappened = said.map((message) => Object.keys(message)[0]);
  // begun, and not answered before the other was read
  expect(whatHappened.slice(0, 3)).toEqual(['opened', 'caller', 'opened']);
  for (const message of said) {
    if ('id' in message) expect(message).toMatchObject({ answer: { asOf: SECOND, cluster: { documents: COPIES } } });
  }
});
