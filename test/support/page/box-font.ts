/*
 * A font in which every letter is a bar of one width, and a space is empty: words are as long on every machine, and lines break at
 * the same places, whatever fonts are installed. TrueType, 600 bytes.
 *
 *     header ─ directory ─ OS/2 cmap glyf head hhea hmtx loca maxp name post
 *
 * `cmap` has the format 13, by which a range of characters has one glyph: 1, the bar, of all but spaces, and 2, nothing.
 * Source: the OpenType specification 1.9, "The OpenType font file" and its tables.
 */

const EM = 1000;
const [ASCENT, DESCENT] = [800, -200];
const [BAR_WIDTH, BAR_HEIGHT, SPACE_WIDTH] = [550, 520, 300];
const CHECKSUM_MAGIC = 0xb1b0afba;

const u16 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([(value >> 8) & 255, value & 255])));
const u32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => u16(Math.floor(value / 65_536) & 0xffff, value % 65_536)));

export function boxFont(): Buffer {
  const bar = Buffer.concat([
    u16(1, 0, 0, BAR_WIDTH, BAR_HEIGHT),
    // one contour that ends at point 3, no instructions; all points are on it, and told by two bytes for each axis
    ...[u16(3, 0), Buffer.from([1, 1, 1, 1]), u16(0, 0, BAR_WIDTH, 0), u16(0, BAR_HEIGHT, 0, -BAR_HEIGHT)],
  ]);
  const glyph = Buffer.concat([bar, Buffer.alloc(-bar.length & 3)]);
  const tables = {
    'OS/2': os2(),
    cmap: cmap(),
    glyf: Buffer.concat([glyph, glyph]),
    head: head(),
    hhea: u16(1, 0, ASCENT, DESCENT, 0, BAR_WIDTH, 0, 0, BAR_WIDTH, 1, 0, 0, 0, 0, 0, 0, 0, 3),
    hmtx: u16(BAR_WIDTH, 0, BAR_WIDTH, 0, SPACE_WIDTH, 0),
    loca: u16(0, glyph.length / 2, glyph.length, glyph.length),
    maxp: u16(1, 0, 3, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
    name: names(['Box', 'Regular', 'Box', 'Box', 'Version 1', 'Box']),
    post: Buffer.concat([u32(0x30000, 0), u16(-100, 50), u32(0, 0, 0, 0, 0)]),
  };
  return fileOf(tables);
}

function fileOf(tables: Readonly<Record<string, Buffer>>): Buffer {
  const entries = Object.entries(tables);
  const directory: Buffer[] = [u32(0x10000), u16(entries.length, 128, 3, entries.length * 16 - 128)];
  const bodies: Buffer[] = [];
  let offset = 12 + 16 * entries.length;
  for (const [tag, table] of entries) {
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    directory.push(Buffer.from(tag), u32(checksum(padded), offset, table.length));
    bodies.push(padded);
    offset += padded.length;
  }
  const file = Buffer.concat([...directory, ...bodies]);
  const at = file.indexOf(tables['head']!) + 8;
  file.writeUInt32BE((CHECKSUM_MAGIC - checksum(file)) >>> 0, at);
  return file;
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

function cmap(): Buffer {
  const groups = [
    [0, 0x1f, 2],
    [0x20, 0x20, 2],
    [0x21, 0x9f, 1],
    [0xa0, 0xa0, 2],
    [0xa1, 0x10ffff, 1],
  ];
  const length = 16 + 12 * groups.length;
  return Buffer.concat([u16(0, 1, 3, 10), u32(12), u16(13, 0), u32(length, 0, groups.length), u32(...groups.flat())]);
}

function head(): Buffer {
  const magic = 0x5f0f3cf5;
  return Buffer.concat([
    ...[u32(0x10000, 0x10000, 0, magic), u16(3, EM), Buffer.alloc(16), u16(0, 0, BAR_WIDTH, BAR_HEIGHT, 0, 8, 2, 0, 0)],
  ]);
}

function os2(): Buffer {
  return Buffer.concat([
    u16(4, BAR_WIDTH, 400, 5, 0, 650, 700, 0, 140, 650, 700, 0, 480, 50, 250, 0),
    Buffer.alloc(10),
    ...[u32(0, 0, 0, 0), Buffer.from('test'), u16(0x40, 0x20, 0xffff, ASCENT, DESCENT, 0, ASCENT, -DESCENT)],
    ...[u32(1, 0), u16(BAR_HEIGHT, BAR_HEIGHT, 0, 0x20, 1)],
  ]);
}

/** Names 1 to 6 of a font, in English for Windows. */
function names(texts: readonly string[]): Buffer {
  const encoded = texts.map((text) => Buffer.from(text, 'utf16le').swap16());
  let offset = 0;
  const records = encoded.map((bytes, at) => {
    offset += bytes.length;
    return u16(3, 1, 0x409, at + 1, bytes.length, offset - bytes.length);
  });
  return Buffer.concat([u16(0, texts.length, 6 + 12 * texts.length), ...records, ...encoded]);
}
