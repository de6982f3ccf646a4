import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects, type SchemaElement } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { bytesOf, readAll, rewrite } from '../../support/ingest/rewritten.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const SCHEMA: SchemaElement[] = [
  { name: 'root', num_children: 11 },
  ...leaf('url', 'BYTE_ARRAY', { converted_type: 'UTF8', logical_type: { type: 'STRING' } }, 'REQUIRED'),
  ...leaf('text', 'BYTE_ARRAY', { converted_type: 'UTF8' }),
  ...leaf('count', 'INT64'),
  ...leaf('unsigned', 'INT32', { converted_type: 'UINT_32' }),
  ...leaf('price', 'FIXED_LEN_BYTE_ARRAY', { type_length: 4, converted_type: 'DECIMAL', scale: 2, precision: 9 }),
  ...leaf('seen', 'INT64', { logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' } }),
  ...leaf('score', 'FLOAT'),
  ...leaf('isNew', 'BOOLEAN', {}, 'REQUIRED'),
  ...leaf('raw', 'BYTE_ARRAY'),
  { name: 'tags', num_children: 1, converted_type: 'LIST', repetition_type: 'OPTIONAL' },
  { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
  ...leaf('element', 'BYTE_ARRAY', { converted_type: 'UTF8' }),
  { name: 'image', num_children: 2, repetition_type: 'OPTIONAL' },
  ...leaf('bytes', 'BYTE_ARRAY'),
  ...leaf('sizes', 'INT32'),
];

function leaf(
  name: string,
  type: NonNullable<SchemaElement['type']>,
  more: Partial<SchemaElement> = {},
  repetition_type: 'OPTIONAL' | 'REQUIRED' = 'OPTIONAL',
): SchemaElement[] {
  return [{ name, type, repetition_type, ...more }];
}

/** What is stored of each, as if it stood for nothing. */
const stored = (schema: readonly SchemaElement[]): SchemaElement[] =>
  schema.map(({ name, type, type_length, num_children, repetition_type, converted_type }) =>
    JSON.parse(
      JSON.stringify({
        ...{ name, type, type_length, num_children, repetition_type },
        ...(converted_type === 'LIST' ? { converted_type } : {}),
      }),
    ),
  );

type Row = Record<string, unknown>;

const nothing = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });
const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const text = fc.string({ maxLength: 20, unit: 'grapheme' }).map(bytes);
const rowOf = (n: number) =>
  fc.record({
    ...{ url: fc.constant(bytes(`u:${n}`)), text: text.map((some) => bytes(`w ${Buffer.from(some)}`)) },
    ...{ count: nothing(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })), unsigned: nothing(fc.integer()) },
    ...{ price: nothing(fc.uint8Array({ minLength: 4, maxLength: 4 })), isNew: fc.boolean() },
    ...{ seen: nothing(fc.bigInt({ min: 0n, max: 2n ** 62n })), score: nothing(fc.float()) },
    ...{ raw: nothing(fc.uint8Array({ maxLength: 9 })), tags: nothing(fc.array(nothing(text), { maxLength: 3 })) },
    image: nothing(fc.record({ bytes: nothing(fc.uint8Array({ maxLength: 5 })), sizes: nothing(fc.nat()) })),
  });
const tables = fc
  .integer({ min: 0, max: 25 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, n) => rowOf(n))));

const COMPRESSORS = { GZIP: gzipSync, ZSTD: zstdCompressSync };
const CODECS = ['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD'] as const;
const METADATA = [{ key: 'huggingface', value: '{"info": {}}' }];

/** In memory, where nothing waits. */
function parquet(rows: readonly Row[], rowGroupSize: number, codec: (typeof CODECS)[number], schema = SCHEMA): Buffer {
  const writer = new ByteWriter();
  const bare = { writer, schema: stored(schema), codec, compressors: COMPRESSORS, statistics: false };
  const file = new ParquetWriter({ ...bare, kvMetadata: METADATA });
  const names = schema.slice(1).map(({ name }) => name);
  const columns = names.filter((name) => !['list', 'element', 'bytes', 'sizes'].includes(name));
  if (rows.length > 0) {
    void file.write({
      columnData: columns.map((name) => ({ name, data: rows.map((row) => row[name]) })),
      rowGroupSize,
    });
  }
  file.schema = schema;
  void file.finish();
  return Buffer.from(writer.getBytes());
}

