import { ShingledError } from '../../errors.ts';
import { percentEncoded } from './percent-encoded.ts';

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:./i;

/**
 * A path, percent-encoded, behind a prefix; a slash between them is there once.
 *
 * @param path parts with slashes between them, as files have; nothing in it is encoded yet
 */
export function underPrefix(urlPrefix: string, path: string): string {
  const encoded = path.split('/').map(percentEncoded).join('/');
  return urlPrefix.endsWith('/') ? urlPrefix + encoded.replace(/^\/+/, '') : urlPrefix + encoded;
}

/** @throws ShingledError `invalid-request` for what URLs cannot begin with */
export function checkPrefix(urlPrefix: string): void {
  if (ABSOLUTE.test(urlPrefix)) return;
  const detail = `The prefix of URLs begins with a scheme, such as https://a.example/ or urn:x:; it is "${urlPrefix}".`;
  throw new ShingledError('invalid-request', detail, { field: 'url-prefix' });
}
