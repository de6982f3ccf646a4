import { crc32, deflateSync, inflateSync } from 'node:zlib';

/*
 * Pictures in grey, as PNG files: what a browser takes is read, which is in colour, and what is kept is in 64 greys, so that it
 * weighs little. Source: Portable Network Graphics (PNG) Specification, 2nd edition, §9 (filters) and §11 (chunks).
 */

/** Luminance of each pixel, 0 to 255, row by row. */
export interface Grey {
  readonly width: number;
  readonly height: number;
  readonly values: Uint8Array;
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const [GREY, RGB, RGBA] = [0, 2, 6];
const CHANNELS: Readonly<Record<number, number>> = { [GREY]: 1, [RGB]: 3, [RGBA]: 4 };
const KEPT_STEP = 4;

/** @throws Error of a file that has not 8 bits for each channel, or has a palette, or is interlaced */
export function readPng(file: Buffer): Grey {
  const chunks = [...chunksOf(file)];
  const header = chunks[0]!.data;
  const [width, height, bits, kind] = [header.readUInt32BE(0), header.readUInt32BE(4), header[8]!, header[9]!];
  const channels = CHANNELS[kind];
  if (channels === undefined || bits !== 8 || header[12] !== 0)
    throw new Error(`a PNG of ${bits} bits and kind ${kind} is not read`);
  const rows = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
  const bytes = unfiltered(rows, width * channels, height, channels);
  if (kind === GREY) return { width, height, values: bytes };
  return {
    width,
    height,
    values: Uint8Array.from({ length: width * height }, (_, at) => luminance(bytes, at * channels)),
  };
}

const luminance = (bytes: Uint8Array, at: number) =>
  Math.round(0.2126 * bytes[at]! + 0.7152 * bytes[at + 1]! + 0.0722 * bytes[at + 2]!);

export function writePng({ width, height, values }: Grey): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++)
      rows[row * (width + 1) + 1 + column] = Math.min(
        255,
        Math.round(values[row * width + column]! / KEPT_STEP) * KEPT_STEP,
      );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, GREY, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    ...[chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))],
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function* chunksOf(file: Buffer) {
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('this is no PNG');
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    yield { type: file.toString('latin1', at + 4, at + 8), data: file.subarray(at + 8, at + 8 + length) };
    at += length + 12;
  }
}

/** Rows without the byte that names their filter, as they were before it. */
function unfiltered(rows: Buffer, stride: number, height: number, step: number): Uint8Array {
  const bytes = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = rows[row * (stride + 1)]!;
    for (let column = 0; column < stride; column++) {
      const at = row * stride + column;
      const left = column < step ? 0 : bytes[at - step]!;
      const above = row === 0 ? 0 : bytes[at - stride]!;
      const corner = row === 0 || column < step ? 0 : bytes[at - stride - step]!;
      bytes[at] = rows[row * (stride + 1) + 1 + column]! + predicted(filter, left, above, corner);
    }
  }
  return bytes;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const [byLeft, byAbove, byCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  if (byLeft! <= byAbove! && byLeft! <= byCorner!) return left;
  return byAbove! <= byCorner! ? above : corner;
}