async function parsed(content: Buffer) {
  const whole = new Uint8Array(content).buffer;
  const metadata = parquetMetadata(whole, { geoparquet: false });
  const file = { byteLength: whole.byteLength, slice: (from: number, to?: number) => whole.slice(from, to) };
  const bare = { ...metadata, schema: stored(metadata.schema) };
  const rows = await parquetReadObjects({ file, metadata: bare, compressors, utf8: false });
  return { metadata, rows: rows.map(comparable), shown: await parquetReadObjects({ file, metadata, compressors }) };
}

/** Absent and null are one; bytes of any kind are. */
function comparable(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, comparable(inner)]));
}

describe('Parquet', () => {
  it('has the rows that were kept, value for value, in row groups of its size, and says the same of its columns', async () => {
    const folder = temporaryFolder();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(
        tables,
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(...CODECS),
        fc.infiniteStream(fc.boolean()),
        async (rows, groupRows, codec, choose) => {
          const [path, out] = [join(folder, 'in.parquet'), join(folder, `${++runs}.parquet`)];
          writeFileSync(path, parquet(rows, groupRows, codec));
          const kept = rows.map(() => choose.next().value);
          const before = await parsed(bytesOf(path));
          expect(before.rows).toEqual(rows.map(comparable));
          const result = await rewrite([path], out, (_input, record) => kept[record - 1]!);
          const after = await parsed(bytesOf(out));
          const should = <T>(all: readonly T[]) => all.filter((_, at) => kept[at]);
          expect(after.rows).toEqual(should(before.rows));
          expect(after.shown).toEqual(should(before.shown));
          expect(result).toMatchObject({ records: rows.length, copied: after.rows.length, lost: 0 });
          expect(result.asked).toEqual((await readAll([path])).map(({ record }) => `0:${record}`));
          expect(after.metadata.schema).toEqual(before.metadata.schema);
          expect(after.metadata.key_value_metadata).toEqual(before.metadata.key_value_metadata);
          const each = Math.min(groupRows, rows.length);
          const sizes = after.metadata.row_groups.map(({ num_rows }) => Number(num_rows));
          expect(sizes.slice(0, -1)).toEqual(sizes.slice(1).map(() => each));
          const used = after.metadata.row_groups.flatMap(({ columns }) => columns.map((one) => one.meta_data?.codec));
          expect(new Set(used)).toEqual(new Set(used.length === 0 ? [] : [codec]));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('tells the least and the greatest value where what is stored is in that order, and of no other', async () => {
    const folder = temporaryFolder();
    const rows = fc.sample(fc.tuple(rowOf(1), rowOf(2), rowOf(3)), { seed: 1, numRuns: 1 })[0]!;
    writeFileSync(join(folder, 'in.parquet'), parquet(rows, 9, 'SNAPPY'));
    await rewrite([join(folder, 'in.parquet')], join(folder, 'out.parquet'), (_input, record) => record !== 2);
    const { metadata } = await parsed(bytesOf(join(folder, 'out.parquet')));
    const told = metadata.row_groups[0]!.columns.filter(({ meta_data }) => meta_data?.statistics !== undefined);
    const names = told.map(({ meta_data }) => meta_data!.path_in_schema.join('.'));
    expect(names).toEqual(['url', 'text', 'count', 'seen', 'score', 'isNew', 'tags.list.element', 'image.sizes']);
    expect(told[0]!.meta_data!.statistics).toMatchObject({ min_value: 'u:1', max_value: 'u:3' });
  });

  it('of many files is one where they have the same columns', async () => {
    const folder = temporaryFolder();
    const simple = [
      SCHEMA[0]!,
      ...leaf('url', 'BYTE_ARRAY', { converted_type: 'UTF8' }),
      ...leaf('text', 'BYTE_ARRAY'),
    ];
    const schema = [{ name: 'root', num_children: 2 }, ...simple.slice(1)];
    const row = (n: number) => ({ url: bytes(`u:${n}`), text: bytes(`a b ${n}`) });
    const paths = ['a', 'b'].map((name) => join(folder, `${name}.parquet`));
    writeFileSync(paths[0]!, parquet([1, 2, 3].map(row), 2, 'GZIP', schema));
    writeFileSync(paths[1]!, parquet([4, 5].map(row), 9, 'SNAPPY', schema));
    const other = join(folder, 'other.parquet');
    writeFileSync(other, parquet([], 1, 'GZIP'));
    const out = join(folder, 'all.parquet');
    const { lastRecords } = await rewrite(paths, out, (input, record) => input === 1 || record !== 2);
    expect((await readAll([out])).map(({ brief }) => brief)).toEqual([1, 3, 4, 5].map((n) => [`u:${n}`, `a b ${n}`]));
    expect(lastRecords).toEqual([3, 2]);
    await rewrite(paths, `${join(folder, 'each')}/`, () => true);
    expect((await readAll([join(folder, 'each', 'b.parquet')])).length).toBe(2);
    const { stdout } = await rewrite(paths, '-', () => true);
    expect((await parsed(stdout)).rows.length).toBe(5);
    const refused = (names: readonly string[], to: string) => expect(rewrite(names, to, () => true)).rejects;
    await refused([...paths, other], join(folder, 'x')).toMatchObject({
      ...{ code: 'invalid-request', message: expect.stringContaining('other columns') },
    });
    await refused(paths, join(folder, 'x.parquet.gz')).toThrow('would be packed');
  });

  it('loses row groups that are damaged, and is refused where it cannot be written', async () => {
    const folder = temporaryFolder();
    const rows = fc.sample(fc.tuple(...Array.from({ length: 9 }, (_, n) => rowOf(n))), { seed: 2, numRuns: 1 })[0]!;
    const whole = parquet(rows, 3, 'GZIP');
    const { metadata } = await parsed(whole);
    const at = Number(metadata.row_groups[1]!.columns[0]!.meta_data!.data_page_offset);
    const [path, out] = [join(folder, 'in.parquet'), join(folder, 'out.parquet')];
    writeFileSync(path, Buffer.concat([whole.subarray(0, at), Buffer.alloc(40, 0xff), whole.subarray(at + 40)]));
    expect(await rewrite([path], out, () => true)).toMatchObject({ records: 9, copied: 6, lost: 3, lastRecords: [9] });
    const urls = (await parsed(bytesOf(out))).rows.map((row) => (row as { url: string }).url);
    expect(urls).toEqual([0, 1, 2, 6, 7, 8].map((n) => `u:${n}`));
    const refused = (content: Buffer, limits = {}) => {
      writeFileSync(path, content);
      return expect(rewrite([path], join(folder, 'none'), () => true, { limits })).rejects;
    };
    const invalid = (message: string) => ({ code: 'invalid-request', message: expect.stringContaining(message) });
    await refused(whole, { rowGroupBytesMax: 100 }).toMatchObject(
      invalid('of 100 at most (INGEST_ROW_GROUP_BYTES_MAX)'),
    );
    const flat = [{ name: 'root', num_children: 1 }, ...leaf('url', 'BYTE_ARRAY')];
    const packed = parquet([{ url: bytes('u:1') }], 1, 'GZIP', flat);
    const changed = (from: string, to: string) => Buffer.from(packed.toString('latin1').replace(from, to), 'latin1');
    // the codec is the field behind the name; the number of children too
    const lzo = changed('\x03url\x15\x04', '\x03url\x15\x06');
    await refused(lzo).toMatchObject(invalid('the column url is packed in a way that is not read (LZO)'));
    await refused(changed('root\x15\x02', 'root\x15\x04')).toMatchObject(invalid('its schema ends too early'));
    await refused(changed('root\x15\x02', 'root\x15\x00')).toMatchObject(invalid('its schema is no tree'));
  });

  it('keeps a file whose footer cannot be read as it is, and loses it where it would be one with others', async () => {
    const folder = temporaryFolder();
    const rows = fc.sample(fc.tuple(...Array.from({ length: 3 }, (_, n) => rowOf(n))), { seed: 2, numRuns: 1 })[0]!;
    const whole = parquet(rows, 3, 'GZIP');
    const [sound, path] = [join(folder, 'in.parquet'), join(folder, 'broken.parquet')];
    writeFileSync(sound, whole);
    const contents = { cut: whole.subarray(0, -9), empty: Buffer.alloc(0), packed: gzipSync(whole).subarray(20) };
    for (const [name, content] of Object.entries(contents)) {
      writeFileSync(path, content);
      expect(await readAll([path])).toEqual([{ input: 0, record: 1, brief: 'malformed' }]);
      const apart = await rewrite([path, sound], `${join(folder, name)}/`, () => true);
      expect(apart).toMatchObject({
        records: 4,
        copied: 4,
        lost: 0,
        lastRecords: [1, 3],
        asked: expect.arrayContaining(['0:1']),
      });
      expect(bytesOf(join(folder, name, 'broken.parquet'))).toEqual(content);
      const one = join(folder, `${name}.parquet`);
      expect(await rewrite([path, sound], one, () => true)).toMatchObject({ copied: 3, lost: 1, lastRecords: [1, 3] });
      expect((await parsed(bytesOf(one))).rows).toHaveLength(3);
    }
  });
});
