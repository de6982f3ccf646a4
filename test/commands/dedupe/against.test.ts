import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clusterInputs } from '../../../src/commands/cluster-commands.ts';
import type { RemovedLine } from '../../../src/commands/dedupe/port.ts';
import { backupIndex } from '../../../src/commands/index-commands.ts';
import { createIngestSources } from '../../../src/commands/ingest-sources.ts';
import { dedupe, FIELDS } from '../../support/cluster/deduped.ts';
import { createPrng } from '../../support/prng.ts';
import { runHere } from '../../support/process/run-here.ts';
import { configOf } from '../../support/store/made-index.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const { pid } = process;
const ingested = async (file: string, dataDir: string) =>
  (await runHere(['ingest', file, '--json'], { DATA_DIR: dataDir })).code;

function linesOf(seed: number, count: number): string[] {
  const shared = createPrng(5);
  const bases = Array.from({ length: 20 }, () => Array.from({ length: 80 }, () => `w${shared.below(5000)}`));
  const prng = createPrng(seed);
  return Array.from({ length: count }, (_, i) => {
    const changed = prng.next() / 12;
    const base = bases[prng.below(bases.length)]!;
    const text = base.map((one) => (prng.next() < changed ? `w${prng.below(5000)}` : one)).join(' ');
    return `${JSON.stringify({ op: 'put', url: `https://host${seed}.example/${i}`, text })}\n`;
  });
}

async function cluster(folder: string, input: string, out: string, hasSketches: boolean): Promise<string> {
  const config = configOf(join(folder, 'unused'));
  const sources = createIngestSources(config, (async function* () {})());
  const result = join(folder, out);
  const request = { inputs: [input], fields: FIELDS, folder: result, by: 'resemblance', floor: 0.5 } as const;
  const told = { sources, signal: new AbortController().signal, progress: () => undefined };
  await clusterInputs(config, pid, { ...request, hasSketches }, told);
  await sources.close();
  return result;
}

/** Without what differs from one kind of the other corpus to the next: which of its documents is named, of several. */
const brief = ({ url, record, keptUrl }: RemovedLine) => `${record} ${url} ${new URL(keptUrl).host}`;

describe('a corpus that stays', () => {
  it('takes the same from another one as files, an index, a backup, and a result with its sketches', {
    timeout: 90_000,
  }, async () => {
    const folder = temporaryFolder();
    const [a, b] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')];
    writeFileSync(a, linesOf(1, 150).join(''));
    const others = linesOf(2, 60);
    writeFileSync(b, others.join(''));
    const dataDir = join(folder, 'data');
    expect(await ingested(b, dataDir)).toBe(0);
    const backup = join(folder, 'backup');
    await backupIndex(configOf(dataDir), pid, backup);
    const result = await cluster(folder, b, 'result', true);
    const ofIndex = await cluster(folder, dataDir, 'of-index', true);
    const removals = async (path: string, isAlone = false, env: Record<string, string> = {}) => {
      const name = `r${Math.random()}`;
      const places = { kept: '-', removed: join(folder, name) };
      return dedupe(folder, [a], { ...places, against: { path, isAlone }, env });
    };
    const { removed, report } = await removals(b);
    expect(report).toMatchObject({ against: 60, documents: 150, records: 150 });
    const fromOther = removed.filter(({ keptInput }) => keptInput === b);
    const within = removed.filter(({ keptInput }) => keptInput === a);
    expect(Math.min(fromOther.length, within.length)).toBeGreaterThan(4);
    for (const { keptRecord, keptUrl } of fromOther) expect(JSON.parse(others[keptRecord]!).url).toBe(keptUrl);
    for (const path of [dataDir, backup, result]) {
      const { removed: same } = await removals(path);
      expect(same.map(brief)).toEqual(removed.map(brief));
      expect(same.find(({ keptUrl }) => keptUrl.includes('host2'))).toMatchObject({ keptInput: path });
    }
    // with the key of the index
    const env = { INDEX_KEY_FILE: join(dataDir, 'index.key') };
    expect((await removals(ofIndex, false, env)).removed.map(brief)).toEqual(removed.map(brief));
    // copies within stay, and what the other corpus has goes all the same
    const { removed: alone } = await removals(b, true);
    expect(alone.every(({ keptInput }) => keptInput === b)).toBe(true);
    expect(alone.map(brief)).toEqual(fromOther.map(brief));
    expect(readFileSync(b, 'utf8')).toBe(others.join(''));
  });

  it('is refused where it has no sketches, other fingerprints, or damaged ones', async () => {
    const folder = temporaryFolder();
    const a = join(folder, 'a.ndjson');
    writeFileSync(a, linesOf(1, 20).join(''));
    const against = (path: string, env: Record<string, string> = {}) =>
      dedupe(folder, [a], { against: { path, isAlone: false }, env });
    const bare = await cluster(folder, a, 'bare', false);
    await expect(against(bare)).rejects.toMatchObject({ code: 'invalid-request', field: 'against' });
    const result = await cluster(folder, a, 'result', true);
    await expect(against(result, { SHINGLE_SIZE: '5' })).rejects.toMatchObject({ code: 'index-mismatch' });
    await expect(against(join(folder, 'nothing'))).rejects.toMatchObject({ code: 'invalid-request' });
    const dataDir = join(folder, 'data');
    expect(await ingested(a, dataDir)).toBe(0);
    await expect(against(dataDir, { SHINGLE_SIZE: '5' })).rejects.toMatchObject({ code: 'index-mismatch' });
    // as inputs they are no folders of documents
    for (const own of [result, dataDir]) {
      await expect(dedupe(folder, [a, own], {})).rejects.toMatchObject({ code: 'invalid-request', field: own });
    }
    const sketches = readFileSync(join(result, 'sketches'));
    for (const at of [3, 33, 37, 60, sketches.length - 1]) {
      const bytes = Buffer.from(sketches);
      bytes[at]! ^= 0x10;
      writeFileSync(join(result, 'sketches'), bytes);
      await expect(against(result)).rejects.toMatchObject({ code: 'result-damaged' });
    }
    writeFileSync(join(result, 'sketches'), sketches.subarray(0, -1));
    await expect(against(result)).rejects.toMatchObject({ code: 'result-damaged' });
  });
});
