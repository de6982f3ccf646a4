import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConvertedType, parquetMetadata, type SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter, parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { featuresBody } from '../../../src/features/feature-list.ts';
import { readParquetFile } from '../../../src/ingest/inputs/parquet-file.ts';
import { DEFAULT_INGEST_LIMITS, type IngestLimits } from '../../../src/ingest/limits.ts';
import type { IngestItem, Position } from '../../../src/ingest/port.ts';
import { readParquet } from '../../../src/ingest/records/parquet.ts';
import { brief, itemsOf } from '../../support/ingest/opened.ts';
import { recordMap } from '../../support/ingest/record-map.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const ROWS = Array.from({ length: 25 }, (_, n) => n);
const MANY = Array.from({ length: 2000 }, (_, n) => n);
const SEEN = new Date(Date.UTC(2026, 0, 2));

function written(rowGroupSize = 10, text = (n: number) => `text ${n}`): ArrayBuffer {
  return parquetWriteBuffer({
    columnData: [
      { name: 'url', data: ROWS.map((n) => `u:${n}`), type: 'STRING' },
      { name: 'text', data: ROWS.map(text), type: 'STRING' },
      { name: 'date', data: ROWS.map(() => SEEN), type: 'TIMESTAMP' },
      { name: 'size', data: ROWS.map((n) => BigInt(n)), type: 'INT64' },
      { name: 'unread', data: ROWS.map(() => 'x'.repeat(5000)), type: 'STRING' },
    ],
    rowGroupSize,
  });
}

function reader(content: ArrayBuffer, limits: Partial<IngestLimits> = {}, map = recordMap()) {
  const parts: number[] = [];
  const read = async (start: number, end: number) => {
    parts.push(end - start);
    return content.slice(start, end);
  };
  const file = { file: 'f.parquet', bytes: content.byteLength, read };
  const all = (from: Position | null) => itemsOf(readParquet(file, map, { ...DEFAULT_INGEST_LIMITS, ...limits }, from));
  return { all, parts };
}

async function readAndResume(content: ArrayBuffer, limits: Partial<IngestLimits> = {}): Promise<IngestItem[]> {
  const { all } = reader(content, limits);
  const items = await all(null);
  for (const [index, { next }] of items.entries()) expect(await all(next)).toEqual(items.slice(index + 1));
  return items;
}

