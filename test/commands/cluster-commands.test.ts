import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ClusterProgress } from '../../src/cluster/port.ts';
import type { ResultSummary } from '../../src/cluster/result/result-folder.ts';
import { clusterInputs, openClusters } from '../../src/commands/cluster-commands.ts';
import { backupIndex } from '../../src/commands/index-commands.ts';
import { createIngestSources } from '../../src/commands/ingest-sources.ts';
import type { Likeness } from '../../src/core/cluster/pair-floor.ts';
import type { InputFields } from '../../src/ingest/sources.ts';
import { takeLock } from '../../src/store/level/folder/lock.ts';
import { createPrng } from '../support/prng.ts';
import { runHere } from '../support/process/run-here.ts';
import { configOf } from '../support/store/made-index.ts';
import { temporaryFolder } from '../support/temp-folder.ts';

const { pid } = process;
const ingested = async (file: string, dataDir: string) =>
  (await runHere(['ingest', file, '--json'], { DATA_DIR: dataDir })).code;
const FIELDS: InputFields = {
  ...{ url: null, text: null, html: null, date: null, meta: [], urlPrefix: null, format: null },
  ...{ include: [], exclude: [], gitignore: false },
};

/** Families of texts, some of several thousand words, of which a record is a sample. */
function linesOf(count: number): string[] {
  const prng = createPrng(11);
  const word = () => `w${prng.below(5000)}`;
  const bases = Array.from({ length: 12 }, (_, i) => Array.from({ length: i % 4 === 0 ? 3000 : 60 + 40 * i }, word));
  return Array.from({ length: count }, (_, i) => {
    const changed = prng.next() ** 3 / 3;
    const text = bases[prng.below(bases.length)]!.map((one) => (prng.next() < changed ? word() : one)).join(' ');
    const observedAt = new Date(1.7e12 + 1000 * prng.below(1e6)).toISOString();
    return JSON.stringify({ op: 'put', url: `https://host${i % 5}.example/${i}`, text, observedAt });
  });
}

async function summaryOf(folder: string, inputs: readonly string[]): Promise<ResultSummary> {
  const config = configOf(join(folder, 'unused'), {});
  const sources = createIngestSources(config, (async function* () {})());
  const request = {
    inputs,
    fields: FIELDS,
    folder: join(folder, 'result'),
    by: 'resemblance',
    floor: 0.25,
    hasSketches: false,
  } as const;
  const run = { sources, signal: new AbortController().signal, progress: () => undefined };
  const summary = await clusterInputs(config, pid, request, run);
  await sources.close();
  return summary;
}

async function cluster(folder: string, inputs: readonly string[], by: Likeness, key: string): Promise<string[]> {
  // as records of an index are
  const config = { ...configOf(join(folder, 'unused'), { RECORD_MODULUS: '4' }), INDEX_KEY_FILE: key };
  const sources = createIngestSources(config, (async function* () {})());
  const out = join(folder, `result-${by}-${inputs.length}-${Math.random()}`);
  const signal = new AbortController().signal;
  const request = { inputs, fields: FIELDS, folder: out, by, floor: 0.25, hasSketches: false };
  await clusterInputs(config, pid, request, { sources, signal, progress: () => undefined });
  await sources.close();
  const answers = openClusters(out)!;
  const lines = [0.25, 0.5, 0.8, 1].flatMap((threshold) =>
    [...answers.clusters(threshold)].map(({ urls, ...rest }) => JSON.stringify({ ...rest, urls: urls.toSorted() })),
  );
  // a link is named from the one node to the other: which is the first depends on the order of the input
  const pairs = [...answers.pairs(0.25)].map((pair) =>
    JSON.stringify([pair.a, pair.b].sort().concat(JSON.stringify(pair.resemblance))),
  );
  answers.close();
  return [...lines.map((line) => line.replaceAll(/"(medoid|weakest|bridges)":.*?(?="urls")/g, '')), ...pairs].sort();
}

