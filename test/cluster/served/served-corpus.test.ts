import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { clusterCorpus } from '../../../src/cluster/cluster-corpus.ts';
import { ClusterAnswers } from '../../../src/cluster/result/cluster-answers.ts';
import { ClusterLookUp } from '../../../src/cluster/served/cluster-look-up.ts';
import type { CorpusAsker, CorpusQuestion } from '../../../src/cluster/served/port.ts';
import { ServedCorpus } from '../../../src/cluster/served/served-corpus.ts';
import { DEFAULT_CLUSTER_OPTIONS } from '../../../src/service/limits.ts';
import { Deadline, withDeadline } from '../../../src/sharing/deadline.ts';
import { replaceResult } from '../../support/cluster/replace-result.ts';
import { corpusOf, setContent } from '../../support/cluster/set-corpus.ts';
import { createPrng } from '../../support/prng.ts';
import { ALL, createServiceFixture } from '../../support/service/service-fixture.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const FLOOR = 0.25;
const AT = Date.parse('2026-02-03T04:05:06Z');
/** On a busy machine a thread waits long for its turn. */
const PATIENCE_MS = 60_000;

/** Documents in families, each clustered into a folder. */
async function clustered(count: number, seed: number, at = AT): Promise<string> {
  const prng = createPrng(seed);
  const bases = Array.from({ length: count / 8 }, () => Array.from({ length: 30 }, () => prng.fingerprint()));
  const sets = Array.from({ length: count }, () => {
    const changed = prng.next() ** 2;
    const base = bases[prng.below(bases.length)]!;
    return new Set(base.map((one) => (prng.next() < changed ? prng.fingerprint() : one)));
  });
  const dates = sets.map(() => (prng.below(3) === 0 ? null : prng.below(5)));
  const folder = temporaryFolder();
  const options = { folder, by: 'resemblance', floor: FLOOR, threads: 1, now: () => at } as const;
  await clusterCorpus(corpusOf(sets.map(setContent), dates), options);
  return folder;
}

async function serve(folder: string) {
  const told = { onOpened: vi.fn(), onFailed: vi.fn(), onWorked: vi.fn() };
  const corpus = await ServedCorpus.open(folder, told);
  onTestFinished(() => corpus.close());
  const ask = (url: string, more: Partial<CorpusQuestion> = {}, asker: Partial<CorpusAsker> = {}) =>
    corpus.ask(
      { urls: [url], by: 'resemblance', threshold: 0.5, limit: 1000, ...more },
      { caller: 'a', deadline: new Deadline(PATIENCE_MS), ...asker },
    );
  return { corpus, ask, told };
}

