import { expect, it } from 'vitest';
import { sourceRowKey, Table } from '../../../../src/store/level/format/keys.ts';
import type { Source } from '../../../../src/store/port.ts';
import { filled, text, URLS } from '../../../support/store/level-damage.ts';
import { inFolder, NO_FILTERS, openFolder } from '../../../support/store/level-folder.ts';
import { putPlan } from '../../../support/store/level-plans.ts';
import { keysOf, withLevel } from '../../../support/store/level-rows.ts';

it('tells of sources that cannot be read, in their places, and lists the others', () =>
  inFolder(async (folder) => {
    await filled(folder);
    // of one the row, of another one only what it says of its versions
    await withLevel(folder, async (level) => {
      const key = sourceRowKey(URLS[9]!);
      const value = await level.get(key);
      value![3]! ^= 1;
      await level.put(key, value!);
      const [version] = await keysOf(level, Table.version);
      await level.del(version!);
    });
    const store = await openFolder(folder, NO_FILTERS);
    const lost = async (versionsMax: number) => {
      const { listed } = await store.sources({ limit: 100 }, { versionsMax });
      expect(listed.map(({ url }) => url).sort()).toEqual([...URLS].sort());
      return listed.filter(({ source }) => source === null).map(({ url }) => url);
    };
    expect(store.damaged).toBe(false);
    expect(await lost(0)).toEqual([URLS[9]]);
    expect(await lost(10)).toEqual([URLS[0], URLS[9]]);
    expect(store.damaged).toBe(true);
    const { urls } = await store.sourceUrls({ limit: 100 });
    expect([...urls].sort()).toEqual([...URLS].sort());
    await store.close();
  }));

it('refuses a list as long as the database cannot be read, and calls nothing damaged', () =>
  inFolder(async (folder) => {
    await filled(folder);
    const store = await openFolder(folder, NO_FILTERS);
    await store.close();
    await expect(store.sources({ limit: 10 }, { versionsMax: 1 })).rejects.toMatchObject({ code: 'draining' });
    await expect(store.sourceUrls({ limit: 10 })).rejects.toMatchObject({ code: 'draining' });
    expect(store.damaged).toBe(false);
  }));

it('ends a page where its rows are large', () =>
  inFolder(async (folder) => {
    const store = await openFolder(folder, NO_FILTERS);
    const meta = { notes: 'x'.repeat(300_000) };
    for (let i = 0; i < 9; i++) await store.apply(putPlan(`https://a.example/${i}`, text(1), 1000, { meta }));
    const met: (Source | null)[] = [];
    let after: string | undefined;
    for (let pages = 0; ; pages++) {
      const page = await store.sources({ limit: 100, after }, { versionsMax: 0 });
      expect(page.listed.length).toBeLessThanOrEqual(5);
      met.push(...page.listed.map(({ source }) => source));
      if (page.after === null) {
        expect(pages).toBeGreaterThan(1);
        break;
      }
      after = page.after;
    }
    expect(met).toHaveLength(9);
    expect(met.every((source) => source?.meta?.['notes'] === meta.notes)).toBe(true);
    await store.close();
  }));

it('ends a page where its sources have many versions, and goes on behind them', () =>
  inFolder(async (folder) => {
    const store = await openFolder(folder, NO_FILTERS);
    const urls = Array.from({ length: 60 }, (_, i) => `https://a.example/${String(i).padStart(2, '0')}`);
    for (const url of urls) {
      const versions = Array.from({ length: 100 }, (_, i) => putPlan(url, text(i % 2), 1000 * (i + 1)));
      await Promise.all(versions.map((plan) => store.apply(plan)));
    }
    const first = await store.sources({ limit: 100 }, { versionsMax: 1000 });
    expect(first.listed.map(({ url }) => url)).toEqual(urls.slice(0, 41));
    expect(first.listed.every(({ versions }) => versions.length === 100)).toBe(true);
    expect(first.after).toBe(urls[40]);
    const second = await store.sources({ limit: 100, after: urls[40] }, { versionsMax: 1000 });
    expect(second.listed.map(({ url }) => url)).toEqual(urls.slice(41));
    expect(second.after).toBeNull();
    await store.close();
  }));
