import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LoadedRows, NOT_LOADED, type RowReader, together } from '../../../../src/store/level/format/loaded-rows.ts';
import { type Codec, type RowChange, TableRows, Undo } from '../../../../src/store/level/format/rows.ts';

const KEYS = ['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'b0', 'b1'];
const NUMBERS: Codec<number> = { seal: (_, row) => Buffer.of(row), open: (_, value) => value[0]! };

/** Rows in a Map, the slow and plain way. */
function rowsOf(map: Map<string, number>): RowReader {
  const get = async (key: string) => (map.has(key) ? Buffer.of(map.get(key)!) : undefined);
  return {
    get,
    getMany: (keys) => Promise.all(keys.map(get)),
    keys: async ({ gte, lt, limit, reverse }) => {
      const keys = [...map.keys()].filter((key) => key >= gte && key < lt).sort();
      return (reverse ? keys.reverse() : keys).slice(0, limit);
    },
  };
}

/** Asks until all rows that the answer takes are loaded. */
async function asked<T>(loaded: LoadedRows, ask: () => T): Promise<T> {
  for (;;) {
    try {
      return ask();
    } catch (error) {
      if (error !== NOT_LOADED) throw error;
      await loaded.load();
      for (const _ of loaded.steps());
    }
  }
}

type Changes = readonly (readonly [string, number | null])[];

function make(table: TableRows<number>, changes: Changes, expected: Map<string, number>): void {
  for (const [key, row] of changes) {
    if (row === null) table.delete(key);
    else table.put(key, row);
    if (row === null) expected.delete(key);
    else expected.set(key, row);
  }
}

const changes = fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.option(fc.nat({ max: 9 }))), { maxLength: 12 });

it('shows rows as they will be when all batches are written, without what was put back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(changes, changes, changes, changes),
      fc.nat({ max: 4 }),
      fc.boolean(),
      async ([one, two, three, four], limit, reverse) => {
        const written = new Map<string, number>();
        for (const [key, row] of one) if (row !== null) written.set(key, row);
        const expected = new Map(written);
        const undo = new Undo();
        const loaded = new LoadedRows(rowsOf(written));
        const before = new TableRows(NUMBERS, loaded, undo, undefined);
        make(before, two, expected);
        const table = new TableRows(NUMBERS, loaded, undo, before);
        make(table, three, expected);
        undo.keep();
        make(table, four, new Map());
        undo.putBack();
        for (const key of KEYS) expect(await asked(loaded, () => table.get(key))).toEqual(expected.get(key));
        const range = { gte: 'a1', lt: 'a5', limit: limit + 1, reverse };
        expect(await asked(loaded, () => table.keys(range))).toEqual(await rowsOf(expected).keys(range));
        const changes: RowChange[] = [];
        table.seal(changes);
        const sealed = new Map(changes.map(([key, value]) => [key, value === null ? null : value[0]]));
        expect(sealed).toEqual(new Map(three));
      },
    ),
    { seed: 4, numRuns: 500 },
  );
});

it('fails those who ask for what cannot be read, and nobody else', async () => {
  const bad = new Error('unreadable');
  const reader: RowReader = {
    get: (key) => (key === 'a1' ? Promise.reject(bad) : Promise.resolve(Buffer.of(7))),
    getMany: () => Promise.reject(bad),
    keys: () => Promise.reject(bad),
  };
  const loaded = new LoadedRows(reader);
  const table = new TableRows(NUMBERS, loaded, new Undo(), undefined);
  loaded.want('a1');
  loaded.want('a2');
  expect(await asked(loaded, () => table.get('a2'))).toBe(7);
  await expect(asked(loaded, () => table.get('a1'))).rejects.toBe(bad);
  await expect(asked(loaded, () => table.keys({ gte: 'a', lt: 'b', limit: 1 }))).rejects.toBe(bad);
});

it('reads what does not hang together at once, and throws what is wrong with any of it', async () => {
  const reads: string[][] = [];
  const reader = rowsOf(new Map([['a1', 1]]));
  const loaded = new LoadedRows({
    ...reader,
    getMany: (keys) => {
      reads.push(keys);
      return reader.getMany(keys);
    },
  });
  const ask = () =>
    together(
      () => loaded.get('a1')?.[0],
      () => loaded.get('a2'),
      () => 'known',
    );
  expect(await asked(loaded, ask)).toEqual([1, undefined, 'known']);
  expect(reads).toEqual([['a1', 'a2']]);
  const wrong = () => {
    throw new Error('wrong');
  };
  expect(() => together(() => loaded.get('b1'), wrong)).toThrow('wrong');
});

it('opens a large row in steps and once; one that is damaged fails the plan that asks for it', async () => {
  const large = Buffer.alloc(200_000, 7);
  const damaged = Buffer.alloc(200_000, 9);
  const values = new Map([
    ['a', large],
    ['b', damaged],
    ['c', Buffer.of(7)],
  ]);
  const get = async (key: string) => values.get(key);
  const reader: RowReader = { get, getMany: (keys) => Promise.all(keys.map(get)), keys: async () => [] };
  const opened: string[] = [];
  const open = (key: string, value: Buffer) => {
    opened.push(`${key} at once`);
    if (value[0] === 9) throw new Error('damaged');
    return value[0]!;
  };
  const codec: Codec<number> = {
    ...NUMBERS,
    open,
    *openSteps(key, value) {
      yield;
      opened.push(`${key} in steps`);
      if (value[0] === 9) throw new Error('damaged');
      return value[0]!;
    },
  };
  const loaded = new LoadedRows(reader);
  const table = new TableRows(codec, loaded, new Undo(), undefined);
  for (let times = 0; times < 2; times++) {
    expect(await asked(loaded, () => table.get('a'))).toBe(7);
    expect(await asked(loaded, () => table.get('c'))).toBe(7);
  }
  await expect(asked(loaded, () => table.get('b'))).rejects.toThrow('damaged');
  expect(opened).toEqual(['a in steps', 'c at once', 'b in steps', 'b at once']);
});