describe('a corpus that is served', () => {
  it('has for each URL at any threshold the cluster that the result tells', async () => {
    const folder = await clustered(240, 5);
    const { ask, told } = await serve(folder);
    expect(told.onOpened.mock.calls).toEqual([[240]]);
    const answers = ClusterAnswers.open(folder);
    onTestFinished(() => answers.close());
    for (const threshold of [FLOOR, 0.5, 0.8, 1]) {
      const lines = [...answers.clusters(threshold)];
      expect(lines.length).toBeGreaterThan(threshold === 1 ? 0 : 3);
      const lineOf = new Map(lines.flatMap((line) => line.urls.map((url) => [url, line] as const)));
      for (let i = 0; i < 240; i++) {
        const url = `https://a.example/${i}`;
        const { state, cluster, ...told } = await ask(url, { threshold });
        expect([state, told]).toEqual([
          'found',
          { asOf: '2026-02-03T04:05:06.000Z', by: 'resemblance', content: 'page', floor: FLOOR },
        ]);
        const line = lineOf.get(url);
        if (line === undefined) {
          expect(cluster).toEqual({ documents: 1, texts: 1, representative: url, weakest: null, urls: [url] });
          continue;
        }
        const { documents, texts, representative, urls, weakest } = line;
        expect(cluster).toMatchObject({ documents, texts, representative, urls });
        if (weakest === null) expect(cluster!.weakest).toBeNull();
        else {
          const { a, b, likeness } = cluster!.weakest!;
          expect(likeness).toBe(weakest.likeness);
          expect([a.url, b.url]).toEqual([weakest.a, weakest.b]);
          expect([a.documents, b.documents]).toEqual(weakest.sides);
        }
      }
    }
  });

  it('answers of a large cluster in steps', async () => {
    const folder = temporaryFolder();
    const prng = createPrng(7);
    const [one, other] = Array.from({ length: 2 }, () =>
      setContent(new Set(Array.from({ length: 30 }, () => prng.fingerprint()))),
    );
    const contents = Array.from({ length: 40_000 }, (_, i) => (i === 5 ? other! : one!));
    const options = { folder, by: 'resemblance', floor: FLOOR, threads: 1, now: () => AT } as const;
    await clusterCorpus(corpusOf(contents), options);
    const lookUp = new ClusterLookUp(folder);
    onTestFinished(() => lookUp.close());
    const question = { urls: ['https://a.example/0'], by: 'resemblance', threshold: 0.5, limit: 3 } as const;
    const steps = lookUp.answerSteps(question);
    let yields = 0;
    let last = steps.next();
    for (; last.done !== true; last = steps.next()) yields++;
    expect(last.value.cluster).toMatchObject({ documents: 39_999, texts: 1, urls: { length: 3 } });
    // while its documents are reached, and while they are gone through
    expect(yields).toBeGreaterThanOrEqual(2);
  });

  it('says why there is no cluster', async () => {
    const { ask } = await serve(await clustered(16, 1));
    const none = (state: string) => ({ state, cluster: null });
    expect(await ask('https://a.example/16')).toMatchObject(none('unknown-url'));
    expect(await ask('https://a.example/1', { threshold: 0.2 })).toMatchObject(none('below-floor'));
    expect(await ask('https://a.example/1', { by: 'containment' })).toMatchObject(none('other-likeness'));
    const known = await ask('no spelling', {
      urls: ['no spelling', 'https://a.example/3'],
      limit: 1,
      threshold: FLOOR,
    });
    expect(known.cluster!.urls).toHaveLength(1);
  });

  it('is read again where another takes its place, and goes on where that cannot be read', async () => {
    const folder = await clustered(16, 1);
    const { ask, told } = await serve(folder);
    replaceResult(folder, await clustered(24, 2, AT + 1000));
    await vi.waitFor(
      async () => expect((await ask('https://a.example/20')).asOf).toBe('2026-02-03T04:05:07.000Z'),
      PATIENCE_MS,
    );
    expect(told.onOpened).toHaveBeenLastCalledWith(24);
    writeFileSync(join(folder, 'clusters.json'), '{"shingledClusters":99}');
    await vi.waitFor(async () => {
      expect((await ask('https://a.example/20')).state).toBe('found');
      expect(told.onFailed.mock.lastCall?.[0]).toMatch(/another version/);
    }, PATIENCE_MS);
  });

  it('is tried again where it could not be read for a moment', async () => {
    const folder = await clustered(16, 1);
    const { ask, told } = await serve(folder);
    const other = await clustered(24, 2, AT + 1000);
    const away = readdirSync(other).filter((name) => name !== 'clusters.json')[0]!;
    const from = temporaryFolder();
    copyFileSync(join(other, away), join(from, away));
    rmSync(join(folder, away));
    rmSync(join(other, away));
    replaceResult(folder, other);
    await vi.waitFor(async () => {
      await ask('https://a.example/3').catch(() => {});
      expect(told.onFailed).toHaveBeenCalled();
    }, PATIENCE_MS);
    copyFileSync(join(from, away), join(folder, away));
    await vi.waitFor(async () => {
      expect((await ask('https://a.example/20')).asOf).toBe('2026-02-03T04:05:07.000Z');
    }, PATIENCE_MS);
  });

  it('answers again after its thread has ended', async () => {
    const { corpus, ask, told } = await serve(await clustered(16, 1));
    const ending = (corpus as unknown as { worker: Worker }).worker.terminate();
    await Promise.all([ending, expect(ask('https://a.example/3')).rejects.toMatchObject({ code: 'internal' })]);
    await expect(ask('https://a.example/3')).rejects.toMatchObject({ code: 'internal' });
    expect(told.onFailed.mock.lastCall?.[0]).toMatch(/thread has ended/);
    await vi.waitFor(
      async () => expect(await ask('https://a.example/3')).toMatchObject({ state: 'found' }),
      PATIENCE_MS,
    );
  });

  it('lets go of questions that wait when nobody wants their answers any more', async () => {
    const { corpus, ask } = await serve(await clustered(16, 1));
    const posted = vi.spyOn((corpus as unknown as { worker: Worker }).worker, 'postMessage');
    const gone = new AbortController();
    const asked = Array.from({ length: 40 }, (_, i) =>
      withDeadline(PATIENCE_MS, gone.signal, (deadline) => ask(`https://a.example/${i % 16}`, {}, { deadline })),
    );
    gone.abort();
    for (const one of await Promise.allSettled(asked)) expect(one).toMatchObject({ status: 'rejected' });
    expect(await ask('https://a.example/3')).toMatchObject({ state: 'found' });
    // those that the thread had, each and that it is not wanted any more; and the last one
    const orders = posted.mock.calls.map(([[id, asked]]) => [id, asked !== null]);
    const ids = [...Array(8).keys()];
    expect(orders).toEqual([...ids.map((id) => [id, true]), ...ids.map((id) => [id, false]), [8, true]]);
  });

  it('answers callers in turn, refuses one who asks too much, and tells what each has cost', async () => {
    const { ask, told } = await serve(await clustered(16, 1));
    const answered: string[] = [];
    const by = (caller: string) => ask('https://a.example/3', {}, { caller }).then(() => void answered.push(caller));
    const many = Array.from({ length: 100 }, () => by('a').catch(({ code }) => void answered.push(code)));
    await by('b');
    expect(answered.filter((one) => one === 'a').length).toBeLessThanOrEqual(9);
    await Promise.all(many);
    expect(Object.groupBy(answered, (one) => one)).toMatchObject({ overloaded: { length: 28 }, a: { length: 72 } });
    expect(told.onWorked.mock.calls.filter(([caller]) => caller === 'a').length).toBeGreaterThanOrEqual(72);
  });

  it('is refused where there is none', async () => {
    const refused = expect.objectContaining({
      code: 'invalid-config',
      message: expect.stringMatching(/^CLUSTERS_DIR: /),
    });
    await expect(serve(temporaryFolder())).rejects.toEqual(refused);
  });

  it('answers beside the index, also of URLs that the index does not know', async () => {
    const { corpus } = await serve(await clustered(16, 1));
    const { put, service, close } = createServiceFixture({ corpus });
    onTestFinished(close);
    const ask = (url: string) => service.clusters({ ...DEFAULT_CLUSTER_OPTIONS, url, deadlineMs: 20_000 }, ALL);
    await put('https://a.example/3', 'a text of a few words');
    await put('https://b.example/', 'another text of words');
    expect(await ask('https://a.example/3')).toMatchObject({ index: { contentCount: 1 }, corpus: { state: 'found' } });
    expect(await ask('https://a.example/4')).toMatchObject({ index: null, corpus: { state: 'found' } });
    expect(await ask('https://b.example/')).toMatchObject({
      index: {},
      corpus: { state: 'unknown-url', cluster: null },
    });
    await expect(ask('https://c.example/')).rejects.toMatchObject({ code: 'unknown-url' });
  });
});
