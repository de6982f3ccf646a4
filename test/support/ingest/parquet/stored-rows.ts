import { bufferOf, footerOf } from '../../../../src/ingest/records/parquet.ts';
import { leavesOf } from '../../../../src/ingest/records/parquet-leaves.ts';
import { readColumn } from '../../../../src/ingest/rewrite/copiers/parquet-columns.ts';

/** Of each column what is stored of each row: its values with their levels, bytes as hexadecimal digits. */
export async function storedRows(content: Uint8Array): Promise<Record<string, string[]>> {
  const whole = new Uint8Array(content).buffer;
  const file = bufferOf({ file: '', bytes: whole.byteLength, read: async (from, to) => whole.slice(from, to) });
  const footer = await footerOf(file, { parquetFooterBytesMax: whole.byteLength }, { geoparquet: false });
  if (typeof footer === 'string') throw new Error(footer);
  const rows: Record<string, string[]> = {};
  for (const group of footer.metadata.row_groups) {
    const stays = Array.from({ length: Number(group.num_rows) }, () => true);
    for (const [at, leaf] of leavesOf(footer.metadata.schema).entries()) {
      const { values, definition, repetition } = await readColumn(
        file,
        { leaf, chunk: group.columns[at]!.meta_data!, bytesMax: 2 ** 28 },
        stays,
      );
      rows[`${at} ${leaf.path.join('.')}`] ??= [];
      const into = rows[`${at} ${leaf.path.join('.')}`]!;
      for (const [index, value] of values.entries()) {
        const shown = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
        const cell = `${shown} ${definition[index] ?? ''} ${repetition[index] ?? ''};`;
        if ((repetition[index] ?? 0) === 0) into.push(cell);
        else into[into.length - 1] += cell;
      }
    }
  }
  return rows;
}
