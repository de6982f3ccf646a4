import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { fieldsOf, structOf } from '../../../src/ingest/records/thrift-fields.ts';
import { compared, otherReaders } from '../../support/ingest/parquet/other-readers.ts';
import { storedRows } from '../../support/ingest/parquet/stored-rows.ts';
import { checkFooter } from '../../support/ingest/parquet/strict-footer.ts';
import { rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { root } from '../../support/tree/tree.ts';

/* Files that pyarrow and DuckDB wrote, with a column of each logical type: test/fixtures/parquet/make.py. */

const FIXTURES = join(root, 'test/fixtures/parquet');
const FILES = readdirSync(FIXTURES).filter((name) => name.endsWith('.parquet'));
const KEPT = [0, 2, 4];
const readers = otherReaders('python3');

const thriftOf = (file: Buffer) => file.subarray(file.length - 8 - file.readUInt32LE(file.length - 8), -8);

async function copyOf(name: string, out: string, keeps: (row: number) => boolean): Promise<Buffer> {
  await rewrite([join(FIXTURES, name)], out, (_input, record) => keeps(record - 1));
  return readFileSync(out);
}

describe('a copy of a Parquet file with each logical type', () => {
  for (const name of FILES) {
    it(`has the columns of ${name}, byte for byte and of the types that the format has, and what is stored of each row`, async () => {
      const original = readFileSync(join(FIXTURES, name));
      const copy = await copyOf(name, join(temporaryFolder(), 'copy.parquet'), (row) => KEPT.includes(row));
      checkFooter(copy);
      const [had, has] = [fieldsOf(thriftOf(original)), fieldsOf(thriftOf(copy))];
      for (const id of [2, 5]) expect(has.get(id)).toEqual(had.get(id));
      const [before, after] = [await storedRows(original), await storedRows(copy)];
      const columns = Object.entries(before).map(([column, rows]) => [column, KEPT.map((row) => rows[row])]);
      expect(after).toEqual(Object.fromEntries(columns));
      expect(Object.keys(after).length).toBeGreaterThan(6);
    });
  }

  it.skipIf(readers.length === 0)(
    `is the same by other readers, as far as python3 has them (${readers.join(', ') || 'it has none'})`,
    async () => {
      const folder = temporaryFolder();
      const copies = [];
      for (const name of FILES) {
        for (const rows of [KEPT, null]) {
          const copy = join(folder, `${rows?.length ?? 'all'}-${name}`);
          await copyOf(name, copy, (row) => rows?.includes(row) ?? true);
          copies.push({ original: join(FIXTURES, name), copy, count: 5, rows });
        }
      }
      for (const verdicts of compared('python3', copies)) {
        for (const verdict of Object.values(verdicts)) expect(verdict).toMatch(/^(same$|refused: )/);
        if ('pyarrow' in verdicts) expect(verdicts['pyarrow']).toBe('same');
      }
    },
  );

  it('would not pass if the width of an integer were a number of 32 bits', () => {
    const column = {
      name: 'n',
      type: 'INT32',
      logical_type: { type: 'INTEGER', bitWidth: 8, isSigned: true },
    } as const;
    const schema = [
      { name: 'root', num_children: 1 },
      { ...column, repetition_type: 'REQUIRED' as const },
    ];
    const file = new Uint8Array(parquetWriteBuffer({ columnData: [{ name: 'n', data: [1] }], schema }));
    expect(() => checkFooter(file)).toThrow('footer.2[1].10.10.1 is of type 5 and should be "byte"');
  });
});

describe('the fields of a footer', () => {
  const thrift = thriftOf(readFileSync(join(FIXTURES, 'every-type.parquet')));

  it('are put together again to the same bytes', () => {
    expect(Buffer.from(structOf(fieldsOf(thrift).values()))).toEqual(thrift);
  });

  it('are read of no bytes that are damaged without an error or an end', () => {
    fc.assert(
      fc.property(fc.nat(thrift.length - 1), fc.nat(255), fc.nat(thrift.length), (at, byte, cut) => {
        const damaged = Uint8Array.from(thrift.subarray(0, cut));
        if (at < cut) damaged[at] = byte;
        try {
          for (const { bytes } of fieldsOf(damaged).values()) expect(bytes.length).toBeLessThanOrEqual(cut);
        } catch (error) {
          expect((error as Error).message).toMatch(/^it (ends too early|has a |is nested)/);
        }
      }),
    );
  });
});
