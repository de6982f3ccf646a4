import { afterEach, describe, expect, it } from 'vitest';
import { ShingledError } from '../../../src/errors.ts';
import type { ForgetAnswer, Selection } from '../../../src/service/api.ts';
import type { Store } from '../../../src/store/port.ts';
import { createListedIndex, LISTED } from '../../support/service/listed-index.ts';
import {
  ALL,
  createServiceFixture,
  type FixtureOptions,
  refused,
  type ServiceFixture,
} from '../../support/service/service-fixture.ts';
import { withMethods } from '../../support/store/store-methods.ts';

let fixture: ServiceFixture | undefined;
afterEach(() => fixture?.close());

const opened = async (options: FixtureOptions = {}): Promise<ServiceFixture> => {
  fixture = await createListedIndex(options);
  return fixture;
};
const count = ({ service }: ServiceFixture, selection: Selection) =>
  service.forgetSelected(selection, { dryRun: true, confirm: null }, ALL);
const forget = ({ service }: ServiceFixture, selection: Selection, confirm: string | null) =>
  service.forgetSelected(selection, { dryRun: false, confirm }, ALL);
const left = async ({ service }: ServiceFixture) =>
  (await service.list({}, { limit: 1000, cursor: null }, ALL)).documents.map(({ url }) => url);

