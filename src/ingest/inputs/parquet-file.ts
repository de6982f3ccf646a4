import { type FileHandle, open } from 'node:fs/promises';
import type { RecordMap } from '../fields/record-map.ts';
import type { IngestLimits } from '../limits.ts';
import type { IngestItem, Position } from '../port.ts';
import { type ParquetFile, readParquet } from '../records/parquet.ts';

/** A Parquet file by its path. @throws what opening it throws */
export async function* readParquetFile(
  path: string,
  map: RecordMap,
  limits: IngestLimits,
  from: Position | null,
): AsyncGenerator<IngestItem, void, undefined> {
  const { file, close } = await openParquetFile(path);
  try {
    yield* readParquet(file, map, limits, from);
  } finally {
    await close();
  }
}

/** @throws what opening it throws */
export async function openParquetFile(
  path: string,
): Promise<{ readonly file: ParquetFile; readonly close: () => Promise<void> }> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = (start: number, end: number) => part(file, start, end);
    return { file: { file: path, bytes: size, read }, close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function part(file: FileHandle, start: number, end: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(end - start);
  for (let length = 0; length < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, start + length);
    if (bytesRead === 0) throw new Error('the file has become shorter while it was read');
    length += bytesRead;
  }
  return bytes.buffer;
}
