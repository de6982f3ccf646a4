import { describe, expect, it } from 'vitest';
import { wholeSample } from '../../src/core/sketch/narrow.ts';
import { Templates } from '../../src/service/templates.ts';
import { Deadline } from '../../src/sharing/deadline.ts';
import { createWaiter } from '../../src/sharing/waiting.ts';
import type { Content, HostContents } from '../../src/store/port.ts';
import { contentOf, fingerprintsOf } from '../support/store/level-plans.ts';

const FRAME = fingerprintsOf(7, 40);

/** A page of the frame and an article, as a store has it. */
function page(number: number, more: Partial<Content> = {}): Content {
  const own = fingerprintsOf(1000 * (number + 1), 60);
  const made = contentOf(number, Float64Array.from([...FRAME, ...own]).sort());
  return { ...made, sample: wholeSample(made.sample), ...more };
}

const TURNS = { spent: () => false, next: async () => {} };

/** A store of one host, and how often its contents were given. */
function storeOf(contents: readonly Content[]) {
  const store = {
    contents,
    given: 0,
    hostContents: async (_: string, known: string | null): Promise<HostContents> => {
      const sample = store.contents.map(({ id }) => id).join(' ');
      if (sample === known) return { sample, contents: null, unreadable: 0 };
      store.given++;
      return { sample, contents: store.contents, unreadable: 0 };
    },
  };
  return store;
}

const asking = (store: ReturnType<typeof storeOf>, deadline = new Deadline(10_000)) => ({
  ...{ store, turns: TURNS, deadline },
});

describe('the templates of hosts', () => {
  it('are made of the contents that stand for a host, and kept while these are the same', async () => {
    const store = storeOf([0, 1].map((i) => page(i)));
    const templates = new Templates();
    expect(await templates.templateOf('a.example', asking(store))).toBeNull();
    store.contents = [0, 1, 2].map((i) => page(i));
    const template = await templates.templateOf('a.example', asking(store));
    expect(template).toMatchObject({ pages: 3, values: Float64Array.from(FRAME) });
    expect(await templates.templateOf('a.example', asking(store))).toBe(template);
    expect(store.given).toBe(2);
    store.contents = [];
    expect(await templates.templateOf('a.example', asking(store))).toBeNull();
  });

  it('are none of names, and leave sets of features out', async () => {
    const store = storeOf([0, 1, 2].map((i) => page(i, i === 2 ? { tokenCount: 0 } : {})));
    const templates = new Templates();
    expect(await templates.templateOf(null, asking(store))).toBeNull();
    expect(store.given).toBe(0);
    expect(await templates.templateOf('a.example', asking(store))).toBeNull();
  });

  it('are not kept where the main text of a page was not read: it may be, under the same number', async () => {
    const store = storeOf([0, 1, 2].map((i) => page(i, i === 0 ? { main: 'not-read' } : {})));
    const templates = new Templates();
    for (let i = 0; i < 2; i++) await templates.templateOf('a.example', asking(store));
    expect(store.given).toBe(2);
    expect(templates.bytes).toBe(0);
  });

  it('have room for so many bytes: those that were asked for longest ago go', async () => {
    const store = storeOf([0, 1, 2].map((i) => page(i)));
    const one = new Templates();
    await one.templateOf('0.example', asking(store));
    const templates = new Templates(2 * one.bytes);
    const ask = (host: number) => templates.templateOf(`${host}.example`, asking(store));
    for (const host of [0, 1, 0, 2]) await ask(host);
    expect([store.given, templates.bytes]).toEqual([4, 2 * one.bytes]);
    await ask(0);
    expect(store.given).toBe(4);
    await ask(1);
    expect(store.given).toBe(5);
    const none = new Templates(1);
    expect(await none.templateOf('a.example', asking(store))).toMatchObject({ pages: 3 });
    expect(none.bytes).toBe(0);
  });

  it('are made once for all who ask meanwhile, and again where the one who made it is stopped', async () => {
    const store = storeOf([0, 1, 2].map((i) => page(i)));
    const templates = new Templates();
    const turn = createWaiter<void>();
    const held = { spent: () => true, next: () => turn.promise };
    let steps = 0;
    const counted = { spent: () => ++steps < 0, next: async () => {} };
    const first = templates.templateOf('a.example', { store, turns: held, deadline: new Deadline(0) });
    const refused = expect(first).rejects.toMatchObject({ code: 'deadline-exceeded' });
    await refused;
    const slow = templates.templateOf('a.example', { store, turns: held, deadline: new Deadline(10_000) });
    await new Promise(setImmediate);
    const others = [1, 2].map(() =>
      templates.templateOf('a.example', { store, turns: counted, deadline: new Deadline(10_000) }),
    );
    await new Promise(setImmediate);
    turn.resolve();
    const made = await Promise.all([slow, ...others]);
    expect(new Set(made).size).toBe(1);
    expect(steps).toBe(0);
  });
});
