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

/** What is wrong with the keys taken together, in words without any secret; null where nothing is. */
export function faultOfKeys(keys: readonly { readonly name: string; readonly secret: string }[]): string | null {
  if (new Set(keys.map((key) => key.name)).size < keys.length)
    return 'two keys have the same name; allowed: a name for each';
  if (new Set(keys.map((key) => key.secret)).size < keys.length)
    return 'two keys have the same secret; allowed: a secret for each';
  return null;
}