describe('forgetting a selection', () => {
  it('counts first, then deletes what was counted and nothing else', async () => {
    const index = await opened();
    for (const [selection, isSelected] of [
      [
        { prefix: 'https://a.example/docs/', state: 'gone' },
        (url: string, at: number) => url.includes('//a.example/docs/') && at % 5 === 2,
      ],
      [{ host: 'a.example', subdomains: true }, (url: string) => /^https?:..(www\.)?a\.example\b/.test(url)],
      [{ prefix: 'urn:' }, (url: string) => url.startsWith('urn:')],
      [{}, () => true],
    ] as const) {
      const before = await left(index);
      const gone = before.filter((url) => isSelected(url, LISTED.indexOf(url)));
      const counted = await count(index, selection);
      expect(counted).toMatchObject({ matched: gone.length, deleted: 0, unreadableCount: 0 });
      expect(counted.confirm).toMatch(new RegExp(`^${gone.length}\\.`));
      expect(await left(index)).toEqual(before);
      expect(await forget(index, selection, counted.confirm)).toMatchObject({
        ...{ matched: gone.length, deleted: gone.length, unreadableCount: 0, confirm: null },
      });
      expect(gone.length).toBeGreaterThan(1);
      expect(await left(index)).toEqual(before.filter((url) => !gone.includes(url)));
    }
    expect(await index.store.stats()).toMatchObject({ sources: 0, contents: 0 });
    const none = await count(index, {});
    expect(await forget(index, {}, none.confirm)).toMatchObject({ matched: 0, deleted: 0, confirm: null });
  });

  it('refuses what was not confirmed, or confirmed of another selection', async () => {
    const index = await opened();
    const selection = { host: 'a.example' };
    const { confirm } = await count(index, selection);
    const [number, seal] = confirm!.split('.') as [string, string];
    const bad = refused('invalid-request', { field: 'confirm' });
    for (const [of, token] of [
      [selection, null],
      [selection, ''],
      [selection, number],
      [selection, `${Number(number) + 1}.${seal}`],
      [selection, `0${confirm}`],
      [selection, `${confirm}x`],
      [selection, `x${confirm}`],
      [{}, confirm],
      [{ ...selection, subdomains: true }, confirm],
      [{ ...selection, state: 'live' }, confirm],
    ] as const) {
      await expect(forget(index, of, token), String(token)).rejects.toMatchObject(bad);
    }
    await expect(index.service.forgetSelected(selection, { dryRun: true, confirm }, ALL)).rejects.toMatchObject(bad);
    expect(await left(index)).toEqual(LISTED);
  });

  it('refuses where the number is another by now, and says which', async () => {
    const index = await opened();
    const selection = { host: 'a.example' };
    const { matched, confirm } = await count(index, selection);
    await index.put('https://a.example/more', 'the words of one document more');
    await expect(forget(index, selection, confirm)).rejects.toMatchObject({
      ...refused('selection-changed', { field: 'confirm' }),
      message: expect.stringContaining(`${matched + 1} documents now, not ${matched}`),
    });
    expect(await left(index)).toHaveLength(LISTED.length + 1);
  });

  it('goes on in another call where its time is up', async () => {
    const index = createServiceFixture({ limits: { forgetMs: 0.01 }, wrapStore: slow });
    fixture = index;
    for (let i = 0; i < 9; i++) await index.put(`https://a.example/${i}`, `the words of document ${i}`);
    let answer: ForgetAnswer = await count(index, {});
    const deleted: number[] = [];
    for (let remaining = 9; answer.confirm !== null; remaining -= answer.deleted) {
      answer = await forget(index, {}, answer.confirm);
      expect(answer.matched).toBe(remaining);
      deleted.push(answer.deleted);
    }
    expect(deleted).toEqual([3, 3, 3]);
    expect(await left(index)).toEqual([]);
  });

  it('never deletes more than were confirmed, whatever comes meanwhile', async () => {
    const late: string[] = [];
    const index = await opened({
      wrapStore: withMethods((store) => ({
        apply: async (plan, options) => {
          // behind where the list is, and before it
          if (plan.kind === 'delete' && late.length < 6) {
            late.push(plan.url);
            await index.put(`https://www.a.example/late/${late.length}`, 'these words came late');
          }
          return store.apply(plan, options);
        },
        sourceUrls: (range) => store.sourceUrls({ ...range, limit: 3 }),
      })),
    });
    const selection = { host: 'a.example', subdomains: true };
    const { matched, confirm } = await count(index, selection);
    const answer = await forget(index, selection, confirm);
    expect(answer).toMatchObject({ matched, deleted: matched });
    expect(late).toHaveLength(6);
    expect(await left(index)).toHaveLength(LISTED.length + 6 - matched);
  });

  it('leaves what is forgotten forgotten where the disk refuses the rest, and can be begun again', async () => {
    let taken = 0;
    const index = await opened({
      wrapStore: withMethods((store) => ({
        apply: (plan, options) => {
          if (plan.kind !== 'delete' || ++taken <= 5) return store.apply(plan, options);
          throw new ShingledError('storage-full', 'The disk is full.', { retryAfterS: 5 });
        },
      })),
    });
    const { confirm } = await count(index, {});
    await expect(forget(index, {}, confirm)).rejects.toMatchObject(refused('storage-full'));
    expect(await left(index)).toHaveLength(LISTED.length - 5);
    await expect(forget(index, {}, confirm)).rejects.toMatchObject(refused('selection-changed'));
    taken = -1000;
    const again = await count(index, {});
    expect(await forget(index, {}, again.confirm)).toMatchObject({ deleted: LISTED.length - 5, confirm: null });
  });

  it('counts what cannot be read, and what others have deleted meanwhile is not counted as deleted', async () => {
    const broken = 'https://a.example/docs/03';
    const others = 'https://a.example/docs/05';
    const index = await opened({
      wrapStore: withMethods((store) => ({
        apply: async (plan, options) => {
          if (plan.kind !== 'delete') return store.apply(plan, options);
          if (plan.url === broken) throw new ShingledError('index-unreadable', 'A row cannot be read.');
          if (plan.url === others) await store.apply(plan, options);
          return store.apply(plan, options);
        },
      })),
    });
    const { matched, confirm } = await count(index, {});
    expect(await forget(index, {}, confirm)).toMatchObject({
      ...{ matched, deleted: matched - 2, unreadableCount: 1, confirm: null },
    });
    expect(await left(index)).toEqual([broken]);
  });

  it('ends where its caller has gone', async () => {
    const caller = new AbortController();
    const index = await opened();
    caller.abort();
    const { confirm } = await count(index, {});
    const options = { dryRun: false, confirm };
    await expect(index.service.forgetSelected({}, options, ALL, caller.signal)).rejects.toMatchObject(
      refused('deadline-exceeded'),
    );
    expect(await left(index)).toEqual(LISTED);
  });

  it('goes on while documents come, and leaves those of other selections alone', async () => {
    const index = await opened();
    const { confirm } = await count(index, { host: 'a.example' });
    const coming = Array.from({ length: 200 }, (_, i) =>
      index.put(`https://other.example/${i}`, `these are words of another document ${i}`),
    );
    const [answer] = await Promise.all([forget(index, { host: 'a.example' }, confirm), ...coming]);
    expect(answer.deleted).toBe(answer.matched);
    const expected = LISTED.filter((url) => !/\/\/a\.example/.test(url));
    expect((await left(index)).filter((url) => !url.includes('other'))).toEqual(expected);
    expect(await left(index)).toHaveLength(expected.length + 200);
  });
});

/** A store whose pages have three URLs, and whose deletions take longer than a call may. */
function slow(store: Store): Store {
  return withMethods((own) => ({
    sourceUrls: (range) => own.sourceUrls({ ...range, limit: 3 }),
    apply: async (plan, options) => {
      if (plan.kind === 'delete') await new Promise((resolve) => setTimeout(resolve, 2));
      return own.apply(plan, options);
    },
  }))(store);
}
