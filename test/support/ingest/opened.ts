import { expect } from 'vitest';
import type { IngestItem, OpenedBytes, Position, SourceReader, UnpackedChunk } from '../../../src/ingest/port.ts';

/** A file in memory: plain, or of members that lie at bytes of their own. */
export interface FakeFile {
  readonly open: (from: Position | null) => OpenedBytes;
}

const FILE = 'folder/file.x';

async function* given(chunks: readonly UnpackedChunk[]): AsyncGenerator<UnpackedChunk> {
  // each lies in a buffer that is written over, as those of files may be
  for (const chunk of chunks) {
    const bytes = Uint8Array.from(chunk.bytes);
    yield { ...chunk, bytes };
    bytes.fill(0x23);
  }
}

/** @param sizes of chunks, one after the other and again from the first */
export function plainFile(content: Uint8Array | string, sizes: readonly number[] = [65_536]): FakeFile {
  const whole = Buffer.from(content);
  const open = (from: Position | null) => {
    const chunks: UnpackedChunk[] = [];
    for (let at = from?.byte ?? 0, turn = 0; at < whole.length; turn++) {
      const bytes = whole.subarray(at, at + sizes[turn % sizes.length]!);
      chunks.push({ bytes, byte: at, begins: false, damage: null });
      at += bytes.length;
    }
    return { file: FILE, chunks: given(chunks) };
  };
  return { open };
}

/** Bytes that a member takes in the file, whatever is in it. */
const MEMBER_BYTES = 10;

/**
 * A packed file.
 *
 * @param members what each unpacks to, in chunks
 * @param damage of members by their index
 */
export function packedFile(
  members: readonly (readonly Uint8Array[])[],
  damage: Readonly<Record<number, string>> = {},
): FakeFile {
  const open = (from: Position | null) => {
    const first = (from?.byte ?? 0) / MEMBER_BYTES;
    const chunks = members.slice(first).flatMap((pieces, index) =>
      pieces.map((bytes, piece) => ({
        bytes,
        byte: (first + index) * MEMBER_BYTES,
        begins: piece === 0,
        damage: piece === 0 && index > 0 ? (damage[first + index] ?? null) : null,
      })),
    );
    return { file: FILE, chunks: given(chunks) };
  };
  return { open };
}

/** Content cut into members and chunks at these bytes: every third cut begins a member. */
export function packedAt(content: Uint8Array, cuts: readonly number[]): FakeFile {
  const ends = [...new Set(cuts.map((cut) => cut % (content.length + 1)))].sort((a, b) => a - b);
  const members: Uint8Array[][] = [[]];
  let start = 0;
  for (const [index, end] of [...ends, content.length].entries()) {
    if (end > start) members.at(-1)!.push(content.subarray(start, end));
    if (index % 3 === 2 && members.at(-1)!.length > 0) members.push([]);
    start = end;
  }
  return packedFile(members.filter((pieces) => pieces.length > 0));
}

/** Of a reader that gives them one by one, or in runs. */
export async function itemsOf(items: AsyncIterable<IngestItem | readonly IngestItem[]>): Promise<IngestItem[]> {
  return (await Array.fromAsync(items)).flat();
}

/** The items of a file, after each of which the position was tried: from there come exactly the others. */
export async function readAndResume(read: SourceReader, file: FakeFile): Promise<IngestItem[]> {
  const all = await itemsOf(read(file.open(null), null));
  for (const [index, { next }] of all.entries()) {
    // as it comes from a state file
    const from = JSON.parse(JSON.stringify(next)) as Position;
    expect(await itemsOf(read(file.open(from), from))).toEqual(all.slice(index + 1));
  }
  return all;
}

/** The document of an item that puts one, as text. */
function textOf(item: IngestItem): string | null {
  if (!('operation' in item) || item.operation.op !== 'put') return null;
  return item.operation.body === null ? null : Buffer.from(item.operation.body.bytes).toString();
}

/** What an item is, in short: its URL and text, or why it is refused. */
export function brief(item: IngestItem): unknown {
  if ('operation' in item) return [item.operation.url, textOf(item)];
  if ('refused' in item) return item.refused;
  if ('asBefore' in item) return { asBefore: item.url };
  return 'wanted' in item ? item.wanted : { list: item.list };
}
