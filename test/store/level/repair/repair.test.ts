import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prepareFolder } from '../../../../src/store/level/folder/folder.ts';
import { openContent, sealContent } from '../../../../src/store/level/format/content-values.ts';
import { contentKey, Table } from '../../../../src/store/level/format/keys.ts';
import { check, filesOf, filledWhole, URLS, writeAndBeKilled } from '../../../support/store/level-damage.ts';
import { inFolder, TEST_IDENTITY } from '../../../support/store/level-folder.ts';
import { below, randomFrom } from '../../../support/store/level-plans.ts';
import { answersOf, repair } from '../../../support/store/level-repair.ts';
import { keysOf, problemsOf, withLevel } from '../../../support/store/level-rows.ts';

const ALL = [...URLS, 'https://twin.example/'];

/** An index whose rows all lie in table files: made once, each test has a copy. */
const whole = mkdtempSync(join(tmpdir(), 'shingled-repair-'));
beforeAll(async () => {
  await filledWhole(whole);
  await withLevel(whole, (level) => level.compactRange('\0', '\u007f'));
});
afterAll(() => rmSync(whole, { recursive: true, force: true }));

/** Such an index in a folder below. */
function compacted(folder: string): string {
  const dataDir = join(folder, 'index');
  cpSync(whole, dataDir, { recursive: true });
  return dataDir;
}

/** Rows of the tables that a repair takes over or makes anew, all but postings. */
const rowsOf = (dataDir: string) =>
  withLevel(dataDir, async (level) => {
    const tables = [Table.description, Table.source, Table.version, Table.content, Table.holder, Table.lexicalDigest];
    const counted = [Table.holderCounts, Table.hostSample, Table.past];
    const keys = (await Promise.all([...tables, ...counted].map((table) => keysOf(level, table)))).flat();
    return new Map((await level.getMany(keys)).map((value, i) => [keys[i]!, value!.toString('hex')]));
  });

const inside = (dataDir: string) =>
  readdirSync(join(dataDir, 'db')).filter((name) => !/^(LOG|LOG\.old|LOCK)$/.test(name));

