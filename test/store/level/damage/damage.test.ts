import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { contentKey, Table, totalsKey, under } from '../../../../src/store/level/format/keys.ts';
import { FORMAT_VERSION, openDescription, sealDescription } from '../../../../src/store/level/format/values.ts';
import { CRC_BYTES, HEAD_BYTES } from '../../../../src/store/level/segments/rows/bucket.ts';
import { filesOf, filled, filledWhole, text, URLS, writeAndBeKilled } from '../../../support/store/level-damage.ts';
import { inFolder, NO_FILTERS, openFolder, TEST_IDENTITY } from '../../../support/store/level-folder.ts';
import { ANY_OVERLAP, below, deletePlan, putPlan, randomFrom } from '../../../support/store/level-plans.ts';
import { keysOf, withLevel } from '../../../support/store/level-rows.ts';

const SEED = 20_261;
const ROUNDS = 3;
/** Of the others only a check can tell that a row should be there. */
const LOUD_WHERE_MISSING: readonly string[] = [
  Table.description,
  Table.content,
  Table.segments,
  Table.shingleCounts,
  Table.bucket,
  Table.tombstone,
];

describe('opening', () => {
  it('names every setting in which the index differs', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const other = {
        keyId: 'ffffffff',
        fingerprintId: '2.0000',
        shingleSize: 10,
        indexModulusMax: 32,
        recordModulusMax: 8,
      };
      for (const [name, value] of Object.entries(other)) {
        await expect(openFolder(folder, { [name]: value })).rejects.toMatchObject({
          code: 'index-mismatch',
          message: `${name}: the index was made with ${TEST_IDENTITY[name as keyof typeof other]}, this start has ${value}.`,
        });
      }
      await expect(openFolder(folder, other)).rejects.toMatchObject({ message: expect.stringMatching(/(.*\n){4}/) });
      await withLevel(folder, async (level) => {
        const description = openDescription('m', (await level.get('m'))!);
        await level.put('m', sealDescription('m', { ...description, formatVersion: FORMAT_VERSION + 1 }));
      });
      await expect(openFolder(folder)).rejects.toMatchObject({ message: expect.stringContaining('has format') });
    }));

  it('notices batches that are missing, in the middle or at the end', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const last = (await withLevel(folder, (level) => keysOf(level, Table.totals))).length - 1;
      const middle = totalsKey(3);
      const value = await withLevel(folder, async (level) => {
        const found = (await level.get(middle))!;
        await level.del(middle);
        return found;
      });
      await expect(openFolder(folder)).rejects.toMatchObject({
        code: 'index-damaged',
        message: `Of the last ${last + 1} batches of writes 1 are missing.`,
      });
      await withLevel(folder, (level) =>
        level.batch([
          { type: 'put', key: middle, value },
          { type: 'del', key: totalsKey(last) },
        ]),
      );
      await expect(openFolder(folder)).rejects.toMatchObject({
        code: 'index-damaged',
        message: expect.stringContaining(`ends at ${last - 1}, it had reached ${last}`),
      });
    }));

  it('notices a log that ends too early, as after a power cut without syncs', () =>
    inFolder(async (folder) => {
      await filled(folder);
      await writeAndBeKilled(folder);
      const [log] = filesOf(folder, '.log');
      truncateSync(log!, statSync(log!).size >> 1);
      await expect(openFolder(folder)).rejects.toMatchObject({ code: 'index-damaged' });
    }));

  it.each(['MANIFEST', 'high-water'])('refuses a folder whose %s cannot be read', (part) =>
    inFolder(async (folder) => {
      await filled(folder);
      if (part === 'high-water') writeFileSync(join(folder, part), Buffer.alloc(600));
      else
        for (const name of readdirSync(join(folder, 'db'))) if (name.startsWith(part)) rmSync(join(folder, 'db', name));
      await expect(openFolder(folder)).rejects.toMatchObject({ code: 'index-damaged' });
    }),
  );

  it('believes the slot of the high-water mark that is whole', () =>
    inFolder(async (folder) => {
      await filled(folder);
      const path = join(folder, 'high-water');
      for (const slot of [0, 512]) {
        const whole = readFileSync(path);
        const torn = Buffer.from(whole);
        torn.fill(0x55, slot, slot + 8);
        writeFileSync(path, torn);
        await (await openFolder(folder)).close();
        writeFileSync(path, whole);
      }
    }));
});

