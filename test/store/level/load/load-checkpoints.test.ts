import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { prepareFolder } from '../../../../src/store/level/folder/folder.ts';
import { Disk } from '../../../../src/store/level/outage/disk.ts';
import { storageFull } from '../../../../src/store/level/outage/failures.ts';
import { randomPuts } from '../../../support/load/both-ways.ts';
import { type End, loadUntil } from '../../../support/load/interrupted-load.ts';
import {
  applyPlans,
  beginLoad,
  inBatches,
  loadPlans,
  manyPuts,
  statementsOf,
  type Told,
} from '../../../support/load/loaded-index.ts';
import { inFolder, NO_FILTERS, openFolder, TEST_IDENTITY } from '../../../support/store/level-folder.ts';
import { problemsOf } from '../../../support/store/level-rows.ts';

const WHOLE = ['db', 'high-water', 'index.key'];
const end: fc.Arbitrary<End> = fc.record({
  phase: fc.constantFrom('documents', 'documents', 'documents', 'rows', 'postings', 'kept'),
  step: fc.nat({ max: 8 }),
});

/** Loads with these ends, each in a copy of the folder of the one before. @returns the folder of the index */
async function loadWithEnds(
  folder: string,
  plans: Parameters<typeof loadUntil>[1],
  ends: readonly End[],
  options: { batch: number; storeMemoryMb: number },
): Promise<{ dataDir: string; told: Told[] }> {
  const told: Told[] = [];
  let dataDir = mkdtempSync(join(folder, 'data-'));
  for (const next of [...ends, null]) {
    const copy = mkdtempSync(join(folder, 'data-'));
    if (await loadUntil(dataDir, plans, told, { end: next, copy, ...options })) return { dataDir, told };
    rmSync(dataDir, { recursive: true });
    dataDir = copy;
  }
  throw new Error('it has not come to its end');
}

describe('a load that goes on from its checkpoints', () => {
  it('comes to the rows and outcomes of one that nothing has ended', { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.integer({ min: 10, max: 60 }),
        // of the former, runs of a few sources
        fc.constantFrom(0.01, 1),
        fc.array(end, { minLength: 1, maxLength: 4 }),
        (seed, batch, storeMemoryMb, ends) =>
          inFolder(async (folder) => {
            const { puts } = randomPuts(seed, 5);
            const { dataDir, told } = await loadWithEnds(folder, puts, ends, { batch, storeMemoryMb });
            const other = mkdtempSync(join(folder, 'other-'));
            assert.deepEqual(told, await loadPlans(other, puts, { storeMemoryMb }, { batch }));
            assert.deepEqual(await problemsOf(dataDir), []);
            assert.deepEqual(await statementsOf(dataDir), await statementsOf(other));
            assert.deepEqual(readdirSync(dataDir).sort(), WHOLE);
          }),
      ),
      // `campaign:loads` draws more
      { numRuns: 8 },
    ),
  );

  it('ends with one where it is stopped, and goes on from there with nothing read twice', () =>
    inFolder(async (folder) => {
      const plans = manyPuts(500);
      const stopping = new AbortController();
      let settled = 0;
      const run = { signal: stopping.signal, note: async () => String(settled) };
      async function* batches() {
        for await (const some of inBatches(plans, [], 50)) {
          yield some;
          settled += some.length;
          if (settled < 200) continue;
          stopping.abort(new Error('stopped'));
          return;
        }
      }
      await expect((await beginLoad(folder))!.run(batches(), run)).rejects.toThrow('stopped');
      const load = await beginLoad(folder);
      expect(load!.note).toBe('200');
      const steps: unknown[] = [];
      const { totals } = await load!.run(inBatches(plans.slice(200), [], 50), { progress: (step) => steps.push(step) });
      expect(totals.sources).toBe(500);
      expect(steps.slice(0, 2)).toEqual([
        { phase: 'kept', done: 200, of: 200 },
        { phase: 'documents', done: 50, of: null },
      ]);
      expect(await problemsOf(folder)).toEqual([]);
    }));

  it('keeps what was taken in where the reserve of the disk is met', () =>
    inFolder(async (folder) => {
      const plans = manyPuts(500);
      let settled = 0;
      async function* batches() {
        for await (const some of inBatches(plans, [], 50)) {
          yield some;
          settled += some.length;
          if (settled === 200) full.isFull = true;
        }
      }
      const full = { isFull: false };
      const load = await beginLoad(folder);
      vi.spyOn(Disk.prototype, 'checkReserve').mockImplementation(async () => {
        if (full.isFull) throw storageFull('It is full.');
      });
      await expect(load!.run(batches(), { note: async () => String(settled) })).rejects.toThrow('It is full.');
      vi.restoreAllMocks();
      const again = await beginLoad(folder);
      expect(again!.note).toBe('200');
      await again!.abandon();
      const later = await beginLoad(folder);
      expect(later!.note).toBe('200');
      await later!.abandon();
    }));

  it('takes the place of an empty index, but not of one that was written to since', () =>
    inFolder((folder) =>
      inFolder(async (copy) => {
        await (await openFolder(folder, NO_FILTERS)).close();
        const plans = manyPuts(500);
        await loadUntil(folder, plans, [], { end: { phase: 'documents', step: 3 }, copy, batch: 50 });
        await expect(openFolder(copy, NO_FILTERS)).rejects.toMatchObject({ code: 'load-unfinished' });
        const [loading, aside] = [join(copy, 'loading'), `${copy}.aside`] as const;
        renameSync(loading, aside);
        const store = await openFolder(copy, NO_FILTERS);
        await applyPlans(store, plans.slice(0, 1));
        await store.close();
        renameSync(aside, loading);
        await expect(beginLoad(copy)).rejects.toThrow('which was written to since');
      }),
    ));
});

