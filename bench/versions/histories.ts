/*
 * Versions: what one takes on disk, and what it costs to write and to read histories.
 *
 *     npm run bench:versions [-- --documents 3000] [--versions 10] [--json]
 *
 * Pages of some 800 words, half of whose versions are edits of 2 % and half are new texts, are written to LevelDB in process with
 * relaxed durability, by 256 clients: in the order of time, and from the newest back. Bytes are those of rows of table h, as they
 * are handed to LevelDB, which compresses what repeats.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openLevel, pagesOf } from '../../src/store/level/database/level-handle.ts';
import { Table, under } from '../../src/store/level/format/keys.ts';
import type { PutPlan } from '../../src/store/port.ts';
import { createPrng } from '../../test/support/prng.ts';
import { openFolder } from '../../test/support/store/level-folder.ts';
import { contentOf, digest } from '../../test/support/store/level-plans.ts';
import { printRows, type Row, spreadOf } from '../support/table.ts';

const SHINGLES = 800;
const EDITED = 0.02;
const CLIENTS = 256;
const ROUNDS = 3;
const READS = 300;
const DAY_MS = 86_400_000;

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '3000' },
    versions: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
});
const [documents, versions] = [Number(values.documents), Number(values.versions)];
const prng = createPrng(16);

const values40 = (count: number) =>
  Float64Array.from(new Set(Array.from({ length: count }, () => prng.fingerprint()))).sort();

/** Versions of one page: an edit of the one before, then another text, and so on. */
function history(page: number): PutPlan['content'][] {
  let current = values40(SHINGLES);
  return Array.from({ length: versions }, (_, i) => {
    if (i % 2 === 1) {
      const kept = current.filter(() => prng.next() >= EDITED);
      current = Float64Array.from(new Set([...kept, ...values40(SHINGLES - kept.length)])).sort();
    } else if (i > 0) current = values40(SHINGLES);
    return { ...contentOf(page * versions + i, current), createdAt: 1000 * DAY_MS };
  });
}

const planOf = (page: number, i: number, content: PutPlan['content']): PutPlan => ({
  ...{ kind: 'put', url: `https://host-${page % 50}.example/page-${page}`, spelling: `https://host.example/${page}` },
  ...{ content, bytesDigest: digest(page * versions + i), httpStatus: 200, finalUrl: null, title: null },
  ...{ language: null, meta: null, observedAt: (1 + i) * DAY_MS, receivedAt: 1000 * DAY_MS },
});

/** @returns writes a second, the CPU time of one in all threads, bytes of a past version, and versions read a second */
async function measured(isBackwards: boolean): Promise<{ rate: number; cpuUs: number; bytes: number; reads: number }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shingled-bench-'));
  try {
    const store = await openFolder(dataDir);
    let [ms, cpuUs] = [0, 0];
    for (let from = 0; from < documents; from += CLIENTS) {
      const pages = Array.from({ length: Math.min(CLIENTS, documents - from) }, (_, i) => from + i);
      const told = pages.map((page) => history(page).map((content, i) => planOf(page, i, content)));
      if (isBackwards) for (const plans of told) plans.reverse();
      const [startedAt, before] = [performance.now(), process.cpuUsage()];
      for (let i = 0; i < versions; i++) {
        await Promise.all(told.map((plans) => store.apply(plans[i]!, { relaxed: true, roomWaitMs: 600_000 })));
      }
      ms += performance.now() - startedAt;
      const { user, system } = process.cpuUsage(before);
      cpuUs += user + system;
    }
    const startedAt = performance.now();
    let read = 0;
    for (let page = 0; page < Math.min(READS, documents); page++) {
      const { url } = planOf(page, 0, undefined as never);
      read += (await store.versions(url, { limit: 100 })).length;
    }
    const reads = (1000 * read) / (performance.now() - startedAt);
    await store.close();
    const writes = documents * versions;
    return { rate: (1000 * writes) / ms, cpuUs: cpuUs / writes, bytes: await rowBytes(join(dataDir, 'db')), reads };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function rowBytes(location: string): Promise<number> {
  const level = await openLevel(location, false);
  let [rows, bytes] = [0, 0];
  const { gte, lt } = under(Table.version, 0);
  for await (const page of pagesOf(level, { gte, lt })) {
    for (const [, value] of page) {
      rows++;
      bytes += value.length;
    }
  }
  await level.close();
  return bytes / rows;
}

const rows: Row[] = [];
for (const isBackwards of [false, true]) {
  const found = [];
  for (let round = 0; round < ROUNDS; round++) found.push(await measured(isBackwards));
  const order = isBackwards ? 'from the newest back' : 'in the order of time';
  const note = `${documents} documents of ${versions} versions`;
  rows.push({ row: `writes, ${order}`, ...spreadOf(found.map(({ rate }) => rate)), unit: 'a second', note });
  rows.push({ row: `… CPU time of a write`, ...spreadOf(found.map(({ cpuUs }) => cpuUs)), unit: 'µs' });
  rows.push({ row: `a past version, ${order}`, ...spreadOf(found.map(({ bytes }) => bytes)), unit: 'bytes' });
  rows.push({ row: 'versions read', ...spreadOf(found.map(({ reads }) => reads)), unit: 'a second' });
}
printRows('Histories', rows);
