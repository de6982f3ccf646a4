import { expect, it } from 'vitest';
import type { StoreFixture } from './fixture.ts';

const A = 'https://a.example/';

/** What is done to a store as a whole. */
export function describeUpkeep(fixture: StoreFixture): void {
  const { text, put } = fixture;

  it('has all that it had when it was synced, compacted and warmed', async () => {
    await put(A, text(1), 1000);
    const [source, counts] = [await fixture.store.source(A), await fixture.counts()];
    await fixture.store.sync();
    await fixture.store.compact();
    await fixture.store.warm();
    expect([await fixture.store.source(A), await fixture.counts()]).toEqual([source, counts]);
    expect(fixture.store.relaxedLosses).toBe(0);
  });

  it('has nowhere to copy to where no folder is configured', async () => {
    const error = { name: 'ShingledError', code: 'backup-not-configured' };
    await expect(fixture.store.backup('one')).rejects.toMatchObject(error);
    await expect(fixture.store.backups()).rejects.toMatchObject(error);
  });

  it('is closed once, however often it is told to', async () => {
    await put(A, text(1), 1000);
    await Promise.all([fixture.store.close(), fixture.store.close()]);
    await fixture.store.close();
  });
}