/** A folder in which a load was begun and has a checkpoint. */
function inBegun(work: (folder: string) => Promise<void>): Promise<void> {
  return inFolder((folder) =>
    inFolder(async (copy) => {
      const plans = manyPuts(400).flatMap((plan, i) => (i % 10 === 0 ? [plan, plan] : [plan]));
      await loadUntil(folder, plans, [], { end: { phase: 'documents', step: 3 }, copy, batch: 50 });
      await work(copy);
    }),
  );
}

describe('a folder in which a load was begun', () => {
  const taken = (folder: string, mustExist: boolean) => prepareFolder({ dataDir: folder, mustExist, pid: process.pid });

  it.each([true, false])('is no index to anybody else, and stays as it is (where one must exist: %s)', (mustExist) =>
    inBegun(async (folder) => {
      await expect(taken(folder, mustExist)).rejects.toMatchObject({
        code: 'load-unfinished',
        message: expect.stringContaining(`delete ${join(folder, 'loading')}`),
      });
      expect(readdirSync(folder)).toEqual(['loading']);
      const load = await beginLoad(folder);
      expect(load!.note).not.toBeNull();
      await load!.abandon();
    }),
  );

  it.each([
    ['another version', (text: string) => text.replace(' load 1 ', ' load 2 '), 'is of another version'],
    ['a damaged checkpoint', (text: string) => text.replace('"seq"', '"seg"'), 'is damaged'],
    ['what is none', () => 'nonsense', 'is damaged'],
  ])('is refused for %s', (_, change, why) =>
    inBegun(async (folder) => {
      const file = join(folder, 'loading', 'checkpoint');
      writeFileSync(file, change(readFileSync(file, 'utf8')));
      await expect(beginLoad(folder)).rejects.toMatchObject({
        code: 'load-unfinished',
        message: expect.stringContaining(why),
      });
      expect(existsSync(file)).toBe(true);
    }),
  );

  it('is refused for an older pipeline, whose index could be read', () =>
    inBegun(async (folder) => {
      const later = { fingerprintId: '2.0000', olderFingerprintIds: [TEST_IDENTITY.fingerprintId] };
      await expect(beginLoad(folder, later)).rejects.toMatchObject({
        code: 'load-unfinished',
        message: expect.stringContaining('was begun by another version'),
      });
    }));

  it.each(['db/000002.ldb', 'kept/changes', 'kept/sources/0.log'])('is refused where %s is not what it was', (name) =>
    inBegun(async (folder) => {
      const path = join(folder, 'loading', name);
      const bytes = readFileSync(path);
      bytes[Math.floor(bytes.length / 3)]! ^= 1;
      writeFileSync(path, bytes);
      const goOn = async () => (await beginLoad(folder))!.run(inBatches([], [], 1));
      await expect(goOn()).rejects.toMatchObject({
        code: 'load-unfinished',
        message: expect.stringContaining('names what is damaged'),
      });
    }),
  );

  it('keeps the form of its files', () =>
    inBegun(async (folder) => {
      const text = readFileSync(join(folder, 'loading', 'checkpoint'), 'utf8');
      const [head, body] = text.split('\n');
      expect(head).toMatch(/^shingled first load 1 [0-9a-f]{8}$/);
      expect(JSON.parse(body!)).toMatchObject({
        ...{
          description: { indexId: expect.any(String) },
          seq: 1,
          totals: { contents: expect.any(Number) },
          last: null,
        },
        rows: {
          tables: { whole: [], next: { offsets: expect.any(Array) } },
          sources: { runBytes: [], log: { bytes: expect.any(Number), crc: expect.any(Number) } },
          changes: { bytes: expect.any(Number), crc: expect.any(Number) },
        },
        note: expect.any(String),
      });
    }));
});