describe('repair', () => {
  it('makes of a sound index the same again, proven, and keeps the old one', () =>
    inFolder(async (folder) => {
      const dataDir = compacted(folder);
      const before = await rowsOf(dataDir);
      const { losses, keptIn } = await repair(dataDir);
      expect(losses).toMatchObject({
        ...{ manifest: true, highWater: true, missing: [], unreadable: [], blocks: 0, logPlaces: 0, lostUrls: [] },
        rows: { records: 0, sources: 0, versions: 0, pastContents: 0, unheld: 0, description: false },
      });
      expect(losses.totals).toEqual(losses.before);
      expect(await rowsOf(dataDir)).toEqual(before);
      expect((await check(dataDir)).problems).toEqual([]);
      expect(keptIn).toBe(`${dataDir}.damaged-2027-01-15T080000.000Z`);
      expect(readdirSync(keptIn).sort()).toEqual(['db', 'high-water', 'index.key', 'lost-urls.txt']);
      expect(statSync(join(keptIn, 'index.key')).mode & 0o777).toBe(0o600);
      expect((await check(keptIn)).problems).toEqual([]);
      expect(readdirSync(folder).sort()).toEqual(['index', keptIn.slice(folder.length + 1)]);
    }));

  it('works with any one file of the folder gone: every document is as it was, or is told to be lost', () =>
    inFolder(async (folder) => {
      const dataDir = compacted(folder);
      const before = await answersOf(dataDir, ALL);
      const victims = [...inside(dataDir).map((name) => join('db', name)), 'high-water'];
      expect(victims.length).toBeGreaterThan(4);
      for (const victim of victims) {
        const copy = join(folder, 'copy');
        cpSync(dataDir, copy, { recursive: true });
        rmSync(join(copy, victim));
        const { losses } = await repair(copy);
        const told = !losses.manifest || !losses.highWater || losses.missing.length > 0;
        expect(told, victim).toBe(true);
        expect(await problemsOf(copy), victim).toEqual([]);
        const after = await answersOf(copy, ALL);
        for (const url of ALL) {
          const isKept = JSON.stringify(after.get(url)?.source) === JSON.stringify(before.get(url)?.source);
          const isNamed = losses.lostUrls.includes(url) || losses.totals.sources < (losses.before?.sources ?? Infinity);
          expect(isKept || isNamed, `${url} without ${victim}`).toBe(true);
        }
        for (const name of readdirSync(folder))
          if (name.startsWith('copy')) rmSync(join(folder, name), { recursive: true });
      }
    }));

  it('loses with a damaged block its own rows and no others, and names the documents', () =>
    inFolder(async (folder) => {
      const dataDir = compacted(folder);
      const before = await answersOf(dataDir, ALL);
      const random = randomFrom(11);
      let [kept, lost] = [0, 0];
      for (let round = 0; round < 4; round++) {
        const copy = join(folder, 'copy');
        cpSync(dataDir, copy, { recursive: true });
        const files = filesOf(copy, '.ldb');
        // the first block of all, then anywhere in one
        for (const path of round === 0 ? files : [files[below(random, files.length)]!]) {
          const bytes = readFileSync(path);
          const at = round === 0 ? 20 : below(random, bytes.length);
          writeFileSync(path, bytes.fill(0xaa, at, at + 20));
        }
        const { losses } = await repair(copy);
        expect(await problemsOf(copy), `round ${round}`).toEqual([]);
        const after = await answersOf(copy, ALL);
        for (const url of ALL) {
          const isKept = JSON.stringify(after.get(url)?.source) === JSON.stringify(before.get(url)?.source);
          if (isKept) kept++;
          else {
            lost++;
            const isTold = losses.lostUrls.includes(url) || losses.unreadable.length + losses.blocks > 0;
            expect(isTold, `${url} in round ${round}`).toBe(true);
          }
        }
        for (const name of readdirSync(folder))
          if (name.startsWith('copy')) rmSync(join(folder, name), { recursive: true });
      }
      expect(kept).toBeGreaterThan(0);
      expect(lost).toBeGreaterThan(0);
    }));

  it('says how many writes are lost with the end of the log', () =>
    inFolder(async (folder) => {
      await filledWhole(folder);
      await writeAndBeKilled(folder, { listPostingsMax: 2 });
      const [log] = filesOf(folder, '.log').filter((path) => statSync(path).size > 0);
      const bytes = readFileSync(log!);
      writeFileSync(log!, bytes.subarray(0, bytes.length >> 1));
      const { losses } = await repair(folder);
      expect(losses.batchesLost).toBeGreaterThan(0);
      expect(await problemsOf(folder)).toEqual([]);
    }));

  it('gives a content whose owner is lost to another holder', () =>
    inFolder(async (folder) => {
      const dataDir = compacted(folder);
      await withLevel(dataDir, async (level) => {
        const owner = (await keysOf(level, Table.source)).find((key) => key.endsWith(URLS[3]!))!;
        await level.put(owner, Buffer.from('garbage'));
      });
      const { losses } = await repair(dataDir);
      expect(losses.lostUrls).toEqual([URLS[3]]);
      const after = await answersOf(dataDir, ALL);
      expect(after.get('https://twin.example/')?.holders).toEqual(['https://twin.example/']);
      expect(after.get(URLS[3]!)).toBeUndefined();
    }));

  it('keeps one of two contents of the same digest, with all that held either', () =>
    inFolder(async (folder) => {
      const dataDir = compacted(folder);
      await withLevel(dataDir, async (level) => {
        const key = contentKey(3);
        await level.put(contentKey(90), sealContent(contentKey(90), openContent(key, (await level.get(key))!)));
      });
      const { losses } = await repair(dataDir);
      expect(losses.lostUrls).toEqual([]);
      expect(await problemsOf(dataDir)).toEqual([]);
      const past = (await answersOf(dataDir, ALL)).get('https://twin.example/');
      expect(past?.holders.sort()).toEqual([URLS[3], 'https://twin.example/'].sort());
    }));

  it('leaves the old files alone where the settings are others, or the folder is in use', () =>
    inFolder(async (folder) => {
      const dataDir = compacted(folder);
      const before = inside(dataDir);
      await expect(repair(dataDir, { ...TEST_IDENTITY, shingleSize: 5 as 7 })).rejects.toMatchObject({
        code: 'index-mismatch',
      });
      const owned = await prepareFolder({ dataDir, mustExist: true, pid: process.pid });
      await expect(repair(dataDir)).rejects.toMatchObject({ code: 'index-locked' });
      await owned.release();
      rmSync(join(dataDir, 'index.key'));
      await expect(repair(dataDir)).rejects.toMatchObject({
        code: 'index-damaged',
        message: expect.stringContaining('key'),
      });
      expect(inside(dataDir)).toEqual(before);
      expect(readdirSync(folder)).toEqual(['index']);
    }));

  it('makes its folders inside where they cannot be beside, as of a mounted volume', () =>
    inFolder(async (folder) => {
      const dataDir = compacted(folder);
      const before = await rowsOf(dataDir);
      // nothing can be made under this name
      writeFileSync(`${dataDir}.repairing`, '');
      const { keptIn } = await repair(dataDir);
      expect(keptIn).toBe(join(dataDir, 'damaged-2027-01-15T080000.000Z'));
      expect(readdirSync(dataDir).sort()).toEqual(['damaged-2027-01-15T080000.000Z', 'db', 'high-water', 'index.key']);
      expect(await rowsOf(dataDir)).toEqual(before);
      expect(await problemsOf(dataDir)).toEqual([]);
      await answersOf(dataDir, ALL);
    }));

  it('ends the moves that a killed process began', () =>
    inFolder(async (folder) => {
      const dataDir = compacted(folder);
      const [to, keptIn] = [`${dataDir}.repairing`, `${dataDir}.damaged`];
      cpSync(dataDir, to, { recursive: true });
      mkdirSync(keptIn);
      writeFileSync(join(dataDir, 'repair.unfinished'), JSON.stringify({ to, keptIn }));
      renameSync(join(dataDir, 'high-water'), join(keptIn, 'high-water'));
      renameSync(join(dataDir, 'db'), join(keptIn, 'db'));
      await expect(prepareFolder({ dataDir, mustExist: false, pid: process.pid })).rejects.toMatchObject({
        code: 'index-damaged',
      });
      await repair(dataDir);
      expect(existsSync(join(dataDir, 'repair.unfinished'))).toBe(false);
      expect(await problemsOf(dataDir)).toEqual([]);
      expect(existsSync(join(keptIn, 'db', 'CURRENT'))).toBe(true);
    }));
});
