import { Buffer } from 'node:buffer';
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Stored as it is. */
  readonly stored?: boolean;
  /** The sizes stand behind the content, as programs write that do not know them before. */
  readonly sizesBehind?: boolean;
  /** Of its general purpose flags, others. */
  readonly flags?: number;
  /** A size that is claimed for what it is not. */
  readonly claimedBytes?: number;
}

const VERSION = 20;
const SIZES_BEHIND = 0x08;

/** A ZIP archive of these parts, in their order. */
export function makeZip(parts: readonly ZipPart[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, stored = false, sizesBehind = false, flags = 0, claimedBytes } of parts) {
    const bytes = Buffer.from(content as string);
    const packed = stored ? bytes : deflateRawSync(bytes);
    const path = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(flags | (sizesBehind ? SIZES_BEHIND : 0), 2);
    common.writeUInt16LE(stored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimedBytes ?? bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.from(common);
    if (sizesBehind) local.fill(0, 10, 22);
    const behind = Buffer.alloc(sizesBehind ? 16 : 0);
    if (sizesBehind) {
      behind.write('PK\x07\x08', 'latin1');
      common.copy(behind, 4, 10, 22);
    }
    const entry = [Buffer.from('PK\x03\x04', 'latin1'), local, path, packed, behind];
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    central.writeUInt16LE(VERSION, 4);
    common.copy(central, 6, 0, 24);
    central.writeUInt32LE(offset, 42);
    directory.push(central, path);
    pieces.push(...entry);
    offset += entry.reduce((sum, { length }) => sum + length, 0);
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listed, end]);
}