describe('a corpus', () => {
  it.each([
    ['of as many lines as are sketched at once', 256, {}],
    ['whose lines ask for what is similar', 300, { similar: 3 }],
    ['whose lines are to be kept unless similar', 300, { unless: 'similar', thresholds: { resemblance: 0.9 } }],
  ])('%s is read whole', async (_, count, wishes) => {
    const folder = temporaryFolder();
    const file = join(folder, 'pages.ndjson');
    writeFileSync(
      file,
      linesOf(count)
        .map((line) => JSON.stringify({ ...JSON.parse(line), ...wishes }))
        .join('\n'),
    );
    expect((await summaryOf(folder, [file])).counts).toMatchObject({ records: count, documents: count });
  });

  it('is told to be read by how many bytes of its files were', async () => {
    const folder = temporaryFolder();
    const files = ['a', 'b'].map((name) => join(folder, `${name}.ndjson`));
    const lines = linesOf(1500);
    for (const [at, file] of files.entries()) writeFileSync(file, `${lines.slice(750 * at).join('\n')}\n`);
    const config = configOf(join(folder, 'unused'));
    const sources = createIngestSources(config, (async function* () {})());
    const shares: number[] = [];
    const progress = ({ phase, share }: ClusterProgress) => {
      if (phase === 'documents' && share !== undefined) shares.push(share() ?? Number.NaN);
    };
    const request = { inputs: files, fields: FIELDS, folder: join(folder, 'result'), by: 'resemblance' as const };
    const run = { sources, signal: new AbortController().signal, progress };
    await clusterInputs(config, pid, { ...request, floor: 0.25, hasSketches: false }, run);
    await sources.close();
    expect(shares.length).toBeGreaterThan(4);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[0]).toBeLessThan(0.7);
    expect(shares.at(-1)).toBe(1);
  });

  it('has the same clusters and pairs as files, as an index of them, and as a backup of that', async () => {
    const folder = temporaryFolder();
    const dataDir = join(folder, 'data');
    const lines = linesOf(200);
    const file = join(folder, 'pages.ndjson');
    writeFileSync(file, `${lines.join('\n')}\n`);
    const halves = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')];
    writeFileSync(halves[0]!, `${lines.slice(0, 75).join('\n')}\nnonsense\n`);
    writeFileSync(halves[1]!, `${lines.slice(75).join('\n')}\n`);
    expect(await ingested(file, dataDir)).toBe(0);
    const key = join(dataDir, 'index.key');
    const backup = join(folder, 'backup');
    await backupIndex(configOf(dataDir), pid, backup);
    for (const by of ['resemblance', 'containment'] as const) {
      const ofFile = await cluster(folder, [file], by, key);
      expect(ofFile.length).toBeGreaterThan(300);
      expect(await cluster(folder, [dataDir], by, key)).toEqual(ofFile);
      // documents of a backup or of two files are read the same for the other likeness
      if (by === 'containment') continue;
      expect(await cluster(folder, [backup], by, key)).toEqual(ofFile);
      expect(await cluster(folder, halves, by, key)).toEqual(ofFile);
    }
    const other = join(folder, 'other');
    mkdirSync(other);
    const lock = await takeLock(other, pid);
    const config = { ...configOf(join(folder, 'unused')), INDEX_KEY_FILE: key };
    const sources = createIngestSources(config, (async function* () {})());
    const request = {
      inputs: [file],
      fields: FIELDS,
      folder: other,
      by: 'resemblance' as const,
      floor: 0.25,
      hasSketches: false,
    };
    const told = { sources, signal: new AbortController().signal, progress: () => undefined };
    await expect(clusterInputs(config, pid, request, told)).rejects.toThrow(/Another run writes/);
    await lock.release();
    await clusterInputs(config, pid, request, told);
    // what is written would be read
    await expect(cluster(folder, [folder], 'resemblance', key)).rejects.toMatchObject({ code: 'invalid-request' });
    await expect(cluster(folder, [dataDir, file], 'resemblance', key)).rejects.toMatchObject({
      code: 'invalid-request',
    });
    // its documents were read already
    for (const [field, fields] of [
      ['url-field', { ...FIELDS, url: 'link' }],
      ['include', { ...FIELDS, include: ['*.html'] }],
      ['gitignore', { ...FIELDS, gitignore: true }],
    ] as const) {
      const asked = { ...request, inputs: [dataDir], fields, folder: join(folder, 'refused') };
      await expect(clusterInputs(config, pid, asked, told)).rejects.toMatchObject({ code: 'invalid-request', field });
    }
  });
});
