import { readFileSync, statSync } from 'node:fs';
import { platform } from 'node:os';
import Type from 'typebox';
import { Fault } from './setting.ts';

export const SCOPES = ['read', 'fetch', 'write', 'admin'] as const;
export const SECRET_LENGTH_MIN = 16;

/** One API key: who it is (in logs and rate limits), what it may do, and the secret that the caller sends. */
export const ApiKeySchema = Type.Object({
  name: Type.String(),
  scopes: Type.Array(Type.Enum([...SCOPES]), { minItems: 1 }),
  secret: Type.String({ minLength: SECRET_LENGTH_MIN }),
});

/** Reads `name:scope+scope:secret`. No message repeats any part of it: a secret in the wrong place is still a secret. */
export function readApiKey(text: string): { name: string; scopes: string[]; secret: string } {
  const match = /^([^:]*):([^:]*):(.*)$/s.exec(text);
  if (match === null) throw new Fault('it is not of the form name:scope+scope:secret');
  const [name, scopeWords, secret] = match.slice(1) as [string, string, string];
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) throw new Fault('its name is not 1 to 64 letters, digits, dots, _ or -');
  const scopes = scopeWords.split('+');
  if (!scopes.every((scope) => (SCOPES as readonly string[]).includes(scope))) {
    throw new Fault(`its scopes are not ${SCOPES.join(', ')} joined by +`);
  }
  if (!/^[\x21-\x7e]*$/.test(secret)) throw new Fault('its secret is not of visible ASCII characters');
  if (secret.length < SECRET_LENGTH_MIN) throw new Fault(`its secret is shorter than ${SECRET_LENGTH_MIN} characters`);
  return { name, scopes: [...new Set(scopes)], secret };
}

const FILE_BYTES_MAX = 1_000_000;
/** Write permission of the group and of others. */
const WRITABLE_BY_OTHERS = 0o022;

/**
 * Reads a file of keys: entries as in API_KEYS, one a line; lines that begin with # say nothing. Others may read the file,
 * as they may the secrets that container runtimes mount; who may write it could give himself a key.
 *
 * @returns the entries, separated by commas
 * @throws Fault that repeats nothing of path or file: a secret in the wrong place is still a secret
 */
export function readKeysFile(path: string): string {
  let text: string;
  try {
    const { mode, size } = statSync(path);
    // Windows has no such permissions
    if ((mode & WRITABLE_BY_OTHERS) !== 0 && platform() !== 'win32') {
      throw new Fault('others than its owner may write the file');
    }
    if (size > FILE_BYTES_MAX) throw new Fault(`the file has more than ${FILE_BYTES_MAX} bytes`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(`the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length === 0) throw new Fault('the file holds no key');
  return lines.join(',');
}

/** What is wrong with the keys taken together, in words without any secret; null where nothing is. */
export function faultOfKeys(keys: readonly { readonly name: string; readonly secret: string }[]): string | null {
  const twice = (['name', 'secret'] as const).find((part) => new Set(keys.map((key) => key[part])).size < keys.length);
  return twice === undefined ? null : `two keys have the same ${twice}; allowed: a ${twice} for each`;
}
