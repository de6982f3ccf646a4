import { Buffer } from 'node:buffer';
import { buffer } from 'node:stream/consumers';
import { crc32, deflateRawSync } from 'node:zlib';
import { pack } from 'tar-stream';

/* Tars and zips made for tests: sound ones, and such as nobody's program would make. */

export interface MadeMember {
  readonly name: string | Buffer;
  readonly content: Uint8Array | string;
  /** ms since 1970. */
  readonly mtimeMs?: number;
}

export const MADE_AT_MS = Date.UTC(2024, 4, 6, 7, 8, 10);

/** A tar as tar-stream writes it; names that are bytes are put in afterwards. */
export async function tarOf(members: readonly (MadeMember & { readonly header?: object })[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { name, content, mtimeMs = MADE_AT_MS, header = {} } of members) {
    const tar = pack();
    const text = typeof name === 'string' ? name : 'x'.repeat(name.length);
    const bytes = Buffer.from(content as string);
    tar.entry({ name: text, mtime: new Date(mtimeMs), size: bytes.length, ...header }, bytes);
    tar.finalize();
    const made = await buffer(tar as unknown as AsyncIterable<Buffer>);
    if (typeof name !== 'string') withChecksum(made, (head) => head.set(name));
    // without the two blocks of zeros at the end
    parts.push(made.subarray(0, -1024));
  }
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

/** Changes the head of a member that begins here, and its checksum. */
export function withChecksum(head: Buffer, change: (head: Buffer) => void): Buffer {
  change(head);
  head.fill(' ', 148, 156);
  const sum = head.subarray(0, 512).reduce((all, byte) => all + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

export interface ZipMember extends MadeMember {
  readonly isStored?: boolean;
  /** Instead of those that a sound member has. */
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  readonly mode?: number;
  readonly extra?: Buffer;
  /** Where its data are said to be. */
  readonly offset?: number;
  /** Sizes and checksum behind the data, as of who does not know them before. */
  readonly hasDescriptor?: boolean;
  /** A size, unpacked, that is claimed for what it is not. */
  readonly claimedBytes?: number;
}

export function zipOf(members: readonly ZipMember[], comment = ''): Buffer {
  const [local, central]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const member of members) {
    const { flags = 0x800, mode = 0o100644, extra = Buffer.alloc(0), isStored = false, hasDescriptor = false } = member;
    const name = Buffer.from(member.name);
    const content = Buffer.from(member.content as string);
    const data = isStored ? content : deflateRawSync(content);
    const method = member.method ?? (isStored ? 0 : 8);
    const date = new Date(member.mtimeMs ?? MADE_AT_MS);
    const day = ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
    const time = (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
    const crc = member.crc ?? crc32(content);
    const head = (isCentral: boolean) => {
      const isKnown = isCentral || !hasDescriptor;
      const bytes = Buffer.alloc(26);
      bytes.writeUInt16LE(20, 0);
      bytes.writeUInt16LE(flags | (hasDescriptor ? 8 : 0), 2);
      bytes.writeUInt16LE(method, 4);
      bytes.writeUInt16LE(time, 6);
      bytes.writeUInt16LE(day, 8);
      bytes.writeUInt32LE(isKnown ? crc : 0, 10);
      bytes.writeUInt32LE(isKnown ? data.length : 0, 14);
      bytes.writeUInt32LE(isKnown ? (member.claimedBytes ?? content.length) : 0, 18);
      bytes.writeUInt16LE(name.length, 22);
      bytes.writeUInt16LE(extra.length, 24);
      return bytes;
    };
    const descriptor = Buffer.alloc(hasDescriptor ? 16 : 0);
    if (hasDescriptor) {
      descriptor.write('PK\x07\x08', 'latin1');
      descriptor.writeUInt32LE(crc, 4);
      descriptor.writeUInt32LE(data.length, 8);
      descriptor.writeUInt32LE(content.length, 12);
    }
    local.push(Buffer.from('PK\x03\x04', 'latin1'), head(false), name, extra, data, descriptor);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(member.offset ?? at, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), head(true), rest, name, extra);
    at += 30 + name.length + extra.length + data.length + descriptor.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...local, directory, end, Buffer.from(comment)]);
}
