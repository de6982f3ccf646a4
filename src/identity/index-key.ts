import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { UNICODE_VERSION } from '../core/text/unicode-tables.ts';
import { ShingledError } from '../errors.ts';
import type { Identity } from './identity.ts';
import { irreduciblePolynomial } from './polynomial.ts';

/*
 * The index key: 32 secret random bytes from which everything is derived that an author of pages must not know.
 *
 *   secret ── HKDF-SHA-256 ──┬─ polynomial   which field the fingerprints live in
 *                            ├─ mixing       the constants of the mixing steps and the permutation
 *                            ├─ features     the same for sets of features, which never meet words by that
 *                            ├─ rank         which postings of a long list are read first
 *                            ├─ digests      bytes, lexical and shingle equivalence
 *                            ├─ cursors      the signature of a page cursor
 *                            └─ name         keyId: names the key without giving it away
 *
 * With one public rule an author can edit exactly the sampled shingles and vanish (Broder 1997, §6.6 regrets "a single,
 * static sketching policy"). A key file is one line of text: `shingled-index-key 1 <64 hex digits>`.
 */

/** Version of canonical form, Unicode tables, extraction and fingerprint; any change of a sketch raises it. */
export const PIPELINE_VERSION = 3;
/** The oldest one whose sketches are compared with those of now: nearly all texts have the same by both (docs/upgrading.md). */
const PIPELINE_READ_LEAST = 2;

const KEY_BYTES = 32;
const KEY_FILE_HEAD = 'shingled-index-key 1 ';
const KEY_FILE = new RegExp(`^${KEY_FILE_HEAD}([0-9a-f]{64})\\n$`);

/**
 * Makes a new key in a new file that only its owner may read, on disk for good when this returns.
 *
 * @returns the 32 secret bytes
 * @throws `invalid-config` where the file exists already, `storage-full` where it cannot be written; no part of it stays
 */
export function createIndexKeyFile(path: string): Uint8Array {
  const secret = randomBytes(KEY_BYTES);
  let made = false;
  try {
    const file = openSync(path, 'wx', 0o600);
    made = true;
    withSync(file, () => writeSync(file, `${KEY_FILE_HEAD}${secret.toString('hex')}\n`));
    withSync(openSync(dirname(path), 'r'), () => {});
  } catch (cause) {
    if (made) rmSync(path, { force: true });
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new ShingledError('invalid-config', `The index key file ${path} exists already; it is never overwritten.`, {
        cause,
      });
    throw new ShingledError('storage-full', `The index key file ${path} cannot be written.`, { cause });
  }
  return secret;
}

/** Does something with an open file or folder, brings it to the disk and closes it. */
function withSync(file: number, work: () => void): void {
  try {
    work();
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * The 32 bytes of a key file.
 *
 * @param setting that named the file; null: it is the one of an index
 * @throws `invalid-config` if it cannot be read, or a setting names what is no key file; `index-damaged` if the file of an
 *   index is none. No message quotes it
 */
export function readIndexKeyFile(path: string, setting: string | null = null): Uint8Array {
  let text: string;
  try {
    text = readFileSync(path, 'latin1');
  } catch (cause) {
    throw new ShingledError('invalid-config', `The index key file ${path} cannot be read.`, { cause });
  }
  const key = KEY_FILE.exec(text)?.[1];
  if (key !== undefined) return Buffer.from(key, 'hex');
  const detail = `${path} is not an index key file: it must hold one line "${KEY_FILE_HEAD}<64 hex digits>".`;
  if (setting !== null) throw new ShingledError('invalid-config', `${setting}: ${detail}`);
  throw new ShingledError('index-damaged', detail);
}

/**
 * Everything that a key decides for an index of w-shingles. Deterministic.
 *
 * @param secret 32 bytes
 * @param shingleSize w, 1..32
 * @throws RangeError where the secret has another length
 */
export function deriveIdentity(secret: Uint8Array, shingleSize: number): Identity {
  if (secret.length !== KEY_BYTES) throw new RangeError(`An index key has ${KEY_BYTES} bytes`);
  const derive = (label: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'shingled', label, bytes));
  const polynomial = irreduciblePolynomial((attempt) => derive(`polynomial ${attempt}`, 8).readBigUInt64BE());
  const constants = (label: string) => {
    const bytes = derive(label, 64);
    return Array.from({ length: 16 }, (_, i) => bytes.readUInt32BE(4 * i));
  };
  const rank = derive('rank', 8);
  const keyId = derive('name', 4).toString('hex');
  return {
    keyId,
    fingerprintId: fingerprintIdOf(keyId, shingleSize),
    fingerprint: {
      shingleSize,
      polynomial: [Number(polynomial >> 32n), Number(polynomial & 0xffff_ffffn)],
      mixing: constants('mixing'),
    },
    featureMixing: constants('features'),
    rankKey: [rank.readUInt32BE(0), rank.readUInt32BE(4)],
    digestKey: derive('digests', 32),
    cursorKey: derive('cursors', 32),
  };
}

/** Names a pipeline: its version and what it was given. */
export function fingerprintIdOf(keyId: string, shingleSize: number, version = PIPELINE_VERSION): string {
  const choices = [version, UNICODE_VERSION, shingleSize, keyId];
  const pipeline = createHash('sha256').update(choices.join(' ')).digest('hex');
  return `${version}.${pipeline.slice(0, 4)}`;
}

/** Names the older pipelines whose sketches are compared with those of now. */
export function olderFingerprintIdsOf(keyId: string, shingleSize: number): string[] {
  const versions = Array.from({ length: PIPELINE_VERSION - PIPELINE_READ_LEAST }, (_, i) => PIPELINE_READ_LEAST + i);
  return versions.map((version) => fingerprintIdOf(keyId, shingleSize, version));
}
