import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/*
 * HMAC-SHA-256 of messages that come in parts, most of them short.
 *
 *   HMAC(key, message) = SHA-256(key ^ 5c… | SHA-256(key ^ 36… | message))                                  RFC 2104, §2
 *
 * An Hmac object costs as much as SHA-256 of 2 KB, and every update of it as 500 bytes. So the parts of a message are
 * gathered behind the key, in memory that is used again, and hashed in one go. A message too long for it goes to an
 * Hmac object.
 */

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Longer messages take so long that an object more is not felt. */
const GATHERED_BYTES_MAX = 0x1_0000;

/** @param key 64 bytes at most. The same array is taken for the same key. */
export function createKeyedHash(key: Uint8Array) {
  const { hmacKey, outer, spare } = preparedOf(key);
  const gathered = spare.pop() ?? block(key, 0x36, GATHERED_BYTES_MAX);
  let end = BLOCK_BYTES;
  let hmac: ReturnType<typeof createHmac> | null = null;

  /** More of the message; the part is done with when this returns. */
  function add(part: string | Uint8Array): void {
    const length = typeof part === 'string' ? Buffer.byteLength(part) : part.length;
    if (hmac === null && end + length > gathered.length) {
      hmac = createHmac('sha256', hmacKey).update(gathered.subarray(BLOCK_BYTES, end));
    }
    if (hmac !== null) {
      hmac.update(part);
      return;
    }
    if (typeof part === 'string') gathered.write(part, end);
    else gathered.set(part, end);
    end += length;
  }

  /** 64 hex digits of all of it; once. */
  function hex(): string {
    if (spare.length < SPARES) spare.push(gathered);
    if (hmac !== null) return hmac.digest('hex');
    outer.write(hash('sha256', gathered.subarray(0, end), 'binary'), BLOCK_BYTES, 'latin1');
    return hash('sha256', outer, 'hex');
  }

  return { add, hex };
}

/** Messages that are under way at a time, on one thread. */
const SPARES = 2;

interface Prepared {
  /** Making it of raw bytes costs twice as much as the digest of a page. */
  readonly hmacKey: KeyObject;
  /** The key's block, and room for the inner digest. */
  readonly outer: Buffer;
  /** The key's block, and room for a message. */
  readonly spare: Buffer[];
}

const prepared = new WeakMap<Uint8Array, Prepared>();

function preparedOf(key: Uint8Array): Prepared {
  const known = prepared.get(key);
  if (known !== undefined) return known;
  if (key.length > BLOCK_BYTES) throw new RangeError(`The key has ${key.length} bytes, more than ${BLOCK_BYTES}`);
  const made = { hmacKey: createSecretKey(key), outer: block(key, 0x5c, DIGEST_BYTES), spare: [] };
  prepared.set(key, made);
  return made;
}

function block(key: Uint8Array, mask: number, roomBytes: number): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES + roomBytes);
  for (let i = 0; i < BLOCK_BYTES; i++) bytes[i] = (key[i] ?? 0) ^ mask;
  return bytes;
}