describe('Parquet', () => {
  it('is read row group by row group, and again from every row', async () => {
    const items = await readAndResume(written());
    expect(items.map(brief)).toEqual(ROWS.map((n) => [`u:${n}`, `text ${n}`]));
    expect(items[12]).toMatchObject({ at: 'row 13', operation: { observedAt: SEEN.getTime() } });
  });

  it('is read by the columns that are wanted, and no others', async () => {
    const content = written();
    const { all, parts } = reader(content);
    await all(null);
    expect(parts.filter((bytes) => bytes < content.byteLength / 2).length).toBeGreaterThan(3);
    const wide = reader(content, {}, recordMap({ meta: ['size'] }));
    const [, second] = await wide.all(null);
    expect(second).toMatchObject({ operation: { meta: { size: 1 } } });
    expect(recordMap().wanted(['url', 'text', 'date', 'size', 'unread'])).toEqual(['url', 'text', 'date']);
    expect(recordMap({ meta: ['*'] }).wanted(['url', 'text', 'size', 'unread'])).toEqual([
      'url',
      'text',
      'size',
      'unread',
    ]);
  });

  it('has the bytes of what is no JSON, and of what has no form in JSON', async () => {
    const leaf = (name: string, type: 'BYTE_ARRAY' | 'FIXED_LEN_BYTE_ARRAY', converted_type: ConvertedType) => {
      const length = type === 'BYTE_ARRAY' ? {} : { type_length: 12 };
      return { name, type, converted_type, ...length, repetition_type: 'REQUIRED' as const };
    };
    const schema: SchemaElement[] = [
      { name: 'root', num_children: 5 },
      ...['url', 'text'].map((name) => leaf(name, 'BYTE_ARRAY', 'UTF8')),
      ...[leaf('json', 'BYTE_ARRAY', 'JSON'), leaf('bson', 'BYTE_ARRAY', 'BSON')],
      leaf('span', 'FIXED_LEN_BYTE_ARRAY', 'INTERVAL'),
    ];
    const stored = schema.map(({ converted_type: _, ...rest }) => rest);
    const writer = new ByteWriter();
    const file = new ParquetWriter({ writer, schema: stored, statistics: false });
    const bytes = (...texts: string[]) => texts.map((text) => new Uint8Array(Buffer.from(text)));
    const columnData = [
      { name: 'url', data: bytes('u:1', 'u:2') },
      { name: 'text', data: bytes('a b', 'c d') },
      { name: 'json', data: bytes('{"a":1}', '{"a"') },
      { name: 'bson', data: bytes('\u0005\0\0\0\0', '\u0005\0\0\0\0') },
      { name: 'span', data: bytes('abcabcabcabc', 'abcabcabcabc') },
    ];
    void file.write({ columnData });
    file.schema = schema;
    void file.finish();
    const { all } = reader(writer.getBuffer(), {}, recordMap({ meta: ['*'] }));
    const [first, second] = await all(null);
    const same = { bson: 'BQAAAAA=', span: 'YWJjYWJjYWJjYWJj' };
    expect(first).toMatchObject({ operation: { meta: { json: { a: 1 }, ...same } } });
    expect(second).toMatchObject({ operation: { meta: { json: 'eyJhIg==', ...same } } });
  });

  it('is refused where its rows are in other files', async () => {
    const { row_groups } = parquetMetadata(written());
    const there = { ...row_groups[0]!.columns[0]!, file_path: 'part-0.parquet' };
    const writer = new ByteWriter();
    const file = new ParquetWriter({
      writer,
      schema: [
        { name: 'root', num_children: 1 },
        { name: 'url', type: 'BYTE_ARRAY' },
      ],
    });
    file.row_groups.push({ ...row_groups[0]!, columns: [there] });
    void file.finish();
    const items = await readAndResume(writer.getBuffer());
    expect(items).toMatchObject([
      { refused: 'malformed', detail: 'It has no rows: it says which are in other files.' },
    ]);
  });

  it('is refused, and ends nothing, where columns are not those of the schema and others are damaged', async () => {
    const whole = Buffer.from(written());
    const at = Number(parquetMetadata(written()).row_groups[0]!.columns[1]!.meta_data!.data_page_offset);
    whole.fill(0xff, at, at + 40);
    // the schema is before the columns in the footer
    const schema = whole.indexOf('unread', whole.length - 8 - whole.readUInt32LE(whole.length - 8));
    const other = Buffer.concat([whole.subarray(0, schema), Buffer.from('unknow'), whole.subarray(schema + 6)]);
    const twice = Buffer.from(
      whole.toString('latin1').replaceAll('\x03date', '\x03text').replaceAll('\x04date', '\x04text'),
      'latin1',
    );
    for (const [content, detail] of [
      [other, 'It cannot be read: its columns are not those of the schema.'],
      [twice, expect.stringContaining('It cannot be read: ')],
    ] as const) {
      const { all } = reader(new Uint8Array(content).buffer, {}, recordMap({ meta: ['*'] }));
      expect((await all(null))[0]).toMatchObject({ refused: 'unreadable', detail });
    }
  });

  it('names a row group that is too large, and reads its neighbours', async () => {
    const large = written(10, (n) => (n >= 10 && n < 20 ? `${n} `.repeat(400) : `text ${n}`));
    const items = await readAndResume(large, { rowGroupBytesMax: 5000 });
    expect(items).toHaveLength(16);
    expect(items[10]).toMatchObject({ at: 'row group 2 (rows 11 to 20)', refused: 'too-large' });
  });

  /** One row group of 12 MB in pages of 64 KB, which are read in slices of 4 MiB. */
  const textAt = (n: number) => `${n} `.repeat(1000 + (n % 500));
  const pages = (offsetIndex: boolean) =>
    parquetWriteBuffer({
      columnData: [
        { name: 'url', data: MANY.map((n) => `u:${n}`), type: 'STRING', offsetIndex },
        { name: 'text', data: MANY.map(textAt), type: 'STRING', offsetIndex },
      ],
      ...{ rowGroupSize: MANY.length, pageSize: 65_536 },
    });

  for (const isIndexed of [true, false]) {
    it(`reads a large row group some rows at a time, and its bytes once, ${isIndexed ? 'with' : 'without'} an index of pages`, async () => {
      const content = pages(isIndexed);
      const { all, parts } = reader(content);
      const items = await all(null);
      expect(items).toHaveLength(MANY.length);
      // not by toEqual, which would print megabytes
      expect(items.filter((item, n) => `${brief(item)}` !== `u:${n},${textAt(n)}`)).toHaveLength(0);
      // the footer is looked for in half a MB
      expect(parts.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(1.2 * content.byteLength + 2 ** 19);
      for (const index of [0, 700, 1500, MANY.length - 1]) {
        const names = (some: IngestItem[]) => some.map((item) => `${item.at} ${JSON.stringify(item.next)}`);
        expect(names(await all(items[index]!.next))).toEqual(names(items.slice(index + 1)));
      }
    });
  }

  it('reads the rows before a page that is damaged, and names those from there on', async () => {
    const content = Buffer.from(pages(true));
    const at = Math.floor(content.length * 0.8);
    content.fill(0xff, at, at + 20_000);
    const items = await reader(content.buffer.slice(content.byteOffset, content.byteOffset + content.length)).all(null);
    const last = items.at(-1)!;
    expect(items.length).toBeGreaterThan(600);
    expect(items.length).toBeLessThan(MANY.length);
    expect(last).toMatchObject({ refused: 'unreadable', at: `row group 1 (rows ${items.length} to ${MANY.length})` });
    expect(last.next).toMatchObject({ record: MANY.length });
  });

  it('reads a large row group with lists at once', async () => {
    const tags = MANY.map((n) => [`a${n}`, 'b']);
    const content = parquetWriteBuffer({
      columnData: [
        { name: 'url', data: MANY.map((n) => `u:${n}`) },
        { name: 'text', data: MANY.map((n) => `${n} `.repeat(1000)) },
        { name: 'tags', data: tags },
      ],
      schema: [
        { name: 'root', num_children: 3 },
        { name: 'url', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
        { name: 'text', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
        { name: 'tags', repetition_type: 'REQUIRED', num_children: 1, converted_type: 'LIST' },
        { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
        { name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      ],
      ...{ rowGroupSize: MANY.length, pageSize: 65_536 },
    });
    const items = await reader(content, {}, recordMap({ meta: ['tags'] })).all(null);
    expect(items).toHaveLength(MANY.length);
    expect(items[1999]).toMatchObject({ operation: { meta: { tags: ['a1999', 'b'] } } });
    const sets = await reader(content, {}, recordMap({ features: 'tags' })).all(null);
    expect(sets[1999]).toMatchObject({ operation: { body: featuresBody(['a1999', 'b'], 'tags') } });
  });

  it('never throws for what it says: cut, flipped, or something else', async () => {
    const content = Buffer.from(written());
    for (let cut = 0; cut < content.length; cut += 997) {
      const items = await readAndResume(content.buffer.slice(0, cut) as ArrayBuffer);
      expect(items.map(brief)).toEqual(['malformed']);
    }
    let told = 0;
    for (let at = content.length - 1; at > 0; at -= 31) {
      const flipped = Buffer.from(content);
      flipped[at]! ^= 0x41;
      const items = await reader(
        flipped.buffer.slice(flipped.byteOffset, flipped.byteOffset + flipped.length) as ArrayBuffer,
      ).all(null);
      told += items.filter((item) => 'refused' in item).length;
    }
    expect(told).toBeGreaterThan(0);
  });

  it('is opened by its path, and read to where it has become shorter', async () => {
    const path = join(temporaryFolder(), 'f.parquet');
    writeFileSync(path, Buffer.from(written()));
    const items = await itemsOf(readParquetFile(path, recordMap(), DEFAULT_INGEST_LIMITS, null));
    expect(items).toHaveLength(25);
    await expect(itemsOf(readParquetFile(`${path}.none`, recordMap(), DEFAULT_INGEST_LIMITS, null))).rejects.toThrow(
      'ENOENT',
    );
  });
});
