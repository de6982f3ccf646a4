import { expect, it } from 'vitest';
import { clusterCorpus } from '../../src/cluster/cluster-corpus.ts';
import type { Corpus } from '../../src/cluster/port.ts';
import { withSketches } from '../../src/cluster/result/sketch-file.ts';
import { corpusOfIndex } from '../../src/commands/corpus-of-index.ts';
import { corpusOfResult } from '../../src/commands/corpus-of-result.ts';
import { corpusOf, families, setContent } from '../support/cluster/set-corpus.ts';
import { createTextMaker } from '../support/core/make-documents.ts';
import { createServiceFixture, IDENTITY, SHINGLE_SIZE } from '../support/service/service-fixture.ts';
import { openFolder } from '../support/store/level-folder.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

/* Texts that a corpus brings before it asks whether there is room: a sink has copied them, and bounds nothing until then. */

/** @returns how many texts came, and the most of them at a time */
async function broughtBy(corpus: Corpus): Promise<{ all: number; most: number }> {
  let [all, since, most] = [0, 0, 0];
  const contents = (some: readonly unknown[]) => {
    since += some.length;
    most = Math.max(most, since);
    return some.map(() => all++);
  };
  const room = async () => {
    since = 0;
  };
  await corpus.readInto({ contents, document: () => undefined, room }, () => undefined, undefined);
  return { all, most };
}

it('of a result are a group at a time', async () => {
  const folder = temporaryFolder();
  const sets = families(900, 3);
  const made = corpusOf(sets.map(setContent));
  const read: Corpus['readInto'] = async (...rest) => ({ ...(await made.readInto(...rest)), fingerprintId: 'own' });
  const options = { folder, by: 'resemblance' as const, floor: 0.5, threads: 1, now: () => 0 };
  const { counts } = await clusterCorpus(withSketches({ ...made, readInto: read }, folder), options);
  const { all, most } = await broughtBy(corpusOfResult(folder, ['own']));
  expect(all).toBe(counts.texts);
  expect(all).toBeGreaterThan(600);
  expect(most).toBeLessThanOrEqual(256);
});

it('of an index are a group at a time', async () => {
  const folder = temporaryFolder();
  const { keyId, fingerprintId, rankKey } = IDENTITY;
  const store = await openFolder(folder, { keyId, fingerprintId, rankKey, shingleSize: SHINGLE_SIZE });
  const fixture = createServiceFixture({ wrapStore: () => store });
  const maker = createTextMaker(7);
  for (let i = 0; i < 600; i++) await fixture.put(`https://a.example/${i}`, maker.text(40));
  await fixture.close();
  await store.close();
  const { all, most } = await broughtBy(await corpusOfIndex(folder, process.pid));
  expect(all).toBe(600);
  expect(most).toBeLessThanOrEqual(256);
});