describe('a damaged row', () => {
  it('is counted and left out of candidates, and an error elsewhere', () =>
    inFolder(async (folder) => {
      await filled(folder);
      await withLevel(folder, async (level) => {
        const record = Buffer.from((await level.get(contentKey(10)))!);
        record[40]! ^= 4;
        await level.put(contentKey(10), record);
        const bucket = (await keysOf(level, Table.bucket))[200]!;
        const postings = Buffer.from((await level.get(bucket))!);
        postings[4]! ^= 4;
        await level.put(bucket, postings);
      });
      const store = await openFolder(folder);
      const query = { keys: text(10).sample.fingerprints, candidatesMax: 100, ...ANY_OVERLAP };
      const { candidates, unreadable } = await store.candidates(query);
      expect(candidates.map(({ record }) => record.id)).not.toContain(text(10).id);
      expect(candidates.length).toBeGreaterThan(2);
      expect(unreadable).toBeGreaterThanOrEqual(1);
      const all = await Promise.all(
        URLS.map((_, i) => store.candidates({ keys: text(i).sample.fingerprints, candidatesMax: 0, ...ANY_OVERLAP })),
      );
      expect(all.some((found) => found.unreadable > 0)).toBe(true);
      // what a list lacks must not pass over a content that the others would have shown
      const told = await Promise.all(
        URLS.map(async (_, i) => {
          const keys = text(i).sample.fingerprints;
          const { unreadable, shares } = await store.candidates({ ...ANY_OVERLAP, keys, candidatesMax: 0 });
          return { isUnreadable: unreadable > 0, shares: [...new Set(shares)] };
        }),
      );
      for (const { isUnreadable, shares } of told) expect(shares).toEqual([isUnreadable ? 0 : 1]);
      expect([store.damaged, store.writable]).toEqual([true, true]);
      await expect(store.content(text(10).id)).rejects.toMatchObject({ code: 'index-unreadable' });
      const known = await store.getMany([URLS[9]!, URLS[10]!, 'urn:unknown', URLS[11]!]);
      expect(known[1]).toBe('unreadable');
      expect(known).toMatchObject([{ source: { url: URLS[9] } }, {}, undefined, { content: { id: text(11).id } }]);
      // one plan that meets it fails, those beside it do not
      const outcomes = await Promise.allSettled([
        store.apply(putPlan('https://new.example/', text(99), 3000)),
        store.apply(deletePlan(URLS[10]!, 3000)),
        store.apply(deletePlan(URLS[11]!, 3000)),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await store.source(URLS[10]!)).toMatchObject({ url: URLS[10] });
      await store.close();
    }));
});

/** All that can be asked of the index; what cannot be told is said to be so. */
async function answersOf(dataDir: string): Promise<unknown[]> {
  const store = await openFolder(dataDir, { ...NO_FILTERS, listPostingsMax: 2 });
  const ask = async (answer: () => Promise<unknown>) => answer().catch(({ code }: { code: string }) => code);
  const answers: unknown[] = [];
  for (const [i, url] of [...URLS, 'https://twin.example/'].entries()) {
    const { id, sample, shingleDigest } = text(i);
    answers.push(
      await ask(() => store.source(url)),
      await ask(() => store.versions(url, { limit: 9 })),
      await ask(() => store.content(id)),
      await ask(() => store.holders({ id }, { limit: 9 })),
      await ask(async () => {
        const query = { keys: sample.fingerprints, candidatesMax: 100, ...ANY_OVERLAP, shingleDigest };
        const found = await store.candidates(query);
        return found.unreadable > 0 ? 'index-unreadable' : found;
      }),
    );
  }
  const known = await store.getMany(URLS);
  answers.push(...known.map((one) => (one === 'unreadable' ? 'index-unreadable' : one)));
  await store.close();
  return answers;
}

it('a damaged row of any kind never changes an answer in silence', { timeout: 240_000 }, () =>
  inFolder(async (folder) => {
    const random = randomFrom(SEED);
    await filledWhole(folder);
    const sound = await answersOf(folder);
    let loud = 0;
    for (const table of Object.values(Table)) {
      for (let round = 0; round < ROUNDS; round++) {
        const [key, value] = await withLevel(folder, async (level) => {
          const keys = await keysOf(level, table);
          const victim = keys[below(random, keys.length)]!;
          const found = (await level.get(victim))!;
          const damaged = Buffer.from(found);
          damaged[below(random, damaged.length)]! ^= 1 << below(random, 8);
          const isMissing = round === 0 && LOUD_WHERE_MISSING.includes(table);
          await (isMissing ? level.del(victim) : level.put(victim, damaged));
          return [victim, found] as const;
        });
        const answers = await answersOf(folder).catch(({ code }: { code: string }) => [code]);
        if (answers.length === 1) expect(answers, `table ${table}, seed ${SEED}`).toEqual(['index-damaged']);
        else {
          for (const [i, answer] of answers.entries()) {
            if (answer !== 'index-unreadable') expect(answer, `table ${table}, seed ${SEED}`).toEqual(sound[i]);
          }
        }
        loud += Number(!isDeepStrictEqual(answers, sound));
        await withLevel(folder, (level) => level.put(key, value));
      }
    }
    expect(loud).toBeGreaterThan(10);
    expect(await answersOf(folder)).toEqual(sound);
  }),
);

it('a source that is deleted leaves no row behind', () =>
  inFolder(async (folder) => {
    const count = () => withLevel(folder, async (level) => (await level.keys({ gt: 'n\u0080' }).all()).length);
    const tables = () => withLevel(folder, async (level) => (await level.keys().all()).map((key) => key[0]));
    await filled(folder);
    expect(await count()).toBeGreaterThan(0);
    const store = await openFolder(folder);
    for (const url of URLS) await store.apply(deletePlan(url, 3000));
    await store.compact();
    await store.close();
    // what was made with the index, numbers that mean nothing any more, and buckets without a posting
    expect([...new Set(await tables())]).toEqual(['g', 'm', 'n', 'p', 'z']);
    const buckets = await withLevel(folder, (level) => level.values(under(Table.bucket, 1000)).all());
    expect(new Set(buckets.map(({ length }) => length))).toEqual(new Set([HEAD_BYTES + CRC_BYTES]));
  }));
