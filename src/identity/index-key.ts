import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { ShingledError } from '../errors.ts';
import type { Identity } from './identity.ts';
import { irreduciblePolynomial } from './polynomial.ts';

/*
 * The index key: 32 secret random bytes from which everything is derived that an author of pages must not know.
 *
 *   secret ── HKDF-SHA-256 ──┬─ polynomial   which field the fingerprints live in
 *                            ├─ mixing       the constants of the mixing steps and the permutation
 *                            ├─ rank         which postings of a long list are read first
 *                            ├─ digests      bytes, lexical and shingle equivalence
 *                            ├─ cursors      the signature of a page cursor
 *                            └─ name         keyId: names the key without giving it away
 *
 * With one public rule an author can edit exactly the sampled shingles and vanish (Broder 1997, §6.6 regrets "a single,
 * static sketching policy"). A key file is one line of text: `shingled-index-key 1 <64 hex digits>`.
 */

/** Version of canonical form, Unicode tables, extraction and fingerprint; any change of a sketch raises it. */
export const PIPELINE_VERSION = 1;

const KEY_BYTES = 32;
const KEY_FILE = /^shingled-index-key 1 ([0-9a-f]{64})\n$/;

/**
 * Makes a new key in a new file that only its owner may read, on disk for good when this returns.
 *
 * @throws the file system's error, also where the file exists already
 */
export function createIndexKeyFile(path: string): Uint8Array {
  const secret = randomBytes(KEY_BYTES);
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, `shingled-index-key 1 ${secret.toString('hex')}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
  return secret;
}

/**
 * The 32 bytes of a key file.
 *
 * @throws `invalid-config` where it cannot be read or is not a key file; the message never quotes it
 */
export function readIndexKeyFile(path: string): Uint8Array {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new ShingledError('invalid-config', `The index key file ${path} cannot be read.`, { cause });
  }
  const match = KEY_FILE.exec(text);
  if (match === null) {
    throw new ShingledError(
      'invalid-config',
      `${path} is not an index key file: it must hold one line "shingled-index-key 1 <64 hex digits>".`,
    );
  }
  return Buffer.from(match[1]!, 'hex');
}

/**
 * Everything that a key decides for an index of w-shingles. Deterministic.
 *
 * @param secret 32 bytes
 * @param shingleSize w, 1..32
 */
export function deriveIdentity(secret: Uint8Array, shingleSize: number): Identity {
  const derive = (label: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'shingled', label, bytes));
  const polynomial = irreduciblePolynomial((attempt) => derive(`polynomial ${attempt}`, 8).readBigUInt64BE());
  const mixing = derive('mixing', 64);
  const rank = derive('rank', 8);
  const keyId = derive('name', 4).toString('hex');
  const pipeline = createHash('sha256').update(`${PIPELINE_VERSION} ${shingleSize} ${keyId}`).digest('hex');
  return {
    keyId,
    fingerprintId: `${PIPELINE_VERSION}.${pipeline.slice(0, 4)}`,
    fingerprint: {
      shingleSize,
      polynomial: [Number(polynomial >> 32n), Number(polynomial & 0xffff_ffffn)],
      mixing: Array.from({ length: 16 }, (_, i) => mixing.readUInt32BE(4 * i)),
    },
    rankKey: [rank.readUInt32BE(0), rank.readUInt32BE(4)],
    digestKey: derive('digests', 32),
    cursorKey: derive('cursors', 32),
  };
}
