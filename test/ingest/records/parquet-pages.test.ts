import { parquetMetadata } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, it } from 'vitest';
import { DEFAULT_INGEST_LIMITS } from '../../../src/ingest/limits.ts';
import { readParquet } from '../../../src/ingest/records/parquet.ts';
import { structEnd } from '../../../src/ingest/records/thrift-fields.ts';
import { brief, itemsOf } from '../../support/ingest/opened.ts';
import { recordMap } from '../../support/ingest/record-map.ts';

const ROWS = Array.from({ length: 200 }, (_, n) => n);
/** A run of 2^31 - 1 values, by its head. */
const RUN = [0xfe, 0xff, 0xff, 0xff, 0x0f];

/** Two row groups, whose texts have levels that are packed bit by bit. */
const written = (codec: 'UNCOMPRESSED' | 'SNAPPY') =>
  parquetWriteBuffer({
    columnData: [
      { name: 'url', data: ROWS.map((n) => `u:${n}`), type: 'STRING' },
      { name: 'text', data: ROWS.map((n) => (n % 2 === 0 ? null : `text ${n}`)), type: 'STRING', nullable: true },
    ],
    ...{ codec, rowGroupSize: 100 },
  });

/** Where the first page of the texts begins, behind its head. */
function pageOf(content: ArrayBuffer): number {
  const { data_page_offset, dictionary_page_offset } = parquetMetadata(content).row_groups[0]!.columns[1]!.meta_data!;
  const at = Number(dictionary_page_offset ?? data_page_offset);
  return structEnd(new Uint8Array(content), at);
}

function itemsIn(content: ArrayBuffer) {
  const read = async (start: number, end: number) => content.slice(start, end);
  const file = { file: 'f.parquet', bytes: content.byteLength, read };
  return itemsOf(readParquet(file, recordMap(), DEFAULT_INGEST_LIMITS, null));
}

describe('pages of Parquet', () => {
  it('are refused for a run that is longer than the page, before it is written out', async () => {
    const content = written('UNCOMPRESSED');
    new Uint8Array(content).set(RUN, pageOf(content));
    const items = await itemsIn(content);
    expect(items[0]).toMatchObject({
      at: 'row group 1 (rows 1 to 100)',
      refused: 'unreadable',
      detail: 'It cannot be read: it has a run of 2147483647 values in a page of 100.',
    });
    expect(items.slice(1)).toHaveLength(100);
    expect(brief(items[2]!)).toEqual(['u:101', 'text 101']);
  });

  it('are read where they are packed, as they were', async () => {
    const items = await itemsIn(written('SNAPPY'));
    expect(items).toHaveLength(200);
    expect(brief(items[1]!)).toEqual(['u:1', 'text 1']);
  });

  it('are refused for a count that their column has not', async () => {
    const content = written('UNCOMPRESSED');
    const { columns } = parquetMetadata(content).row_groups[0]!;
    const at = Number(columns[1]!.meta_data!.data_page_offset);
    const view = new DataView(content);
    expect(parquetHeader({ view, offset: at }).data_page_header_v2?.num_values).toBe(100);
    const bytes = new Uint8Array(content);
    // 100 and 4,100, each as two bytes of a zigzag number
    const place = Buffer.from(content).indexOf(Buffer.from([0xc8, 0x01]), at);
    bytes.set([0x88, 0x40], place);
    expect(parquetHeader({ view, offset: at }).data_page_header_v2?.num_values).toBe(4100);
    const [first, ...others] = await itemsIn(content);
    expect(first).toMatchObject({
      refused: 'unreadable',
      detail: expect.stringContaining('more values than its column'),
    });
    expect(others).toHaveLength(100);
  });

  it('have heads, as footers have, of which no number is without an end', () => {
    const endless = Uint8Array.of(0x16, ...Array.from({ length: 1000 }, () => 0xff), 1, 0);
    expect(() => structEnd(endless, 0)).toThrow('a number that is too large');
    expect(() => structEnd(new Uint8Array(1000).fill(0x1c), 0)).toThrow('nested too deeply');
    expect(structEnd(Uint8Array.of(9, 0x16, 2, 0, 9), 1)).toBe(4);
  });
});
