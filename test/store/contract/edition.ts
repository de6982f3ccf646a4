import { expect, it } from 'vitest';
import { deletePlan } from '../../support/store/level-plans.ts';
import type { StoreFixture } from './fixture.ts';

/** By what a list of matches that was kept is known to be of today. */
export function describeEdition(fixture: StoreFixture): void {
  const { put, text } = fixture;

  it('has another edition with each content that comes, however others go meanwhile', async () => {
    const editions = new Set([await fixture.store.edition()]);
    for (let i = 0; i < 40; i++) {
      await put(`https://${i % 7}.example/`, text(i), 1000 + i);
      if (i % 5 === 4) await fixture.store.apply(deletePlan(`https://${i % 7}.example/`, 1000 + i));
      editions.add(await fixture.store.edition());
    }
    expect(editions.size).toBe(41);
  });

  it('has the same edition where a content is only seen again, or nothing is written', async () => {
    await put('https://a.example/', text(1), 1000);
    const edition = await fixture.store.edition();
    await put('https://a.example/', text(1), 2000);
    await put('https://b.example/', text(1), 2000);
    expect(await fixture.store.edition()).toBe(edition);
  });
}
